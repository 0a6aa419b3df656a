# silent: sqlite locks its database
# needs: sqlite3
# check: test "$(sqlite3 db 'select n from t')" = 2
sqlite3 db 'create table t(n); insert into t values(0)'
add() { sqlite3 -cmd '.timeout 20000' db 'update t set n = n + 1' > /dev/null; }
add &
(sleep 0.2; add) &
wait
