# A worker is told to reload by a signal; before its handler is set the signal kills it.
# fixed: the sender waits until the worker says that it is ready
# needs: bash
# says: signals it
cat > worker.sh <<'END'
trap 'echo reloaded > state' HUP
echo ready > ready
n=0
while [ ! -s state ] && [ $n -lt 20 ]; do sleep 0.05; n=$((n + 1)); done
[ -s state ]
END
bash worker.sh &
worker=$!
if [ -n "$FIXED" ]; then until [ -s ready ]; do sleep 0.05; done; else sleep 0.4; fi
kill -HUP $worker
wait $worker
