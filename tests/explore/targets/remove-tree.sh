# rm -r of a directory into which somebody still writes: it is not empty when it is to go.
# fixed: renamed first; later writers do not find it
# says: creates \S*/cache/2, .rm -r cache. removes it
mkdir -p cache
echo 1 > cache/1
write() { [ ! -d cache ] || echo 2 > cache/2; }
clean() {
	if [ -n "$FIXED" ]; then
		mv cache cache.old
		rm -r cache.old
	else
		rm -r cache
	fi
}
write 2> /dev/null &
(sleep 0.15; clean)
r=$?
wait
exit $r
