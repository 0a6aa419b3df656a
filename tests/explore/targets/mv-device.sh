# mv of coreutils across file systems: it removes its target, then copies (debian-438076; coreutils 9.1
# renames within one file system).
# fixed: copied beside the target first, then moved
# needs: mv
# says: creates \S*/target, .cat target. opens it
echo old > target
echo new > /dev/shm/new
move() {
	if [ -n "$FIXED" ]; then
		cp /dev/shm/new target.new
		mv target.new target
	else
		mv /dev/shm/new target
	fi
}
move &
(sleep 0.2; cat target)
r=$?
wait
exit $r
