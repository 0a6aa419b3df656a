# logrotate makes the new log readable to its owner alone, then gives it the mode of "create"; a daemon of
# another user that opens it in between cannot (debian-399930, logrotate 3.21).
# fixed: copytruncate, which keeps the file
# needs: logrotate setpriv
# root: the daemon runs as another user
# says: logrotate .*/log, .sh -c echo message
echo old > log
chmod 666 log
chmod 755 .
if [ -n "$FIXED" ]; then how=copytruncate; else how='create 0666 root root'; fi
echo "$PWD/log { rotate 2
$how
}" > conf
logrotate -f -s "$PWD/status" conf &
(sleep 0.3; exec setpriv --reuid 65534 --clear-groups sh -c 'echo message >> log')
r=$?
wait
exit $r
