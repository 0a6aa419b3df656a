# silent: useradd locks the files of accounts (debian-294579; mended in shadow 4.13 and in adduser 3.134, which has
# a lock of its own)
# needs: useradd
# root: only root may add users
# check: grep -q '^anna:' root/etc/passwd && grep -q '^bert:' root/etc/passwd
mkdir -p root/etc
for f in passwd shadow group gshadow login.defs; do cp /etc/$f root/etc; done
useradd --prefix "$PWD/root" -M anna &
one=$!
(sleep 0.3; useradd --prefix "$PWD/root" -M bert)
r=$?
wait $one || r=1
exit $r
