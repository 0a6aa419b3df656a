# Two updatedb of findutils build their database under one temporary name: one of them moves what the
# other has just begun (new-3, findutils 4.9).
# fixed: one at a time
# needs: updatedb.findutils locate.findutils flock
# check: locate.findutils -d db file | grep -q file
# says: /db\.n,
# options: --races 14 --jobs 2
mkdir tree
: > tree/file
update() { updatedb.findutils --localpaths="$PWD/tree" --prunepaths= --output="$PWD/db"; }
job() {
	if [ -n "$FIXED" ]; then
		(flock 9; update) 9> lock
	else
		update
	fi
}
job &
one=$!
(sleep 0.5; job)
r=$?
wait $one || r=1
exit $r
