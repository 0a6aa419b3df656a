#!/bin/sh
. "$(dirname "$0")/lib.sh"
say "Processes race over files.  This script renews a small database while somebody reads it; it" \
	"removes the old one first:"
cat >renew.sh <<'END'
renew() { echo new > db.new; rm -f db; mv db.new db; }
echo old > db
renew &
(sleep 0.1; cat db) || exit 1
wait
END
show cat renew.sh
say "It always ends well.  deadheat explore records it once, in a sandbox, finds pairs of system" \
	"calls whose order nothing guarantees, and runs the script again with each pair turned around:"
show_status 1 deadheat explore -- sh renew.sh
say "mv replaces the old file by itself.  Without the rm there is no order that breaks anything:"
sed -i 's/rm -f db; //' renew.sh
show_status 0 deadheat explore -- sh renew.sh
