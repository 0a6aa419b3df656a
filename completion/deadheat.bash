# Completion for deadheat in bash.  The program itself says which commands and options it has, so
# that there is no second list to keep.
# shellcheck shell=bash

_deadheat_options() {
	"$@" --help 2>/dev/null | sed -n 's/^  *\(-.*\)$/\1/p' |
		grep -oE '^(-[A-Za-z0-9], +)?--[a-z][a-z0-9-]*' | grep -oE -- '--?[a-zA-Z0-9-]+'
}

_deadheat() {
	local cur=${COMP_WORDS[COMP_CWORD]} tool=${COMP_WORDS[0]} command='' i

	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		--) # what follows is the program to run, which has files as arguments
			if ((i + 1 == COMP_CWORD)); then
				mapfile -t COMPREPLY < <(compgen -c -- "$cur" | sort -u)
			fi
			return
			;;
		-*) ;;
		*) [[ -n $command ]] || command=${COMP_WORDS[i]} ;;
		esac
	done
	if [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W \
			"$(_deadheat_options "$tool" ${command:+"$command"})" -- "$cur")
	elif [[ -z $command ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$("$tool" --help 2>/dev/null |
			sed -n 's/^  \([a-z][a-z0-9+-]*\)  *[^ ].*/\1/p')" -- "$cur")
	fi
}

complete -o default -F _deadheat deadheat
