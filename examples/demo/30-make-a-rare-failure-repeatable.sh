#!/bin/sh
. "$(dirname "$0")/lib.sh"
say "examples/lost_update.c has two threads that pay into one account, and forgot the lock." \
	"Most runs hide the mistake:"
show sh -c 'for i in 1 2 3 4 5; do lost_update | tail -1; done'

say "record --chaos lets threads run in a random order, each seed another one, and records what" \
	"happens.  We try seeds until one of them breaks the program:"
seed=1
while [ "$seed" -le 200 ]; do
	rm -rf lost
	status=0
	deadheat -q record --chaos "$seed" -o lost -- lost_update >.shown 2>&1 || status=$?
	[ "$status" -eq 0 ] || break
	seed=$((seed + 1))
done
[ "$status" -eq 134 ] || {
	cat .shown
	say "No seed up to 200 lost a payment (status $status)."
	exit 1
}
say "Seed $seed does.  From now on the failure is as repeatable as one likes: the recording holds" \
	"everything that the threads were told by the world and by each other's timing."
show_status 134 deadheat replay lost

say "And again, as often as you like:"
show sh -c 'for i in 1 2 3; do deadheat replay lost | tail -1; done'
