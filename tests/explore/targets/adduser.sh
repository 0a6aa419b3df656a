# Two programs add a user each: they read the file of accounts, append, and put it back (debian-294579).
# fixed: a lock file, made exclusively
# check: grep -q '^anna:' passwd && grep -q '^bert:' passwd
# says: renames \S*/passwd, .*mv passwd.bert
echo root:0 > passwd
add() {
	if [ -n "$FIXED" ]; then
		while ! ln -s $$ passwd.lock 2> /dev/null; do sleep 0.05; done
	fi
	cat passwd > passwd.$1
	echo "$1:$2" >> passwd.$1
	mv passwd.$1 passwd
	[ -z "$FIXED" ] || rm passwd.lock
}
add anna 1000 &
(sleep 0.15; add bert 1001) &
wait
