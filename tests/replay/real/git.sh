#!/bin/sh
# git: init, commits, branches, merge, log, gc, clone.
. "$(dirname "$0")/needs"
case $1 in
setup) needs git ;;
main)
	set -e
	git init -q -b trunk repo
	cd repo
	git config user.name "A Tester"
	git config user.email tester@localhost
	for i in 1 2 3 4 5; do
		seq "$i" 100 >"file$i"
		git add .
		git commit -q -m "commit $i"
	done
	git checkout -q -b side HEAD~2
	echo side >side
	git add side
	git commit -q -m side
	git checkout -q trunk
	git merge -q --no-edit side
	git log --format='%h %ct %s' --graph
	git gc -q
	git fsck
	git diff HEAD~1 --stat
	cd ..
	git clone -q repo copy
	git -C copy rev-parse HEAD
	;;
check) grep -q 'commit 5' stdout ;;
esac
