# Either of two copies is enough; who looks before both are there has none.  Both looks are in every run.
# fixed: waits for a copy first
# options: --recursive 2 --races 12
# says: only after another race was turned around
(sleep 0.1; : > one; : > two; sleep 0.6) &
[ -z "$FIXED" ] || until [ -e one ]; do sleep 0.1; done
(
	sleep 0.3
	have=
	[ -e one ] && have=one
	sleep 0.2
	[ -e two ] && have=two
	[ -n "$have" ]
) || exit 1
wait
