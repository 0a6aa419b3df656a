"""The one normaliser of the command-line tests: what differs from run to run or from machine to
machine becomes a word, so that golden output can be compared as it is.

Add a rule here only for something that every test wants; a test with a wish of its own can pipe its
command through sed."""
import re

RULES = [
    # deadheat 0.1.0 -> deadheat VERSION, also in JSON.
    (re.compile(r"(deadheat |\"version\": \")\d+\.\d+\.\d+"), r"\1VERSION"),
    (re.compile(r"0x[0-9a-f]{5,16}\b"), "0xADDR"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?"), "DATE"),
    (re.compile(r"\b\d+(\.\d+)? ?(us|ms|s|seconds|MB/s|kB|MB)\b"), r"N \2"),
    (re.compile(r"\b(pid|tid|process|thread id) \d+"), r"\1 N"),
]


def normalise(text, places):
    """places: [(path, word)], the longest path first, such as the scratch folder -> TMP."""
    for path, word in sorted(places, key=lambda p: -len(p[0])):
        text = text.replace(path, word)
    for pattern, replacement in RULES:
        text = pattern.sub(replacement, text)
    return text
