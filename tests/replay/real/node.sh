#!/bin/sh
# node, a hard case: just-in-time code, many threads, timers, a worker, a server and its client.
. "$(dirname "$0")/needs"
case $1 in
setup)
	needs node
	cat >script.js <<'END'
const { Worker, isMainThread, parentPort } = require("worker_threads");
const http = require("http"), fs = require("fs"), crypto = require("crypto");
if (!isMainThread) {
	let n = 0;
	for (let i = 0; i < 3e6; i++) n = (n * 31 + i) | 0;
	parentPort.postMessage(n);
} else {
	console.log(process.pid, Date.now(), Math.random(), crypto.randomUUID());
	new Worker(__filename).on("message", (n) => console.log("worker", n));
	let ticks = 0;
	const t = setInterval(() => { console.log("tick", process.hrtime.bigint()); if (++ticks == 5) clearInterval(t); }, 3);
	fs.readFile(__filename, (e, d) => console.log("read", d.length));
	const s = http.createServer((q, r) => r.end("hello " + q.url)).listen(0, "127.0.0.1", () => {
		http.get({ port: s.address().port, host: "127.0.0.1", path: "/x" }, (r) => {
			r.on("data", (d) => console.log(String(d), s.address().port));
			r.on("end", () => s.close());
		});
	});
}
END
	;;
main) exec node script.js ;;
check) grep -q 'hello /x' stdout && grep -q '^worker' stdout ;;
esac
