# Completion in bash: commands, options, and the program behind --.
$ "$SOURCE/tests/cli/complete.bash" doct
doctor
$ "$SOURCE/tests/cli/complete.bash" doctor --j
--json
$ "$SOURCE/tests/cli/complete.bash" doctor -- --j
|
$ "$SOURCE/tests/cli/complete.bash" --ver
--verbose --version
$ "$SOURCE/tests/cli/complete.bash" xyzzy -
|
$ "$SOURCE/tests/cli/complete.bash" doctor -- sha256su
sha256sum
