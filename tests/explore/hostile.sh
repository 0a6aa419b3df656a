#!/bin/sh
# usage: hostile.sh DEADHEAT
# Gives explore a command that would ruin the machine, and shows that nothing outside of it changed.
set -eu
deadheat=$(realpath "$1")
scratch=$(mktemp -d /var/tmp/deadheat-hostile-XXXXXX)
trap 'kill $canary 2> /dev/null; rm -rf "$scratch"' EXIT
mkdir "$scratch/work" "$scratch/other"
echo precious > "$scratch/work/file"
echo precious > "$scratch/other/file"
sleep 300 &
canary=$!
name=$(hostname)
cd "$scratch/work"
cat > attack.sh << 'END'
rm -rf /var/tmp/* /home /srv /etc "$PWD"/file ../other &
rm -f file &
hostname hurt
mount -t tmpfs none /mnt
umount /proc/sys
echo hurt > /proc/sys/kernel/hostname
echo 1 > /proc/sys/kernel/panic
wait
kill -9 -1
END
status=0
timeout -s KILL 120 "$deadheat" explore --races 2 --undisturbed 1 -- sh attack.sh > out 2> err || status=$?
if [ $status -eq 3 ] && grep -q sandbox err; then
	cat err
	exit 77
fi
[ $status -le 1 ] || { cat err; echo "status $status"; exit 1; }
[ "$(cat file)" = precious ]
[ "$(cat ../other/file)" = precious ]
[ "$(hostname)" = "$name" ]
[ -e /etc/passwd ]
kill -0 $canary
echo "nothing changed"
