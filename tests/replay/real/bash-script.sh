#!/bin/sh
# A bash script: arithmetic, arrays, functions, here-documents, subshells, $RANDOM and the time.
. "$(dirname "$0")/needs"
case $1 in
setup)
	needs bash
	cat >script <<'END'
declare -A count
for ((i = 0; i < 200; i++)); do
	((count[$((RANDOM % 7))]++))
done
for k in "${!count[@]}"; do echo "$k ${count[$k]}"; done | sort
fact() { (($1 < 2)) && echo 1 || echo $(($1 * $(fact $(($1 - 1))))); }
echo "10! = $(fact 10), pid $$, seconds $SECONDS"
while read -r a b; do echo "$b $a"; done <<TEXT
one two
three $(date +%s.%N)
TEXT
x=$(printf '%s\n' {1..50} | shuf | head -5 | tr '\n' ' ')
echo "$x" | tee copy | wc -w
[[ $x =~ ([0-9]+) ]] && echo "first ${BASH_REMATCH[1]}"
trap 'echo bye from $BASHPID' EXIT
(exit 3) || echo "status $?"
mapfile -t lines <copy
echo "${#lines[@]} lines, ${lines[0]}"
END
	;;
main) exec bash script ;;
check) grep -q '10! = 3628800' stdout && grep -q '^bye' stdout ;;
esac
