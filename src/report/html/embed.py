#!/usr/bin/env python3
"""embed.py OUT.c page.html style.css SCRIPT.js...: the page's files as C arrays.

The page refers to nothing outside itself, and its own policy lets exactly this style and this
script run: their hashes are in it.  It is cut where the findings go."""
import base64
import hashlib
import sys


def digest(text):
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def array(name, text):
    rows = []
    raw = text.encode()
    for i in range(0, len(raw), 24):
        rows.append("\t" + ", ".join(str(b) for b in raw[i:i + 24]) + ",")
    body = "\n".join(rows)
    return f"const char {name}[] = {{\n{body}\n\t0}};\nconst size_t {name}_len = {len(raw)};\n"


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def main(out, page_path, style_path, *script_paths):
    style = "\n" + read(style_path)
    script = '\n"use strict";\n(() => {\n' + "\n".join(map(read, script_paths)) + "})();\n"
    if "</script" in script or "</style" in style or "<!--" in script:
        sys.exit("the script or the style would end its own element")
    page = read(page_path)
    for name, value in (("STYLE_HASH", digest(style)), ("SCRIPT_HASH", digest(script)),
                        ("STYLE", style)):
        page = page.replace("{{%s}}" % name, value)
    head, rest = page.split("{{INDEX}}")
    middle, rest = rest.split("{{DETAILS}}")
    tail = rest.replace("{{SCRIPT}}", script)
    with open(out, "w", encoding="utf-8") as f:
        f.write('#include "report/html/page.h"\n\n')
        f.write("\n".join(array("dh_html_" + name, text) for name, text in
                          (("head", head), ("middle", middle), ("tail", tail))))


main(*sys.argv[1:])
