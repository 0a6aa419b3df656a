#!/usr/bin/env python3
"""Writes the bytes of a file as C source that defines dh_husk_code and dh_husk_code_size."""
import sys


def main(source, target):
    with open(source, "rb") as f:
        data = f.read()
    with open(target, "w", encoding="ascii") as f:
        f.write('#include "proc/husk_code.h"\n\nconst uint8_t dh_husk_code[] = {\n')
        for i in range(0, len(data), 16):
            f.write("\t" + ", ".join(f"{b:#04x}" for b in data[i:i + 16]) + ",\n")
        f.write("};\n\nconst size_t dh_husk_code_size = sizeof(dh_husk_code);\n")


main(sys.argv[1], sys.argv[2])
