#!/usr/bin/env python3
"""The lints themselves: each one finds the mistake that it is there for."""
import os
import unittest

import help_man
import includes
import machine_paths
import sizes
import symbols
import whitespace

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Includes(unittest.TestCase):
    table = includes.read_table(TOP)

    def complaints(self, folder, line):
        return includes.check_file("x.c", folder, "/* */\n" + line + "\n", self.table)

    def test_lower_layers_are_allowed(self):
        self.assertEqual(self.complaints("store", '#include "model/finding.h"'), [])
        self.assertEqual(self.complaints("proc", '#include "isa/regs.h"'), [])
        self.assertEqual(self.complaints("cmd", '#include "store/store.h"'), [])
        self.assertEqual(self.complaints("base", '#include <stdio.h>'), [])
        self.assertEqual(self.complaints("runtime", '#include "common/ring.h"'), [])

    def test_upper_layers_are_not(self):
        wrong = self.complaints("base", '#include "model/finding.h"')
        self.assertEqual(wrong, ['x.c:2: "model/finding.h": base may not include model'])
        self.assertEqual(len(self.complaints("record", '# include "replay/x.h"')), 1)
        self.assertEqual(len(self.complaints("runtime", '#include "base/buf.h"')), 1)

    def test_ways_around_are_not(self):
        self.assertEqual(len(self.complaints("base", '#include "../model/finding.h"')), 1)
        self.assertEqual(len(self.complaints("runtime", '#include "../../src/base/buf.h"')), 1)

    def test_wire_has_two_system_headers(self):
        self.assertEqual(self.complaints("wire", "#include <stdint.h>"), [])
        self.assertEqual(len(self.complaints("wire", "#include <stdio.h>")), 1)

    def test_unknown_folder(self):
        self.assertEqual(len(self.complaints("attic", "")), 1)

    def test_folder_of(self):
        self.assertEqual(includes.folder_of("src/base/x.c"), "base")
        self.assertEqual(includes.folder_of("src/main.c"), "main.c")
        self.assertEqual(includes.folder_of("runtime/sched/x.c"), "runtime")


class HelpMan(unittest.TestCase):
    HELP = "Usage: deadheat x [-y]\n\nOptions:\n  -f, --file FILE  not --this\n      --deep\n"
    MAN = ".SH OPTIONS\n.TP\n.BR \\-f \", \" \\-\\-file \" FILE\"\nnot \\-\\-that\n.TP\n\\fB\\-\\-deep\\fR\n"

    def test_options(self):
        self.assertEqual(help_man.options_of_help(self.HELP), {"-f", "--file", "--deep"})
        self.assertEqual(help_man.options_of_man(self.MAN), {"-f", "--file", "--deep"})

    def test_both_directions(self):
        self.assertEqual(help_man.compare("x", self.HELP, self.MAN), [])
        self.assertEqual(len(help_man.compare("x", self.HELP + "  -n, --new\n", self.MAN)), 2)
        self.assertEqual(len(help_man.compare("x", "  -f, --file FILE\n", self.MAN)), 1)

    def test_commands(self):
        text = "Usage: deadheat\n\nLook:\n  doctor     say\n  c++        build\n  -q, --quiet  x\n"
        self.assertEqual(help_man.commands_of_help(text), ["doctor", "c++"])


class MachinePaths(unittest.TestCase):
    def test_found(self):
        for line in ("cd /home/me/src", "x=/root/src", "http://deb.debian.org/debian"):
            self.assertEqual(len(machine_paths.check_text("f", line)), 1, line)

    def test_not_found(self):
        for line in ("$top/home/me/", "/proc/self/exe", "/tmp/x", "overlay over /"):
            self.assertEqual(machine_paths.check_text("f", line), [], line)


class Others(unittest.TestCase):
    def test_symbols(self):
        have = symbols.exported("0000 T a\n0010 T b@@V1\n")
        self.assertEqual(symbols.compare(have, symbols.listed("a # one\n\nb\n")), [])
        self.assertEqual(len(symbols.compare(have, symbols.listed("a\nc\n"))), 2)

    def test_whitespace(self):
        self.assertEqual(whitespace.check_text("f", "a\n\tb\n"), [])
        for text in ("a \n", "a\t\nb\n", "a", "a\n\n", "\ufffd\n"):
            self.assertEqual(len(whitespace.check_text("f", text)), 1, text)

    def test_sizes(self):
        lines = ["static int f(int a,", "\tint b)", "{"] + ["\tx();"] * 70 + ["}"]
        self.assertEqual(list(sizes.functions(lines)), [("f", 3, 70)])


if __name__ == "__main__":
    unittest.main()
