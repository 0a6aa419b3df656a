#!/bin/sh
# bash with background jobs, signals, traps, wait and process substitution.
. "$(dirname "$0")/needs"
case $1 in
setup)
	needs bash
	cat >script <<'END'
trap 'echo "got USR1 at $EPOCHREALTIME"' USR1
for i in 1 2 3 4; do
	(sleep 0.0$((RANDOM % 9)); echo "job $i $BASHPID"; exit $i) &
done
while wait -n; s=$?; ((s != 127)); do echo "one ended with $s"; done
(sleep 0.02; kill -USR1 $$) &
wait $!; echo "status $?"
wait
diff <(printf '%s\n' b a | sort) <(printf '%s\n' a b) && echo same
sleep 30 & pid=$!
kill %% ; wait $pid; echo "killed: $?"
coproc cat
echo "through the coprocess" >&"${COPROC[1]}"
read -r line <&"${COPROC[0]}"; echo "$line"
exec {COPROC[1]}>&-
timeout 0.05 bash -c 'while :; do :; done'; echo "timeout: $?"
END
	;;
main) exec bash script ;;
check) grep -q 'killed: 143' stdout && grep -q 'timeout: 124' stdout ;;
esac
