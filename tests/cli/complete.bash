#!/bin/bash
# usage: complete.bash WORD...: what the completion offers for the last word of a command line.
. "$(dirname "$0")/../../completion/deadheat.bash"
COMP_WORDS=(deadheat "$@")
COMP_CWORD=$#
_deadheat
echo "${COMPREPLY[@]}"
