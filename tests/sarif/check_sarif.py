#!/usr/bin/env python3
"""Checks SARIF files that make_report writes.

check_sarif.py structure MAKE_REPORT SOURCES
    against the table below: which properties each object of SARIF 2.1.0 may have and must have, as
    far as Deadheat writes them, and what they refer to.  Anything else is an error.
check_sarif.py schema MAKE_REPORT SOURCES
    against the official schema of OASIS, which is not part of this repository:
    DEADHEAT_SARIF_SCHEMA names a copy of sarif-schema-2.1.0.json.  Needs Python's jsonschema.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

SKIP = 77
SETS = ("one", "few", "0", "200")

LEVELS = {"none", "note", "warning", "error"}
# object: {property: (required, type)}; a type is a Python type, a set of words, the name of an
# object, [type] for an array, [type, n] for one of at least n, or ("map", type) for a map.
OBJECTS = {
    "log": {"$schema": (True, str), "version": (True, {"2.1.0"}), "runs": (True, ["run", 1])},
    "run": {
        "tool": (True, "tool"), "invocations": (True, ["invocation", 1]),
        "originalUriBaseIds": (True, ("map", "base")), "results": (True, ["result"]),
        "columnKind": (True, {"unicodeCodePoints", "utf16CodeUnits"}),
    },
    "base": {"description": (True, "message")},
    "tool": {"driver": (True, "driver")},
    "driver": {"name": (True, str), "version": (True, str), "rules": (True, ["rule", 1])},
    "rule": {
        "id": (True, str), "shortDescription": (True, "message"),
        "fullDescription": (True, "message"), "help": (True, "message"),
        "defaultConfiguration": (True, "configuration"), "properties": (False, dict),
    },
    "configuration": {"level": (True, LEVELS)},
    "invocation": {
        "executionSuccessful": (True, bool),
        "toolExecutionNotifications": (False, ["notification"]),
    },
    "notification": {"level": (True, LEVELS), "message": (True, "message")},
    "message": {"text": (True, str)},
    "result": {
        "ruleId": (True, str), "ruleIndex": (True, int), "kind": (True, {"fail"}),
        "level": (True, LEVELS), "message": (True, "message"), "locations": (True, ["location"]),
        "relatedLocations": (True, ["location"]), "codeFlows": (False, ["codeFlow", 1]),
        "stacks": (True, ["stack"]), "partialFingerprints": (True, ("map", str)),
        "rank": (True, float), "suppressions": (False, ["suppression", 1]),
        "properties": (True, dict),
    },
    "suppression": {"kind": (True, {"external", "inSource"})},
    "location": {
        "id": (False, int), "physicalLocation": (False, "physical"),
        "logicalLocations": (False, ["logical", 1]), "message": (False, "message"),
    },
    "physical": {"artifactLocation": (True, "artifact"), "region": (False, "region")},
    "artifact": {"uri": (True, str), "uriBaseId": (False, {"SRCROOT"})},
    "region": {
        "startLine": (True, int), "startColumn": (False, int), "snippet": (False, "message"),
    },
    "logical": {"name": (True, str), "kind": (True, {"function"})},
    "codeFlow": {"message": (False, "message"), "threadFlows": (True, ["threadFlow", 1])},
    "threadFlow": {"id": (False, str), "locations": (True, ["step", 1])},
    "step": {
        "location": (True, "location"), "kinds": (False, [str, 1]), "executionOrder": (False, int),
        "importance": (False, {"essential", "important", "unimportant"}),
    },
    "stack": {"message": (True, "message"), "frames": (True, ["frame", 1])},
    "frame": {"location": (True, "location"), "module": (False, str)},
}


class Invalid(Exception):
    pass


def demand(condition, where, what):
    if not condition:
        raise Invalid(f"{where}: {what}")


def check_type(value, kind, where):
    if isinstance(kind, str):
        check_object(value, kind, where)
    elif isinstance(kind, set):
        demand(value in kind, where, f"{value!r} is none of {sorted(kind)}")
    elif isinstance(kind, list):
        demand(isinstance(value, list), where, "not an array")
        demand(len(value) >= (kind[1] if len(kind) > 1 else 0), where, "too few items")
        for i, item in enumerate(value):
            check_type(item, kind[0], f"{where}[{i}]")
    elif isinstance(kind, tuple):
        demand(isinstance(value, dict), where, "not an object")
        for key, item in value.items():
            check_type(item, kind[1], f"{where}.{key}")
    elif kind is int:
        demand(type(value) is int and 0 <= value < 2**31, where, f"{value!r} is no small integer")
    elif kind is float:
        demand(type(value) in (int, float), where, f"{value!r} is no number")
    else:
        demand(isinstance(value, kind), where, f"{value!r} is no {kind.__name__}")


def check_object(value, name, where):
    demand(isinstance(value, dict), where, "not an object")
    known = OBJECTS[name]
    for key, (required, kind) in known.items():
        demand(key in value or not required, where, f"no {key}")
        if key in value:
            check_type(value[key], kind, f"{where}.{key}")
    for key in value:
        demand(key in known, where, f"{key} is not a property of {name}")


def unique(items):
    texts = [json.dumps(i, sort_keys=True) for i in items]
    return len(set(texts)) == len(texts)


def walk(value):
    if isinstance(value, dict):
        yield value
        for v in value.values():
            yield from walk(v)
    elif isinstance(value, list):
        for v in value:
            yield from walk(v)


def check_values(log):
    """What the standard says beyond the types of properties."""
    for o in walk(log):
        if "uri" in o:
            demand(re.fullmatch(r"(file://)?[A-Za-z0-9._~/%-]+", o["uri"]), o["uri"], "not a URI")
            demand(o["uri"].startswith("file:///") != ("uriBaseId" in o), o["uri"], "wrong base")
        for key in ("startLine", "startColumn"):
            demand(o.get(key, 1) >= 1, key, "not positive")
        for key in ("stacks", "relatedLocations", "kinds", "tags", "suppressions"):
            demand(unique(o.get(key, [])), key, "two equal items")
    for run in log["runs"]:
        rules = run["tool"]["driver"]["rules"]
        for i, result in enumerate(run["results"]):
            where = f"results[{i}]"
            demand(rules[result["ruleIndex"]]["id"] == result["ruleId"], where, "wrong rule")
            demand(0 <= result["rank"] <= 100, where, "rank out of range")
            demand(len(result["locations"]) <= 1, where, "more than one place")


def check_race(log):
    """The race of the fixture says in SARIF what it says elsewhere."""
    (result,) = log["runs"][0]["results"]
    lanes = {f["id"]: f["locations"] for f in result["codeFlows"][0]["threadFlows"]}
    steps = sorted((s["executionOrder"], s["location"]["message"]["text"], lane)
                   for lane, locations in lanes.items() for s in locations)
    demand(result["level"] == "error", "race", "a harmful race is an error")
    demand([s[0] for s in steps] == list(range(1, 11)), "race", "the order has holes")
    demand(steps[5] == (6, "wait for q->lock", "thread 2 (worker)"), "race", f"has {steps[5]}")
    region = result["locations"][0]["physicalLocation"]["region"]
    demand((region["startLine"], region["startColumn"]) == (18, 24), "race", f"is at {region}")
    related = result["relatedLocations"][0]["physicalLocation"]["region"]
    demand(related["startLine"] == 14, "race", f"the other side is at {related}")
    demand(len(result["partialFingerprints"]["deadheat/v1"]) == 32, "race", "no fingerprint")
    command = "deadheat fuzz --replay 1f3a --seed 42 -- ./queue"
    demand(result["properties"]["reproduce"] == command, "race", "no reproducing command")
    demand(command in result["message"]["text"], "race", "the command is not in the message")


def check_checker(log):
    """The table must notice: each of these spoils the log in one way."""
    result = lambda l: l["runs"][0]["results"][0]
    for spoil in (
        lambda l: l.pop("version"),
        lambda l: result(l).update(colour="red"),
        lambda l: result(l).update(level="bad"),
        lambda l: result(l).update(ruleIndex=1),
        lambda l: result(l)["message"].pop("text"),
        lambda l: result(l)["codeFlows"][0]["threadFlows"].clear(),
        lambda l: result(l)["stacks"].append(result(l)["stacks"][0]),
        lambda l: result(l)["locations"][0]["physicalLocation"]["region"].update(startLine=0),
    ):
        copy = json.loads(json.dumps(log))
        spoil(copy)
        try:
            check_object(copy, "log", "log")
            check_values(copy)
        except Invalid:
            continue
        raise Invalid("the checker did not notice a spoilt log")


def logs(make_report, sources):
    with tempfile.TemporaryDirectory() as folder:
        for name in SETS:
            path = os.path.join(folder, name + ".sarif")
            subprocess.run([make_report, "sarif", name, sources, path], check=True)
            with open(path, encoding="utf-8") as f:
                yield name, json.load(f)


def structure(make_report, sources):
    for name, log in logs(make_report, sources):
        check_object(log, "log", name)
        check_values(log)
        if name == "one":
            check_race(log)
            check_checker(log)
        print(f"{name}: {len(log['runs'][0]['results'])} results, well formed")
    return 0


def schema(make_report, sources):
    path = os.environ.get("DEADHEAT_SARIF_SCHEMA")
    if not path:
        print("skipped: DEADHEAT_SARIF_SCHEMA does not name a copy of the official schema")
        return SKIP
    try:
        import jsonschema
    except ImportError:
        print("skipped: no Python module jsonschema (Debian: python3-jsonschema)")
        return SKIP
    with open(path, encoding="utf-8") as f:
        official = json.load(f)
    validator = jsonschema.validators.validator_for(official)(official)
    failed = False
    for name, log in logs(make_report, sources):
        for error in validator.iter_errors(log):
            print(f"{name}: {'/'.join(map(str, error.path))}: {error.message[:300]}")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit({"structure": structure, "schema": schema}[sys.argv[1]](*sys.argv[2:]))
    except Invalid as e:
        sys.exit(str(e))
