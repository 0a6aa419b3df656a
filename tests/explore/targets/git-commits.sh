# silent: git locks what it changes
# needs: git
# check: git -C repo fsck --no-dangling > /dev/null 2>&1
export HOME="$PWD" GIT_AUTHOR_DATE='2020-01-01T00:00:00Z' GIT_COMMITTER_DATE='2020-01-01T00:00:00Z'
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
git init -q repo
cd repo || exit 1
echo a > a
git add a
git commit -qm first
git tag one &
(sleep 0.2; git branch two) &
wait
