#!/bin/sh
# A JVM, the other hard case: compiler and collector threads, safepoints by page faults.
. "$(dirname "$0")/needs"
case $1 in
setup)
	needs java javac
	cat >Main.java <<'END'
import java.util.*;
import java.util.concurrent.*;
public class Main {
	static int counter;
	public static void main(String[] a) throws Exception {
		System.out.println(System.nanoTime() + " " + new Random().nextInt() + " " + ProcessHandle.current().pid());
		ExecutorService e = Executors.newFixedThreadPool(4);
		List<Future<Long>> fs = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			final int n = i;
			fs.add(e.submit(() -> { long s = 0; for (int k = 0; k < 2000000; k++) { s += k ^ n; counter++; } return s; }));
		}
		for (Future<Long> f : fs) System.out.println(f.get());
		e.shutdown();
		System.out.println("unsynchronised " + counter);
		Map<Object, Integer> m = new HashMap<>();
		for (int i = 0; i < 20; i++) m.put(new Object(), i);
		System.out.println(m.values());
	}
}
END
	javac Main.java
	;;
main) exec java -Xshare:auto -Xmx128m -cp . Main ;;
check) grep -q '^unsynchronised' stdout ;;
esac
