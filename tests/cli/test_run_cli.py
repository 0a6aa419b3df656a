#!/usr/bin/env python3
"""The runner of the command-line tests: it passes what is right and fails what is not."""
import contextlib
import io
import os
import tempfile
import unittest

import run_cli
from normalise import normalise


def outcome(text, update=False):
    """(status, printed, the file afterwards)"""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.t")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            status = run_cli.run_file(path, folder, update)
        with open(path, encoding="utf-8") as f:
            return status, out.getvalue(), f.read()


class Runner(unittest.TestCase):
    GOOD = "# about\n$ echo a; echo; echo b >&2; exit 3\na\n|\n! b\n? 3\n\n$ true\n"

    def test_good(self):
        self.assertEqual(outcome(self.GOOD)[0], 0)

    def test_each_difference_fails(self):
        for old, new in (("\na\n", "\nA\n"), ("! b", "! c"), ("? 3", "? 2"), ("? 3\n", ""),
                         ("|\n", ""), ("$ true", "$ false")):
            self.assertEqual(outcome(self.GOOD.replace(old, new))[0], 1, (old, new))

    def test_update_writes_what_was_printed(self):
        status, _, text = outcome(self.GOOD.replace("? 3", "? 2").replace("\na\n", "\n"), True)
        self.assertEqual((status, text), (0, self.GOOD))

    def test_missing_newline_is_seen(self):
        self.assertEqual(outcome("$ printf x\nx\n")[0], 1)
        self.assertEqual(outcome("$ printf x\nx(no newline)\n")[0], 0)

    def test_skip_and_empty(self):
        status, printed, _ = outcome("% needs false\n\n$ true\n")
        self.assertEqual((status, printed), (77, "skipped: needs: false\n"))
        self.assertEqual(outcome("# nothing\n")[0], 1)

    def test_scratch_folder_is_shared_and_named(self):
        self.assertEqual(outcome('$ touch f\n\n$ ls\nf\n\n$ pwd\nTMP\n')[0], 0)


class Normaliser(unittest.TestCase):
    def test_rules(self):
        self.assertEqual(normalise("deadheat 0.1.0", []), "deadheat VERSION")
        self.assertEqual(normalise("at 0x7ffd1234 in pid 12 after 1.5 s", []),
                         "at 0xADDR in pid N after N s")
        self.assertEqual(normalise("/a/b/c", [("/a", "A"), ("/a/b", "B")]), "B/c")
        self.assertEqual(normalise("exit status 2 of 0x10", []), "exit status 2 of 0x10")


if __name__ == "__main__":
    unittest.main()
