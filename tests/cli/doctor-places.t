# doctor as an ordinary user, and in a chroot that holds nothing but the program and its libraries.
% needs test "$(id -u)" -eq 0
% needs setpriv --reuid=65534 --regid=65534 --clear-groups "$BUILD/deadheat" --version

$ setpriv --reuid=65534 --regid=65534 --clear-groups "$BUILD/deadheat" doctor >user; echo $? | grep -c '^[03]$'
1
$ mkdir -p root/bin && cp "$BUILD/deadheat" root/bin && \
	for f in $(ldd "$BUILD/deadheat" | grep -o '/[^ ]*'); do mkdir -p "root${f%/*}" && cp "$f" "root$f" || exit 1; done
$ chroot root /bin/deadheat doctor >bare; echo $? | grep -c '^[03]$'
1
$ deadheat doctor >here; for f in here user bare; do grep -cE '^(works|degraded|missing) ' $f; done | sort -u | wc -l
1
# What the chroot has not, it says.
$ grep -E '^missing +gdb' bare
missing   gdb                          gdb is not installed  [replay]
