#!/bin/sh
# sqlite3: 100 transactions with fsync, queries, random values, an integrity check.
. "$(dirname "$0")/needs"
case $1 in
setup)
	needs sqlite3
	{
		echo 'pragma synchronous=full; create table t(id integer primary key, v, at);'
		seq 100 | while read -r _; do
			echo "insert into t(v, at) values(hex(randomblob(8)), strftime('%f', 'now'));"
		done
		echo 'select count(*), min(at), max(at) from t;'
		echo 'create index i on t(v); select v from t order by v limit 5;'
		echo 'with recursive c(x) as (values(1) union all select x+1 from c where x<20000)'
		echo 'select sum(x*x) from c; pragma integrity_check;'
	} >script.sql
	;;
main) exec sqlite3 db <script.sql ;;
check) grep -q '^100|' stdout && grep -q '^ok$' stdout ;;
esac
