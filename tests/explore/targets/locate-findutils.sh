# silent: updatedb of findutils 4.9 renames the new database over the old one, and locate opens it once (new-2)
# needs: updatedb.findutils locate.findutils
mkdir tree
: > tree/file
update() { updatedb.findutils --localpaths="$PWD/tree" --prunepaths= --output="$PWD/db"; }
update
update &
(sleep 0.4; locate.findutils -d db file > found)
r=$?
wait
exit $r
