# A store that is not there, and wrong usage.
$ deadheat report
! deadheat: error: there is no findings store at .deadheat/findings.db: check the name, or run a detector first (deadheat --help)
? 3
$ deadheat report --db none.db merge
! deadheat: error: merge what? (deadheat report --help)
? 2
$ deadheat report lost
! deadheat: error: unknown verb 'lost'; did you mean 'list'? (deadheat report --help)
? 2
$ deadheat report lits
! deadheat: error: unknown verb 'lits'; did you mean 'list'? (deadheat report --help)
? 2
$ deadheat report list two
! deadheat: error: list takes no operand, but 'two' is one (deadheat report --help)
? 2
$ deadheat report --kind data-rice
! deadheat: error: unknown kind 'data-rice'; did you mean 'data-race'? (deadheat report --help)
? 2
$ deadheat report --level harmfull+
! deadheat: error: unknown level 'harmfull'; did you mean 'harmful'? (deadheat report --help)
? 2
$ deadheat report --fail-on benign
! deadheat: error: --fail-on: unknown value 'benign'; did you mean 'predicted'?
? 2
$ deadheat report --formt json
! deadheat: error: unknown option '--formt'; did you mean '--format'? (deadheat report --help)
? 2

# Findings come in as JSON.
$ deadheat report --import $SOURCE/tests/cli/report/bank.json
! deadheat: .deadheat/findings.db: 3 findings imported, 3 of them new
$ deadheat report --import $SOURCE/tests/cli/report/bank.json
! deadheat: .deadheat/findings.db: 3 findings imported, 0 of them new

# The list, in order of rank.
$ deadheat report
   1  harmful    data-race  7a55f47a0585
      data race on balance between deposit and withdraw
      src/bank.c:12:9 / src/bank.c:25:9
      because written in 2 threads; no lock held in withdraw
|
   2  predicted  deadlock  8728cd4979fc
      deadlock of a and b between transfer and audit
      thread 1 waits for a lock at src/transfer.c:8 in transfer, holding a
      thread 2 waits for a lock at src/audit.c:19 in audit, holding b
      because both orders are taken
|
   3  benign     data-race  f93f9014bd8a
      data race on hits between count and count
      src/stats.c:3 / src/stats.c:3
|
3 findings: 1 harmful, 1 predicted, 1 benign
? 1
$ deadheat report list --limit 1
   1  harmful    data-race  7a55f47a0585
      data race on balance between deposit and withdraw
      src/bank.c:12:9 / src/bank.c:25:9
      because written in 2 threads; no lock held in withdraw
|
1 finding: 1 harmful
! deadheat: 1 of 3 findings; --limit 0 lists all of them
? 1
$ deadheat report --format gcc
src/bank.c:12:9: warning: data race on balance between deposit and withdraw (harmful, 7a55f47a0585) [data-race]
src/bank.c:12:9: note: first: update of 4 bytes by thread 1 (teller) in deposit, holding m
src/bank.c:25:9: note: second: read of 4 bytes by thread 2 (customer) in withdraw
src/bank.c:12:9: note: reproduce with: deadheat fuzz --replay balance --seed 17 -- ./bank
src/transfer.c:8:1: warning: deadlock of a and b between transfer and audit (predicted, 8728cd4979fc) [deadlock]
src/transfer.c:8:1: note: wants by thread 1 in transfer, holding a
src/audit.c:19:1: note: wants by thread 2 in audit, holding b
src/stats.c:3:1: warning: data race on hits between count and count (benign, f93f9014bd8a) [data-race]
src/stats.c:3:1: note: first: update of 8 bytes in count
src/stats.c:3:1: note: second: update of 8 bytes in count
src/stats.c:3:1: note: reproduce with: deadheat fuzz --replay hits --seed 3 -- ./bank
? 1
$ deadheat report --kind deadlock,signal-race --format gcc
src/transfer.c:8:1: warning: deadlock of a and b between transfer and audit (predicted, 8728cd4979fc) [deadlock]
src/transfer.c:8:1: note: wants by thread 1 in transfer, holding a
src/audit.c:19:1: note: wants by thread 2 in audit, holding b
? 1
$ deadheat report --level confirmed+ --format gcc
src/bank.c:12:9: warning: data race on balance between deposit and withdraw (harmful, 7a55f47a0585) [data-race]
src/bank.c:12:9: note: first: update of 4 bytes by thread 1 (teller) in deposit, holding m
src/bank.c:25:9: note: second: read of 4 bytes by thread 2 (customer) in withdraw
src/bank.c:12:9: note: reproduce with: deadheat fuzz --replay balance --seed 17 -- ./bank
? 1
$ deadheat report --level benign --format gcc
src/stats.c:3:1: warning: data race on hits between count and count (benign, f93f9014bd8a) [data-race]
src/stats.c:3:1: note: first: update of 8 bytes in count
src/stats.c:3:1: note: second: update of 8 bytes in count
src/stats.c:3:1: note: reproduce with: deadheat fuzz --replay hits --seed 3 -- ./bank
$ deadheat report --file stats.c --format gcc
src/stats.c:3:1: warning: data race on hits between count and count (benign, f93f9014bd8a) [data-race]
src/stats.c:3:1: note: first: update of 8 bytes in count
src/stats.c:3:1: note: second: update of 8 bytes in count
src/stats.c:3:1: note: reproduce with: deadheat fuzz --replay hits --seed 3 -- ./bank
$ deadheat report --file 'src/a*' --format gcc
src/transfer.c:8:1: warning: deadlock of a and b between transfer and audit (predicted, 8728cd4979fc) [deadlock]
src/transfer.c:8:1: note: wants by thread 1 in transfer, holding a
src/audit.c:19:1: note: wants by thread 2 in audit, holding b
? 1
$ deadheat report --origin scan --format gcc
src/bank.c:12:9: warning: data race on balance between deposit and withdraw (harmful, 7a55f47a0585) [data-race]
src/bank.c:12:9: note: first: update of 4 bytes by thread 1 (teller) in deposit, holding m
src/bank.c:25:9: note: second: read of 4 bytes by thread 2 (customer) in withdraw
src/bank.c:12:9: note: reproduce with: deadheat fuzz --replay balance --seed 17 -- ./bank
src/transfer.c:8:1: warning: deadlock of a and b between transfer and audit (predicted, 8728cd4979fc) [deadlock]
src/transfer.c:8:1: note: wants by thread 1 in transfer, holding a
src/audit.c:19:1: note: wants by thread 2 in audit, holding b
? 1
$ deadheat report --origin sample --format gcc
$ deadheat report --fail-on explained --format gcc >out; echo $?
0
$ deadheat report --fail-on none --format gcc >out; echo $?
0
$ deadheat report --format json -o out.json; python3 -c "import json; d = json.load(open('out.json')); print(d['schema'], [f['id'] for f in d['findings']])"
deadheat-findings/1 ['7a55f47a0585', '8728cd4979fc', 'f93f9014bd8a']

# One finding in full; ids may be cut short.
$ deadheat report show $(deadheat report --format json | sed -n 's/.*"id": "\(.....\).*/\1/p' | head -1)
Data race 7a55f47a0585: harmful (one of the orders breaks the program)
data race on balance between deposit and withdraw
rank 1, score 7.5, from scan, fuzz
|
variable     balance
failure      assertion (exit status 134): balance >= 0
|
first: update of 4 bytes by thread 1 (teller)
at src/bank.c:12:9 in deposit
locks held: m
value changed: 100 -> 150
   (source cannot be read: No such file or directory)
stack
  #0 deposit src/bank.c:12 (bank+0x1234)
  #1 teller src/bank.c:40 (bank+0x12c0)
created at
  #0 main src/bank.c:60 (bank+0x1388)
|
second: read of 4 bytes by thread 2 (customer)
at src/bank.c:25:9 in withdraw
locks held: none
runs between the two halves of first
   (source cannot be read: No such file or directory)
stack
  #0 withdraw src/bank.c:25 (bank+0x125c)
|
The order that fails
      thread 1 (teller)                    thread 2 (customer)
   1  lock m  src/bank.c:11
   2  * update 4 balance  src/bank.c:12
   3                                       * read 4 balance  src/bank.c:25
   4                                       assertion failed  src/bank.c:26
|
Why it ranks here
  - written in 2 threads
  - no lock held in withdraw
|
Evidence
  predicted by scan on DATE
  harmful   by fuzz on DATE: 97 of 100 tries, seeds 100
            deadheat fuzz --replay balance --seed 17 -- ./bank
|
Reproduce
  deadheat fuzz --replay balance --seed 17 -- ./bank
|
what to do   Guard every access to the variable with the same lock, or make the
             accesses atomic, or order the threads (join, condition, barrier)
             before the second access.
fingerprint  7a55f47a05852ac1ed04322b1bd9e26d
|
$ deadheat report show 0000
! deadheat: error: .deadheat/findings.db: no finding whose id begins with 0000
? 3
$ deadheat report show bank
! deadheat: error: 'bank' is not an id: give the first digits (at least 4) of one that 'deadheat report' lists
? 2

# What is written can be read again, by another store too, and then says the same.
$ deadheat report --db copy.db --import out.json; deadheat report --db copy.db --format json >again.json; cmp out.json again.json
! deadheat: copy.db: 3 findings imported, 3 of them new

# Merging: twice is once, and a store of its own.
$ deadheat report merge copy.db copy.db
! deadheat: .deadheat/findings.db: read 6 findings from 2 stores, 0 of them new
$ deadheat report --db sum.db merge copy.db .deadheat/findings.db
! deadheat: sum.db: read 6 findings from 2 stores, 3 of them new
$ deadheat report --db sum.db merge copy.db none.db
! deadheat: error: there is no findings store at none.db: check the name, or run a detector first (deadheat --help)
? 3
$ deadheat report --db sum.db --format json --fail-on none | cmp - out.json

# Only what is new.
$ deadheat report --since copy.db --format gcc
$ deadheat report --db sum.db --since none.db
! deadheat: error: there is no findings store at none.db: check the name, or run a detector first (deadheat --help)
? 3

# Suppressions by hand.
$ deadheat report --suppress 00000000
! deadheat: error: .deadheat/findings.db: no finding whose id begins with 00000000
? 3
$ deadheat report --suppress $(sed -n 's/.*"id": "\(........\).*/\1/p' out.json | head -1) --reason known
! deadheat: 7a55f47a0585 is suppressed (--unsuppress shows it again)
$ deadheat report --format gcc
src/transfer.c:8:1: warning: deadlock of a and b between transfer and audit (predicted, 8728cd4979fc) [deadlock]
src/transfer.c:8:1: note: wants by thread 1 in transfer, holding a
src/audit.c:19:1: note: wants by thread 2 in audit, holding b
src/stats.c:3:1: warning: data race on hits between count and count (benign, f93f9014bd8a) [data-race]
src/stats.c:3:1: note: first: update of 8 bytes in count
src/stats.c:3:1: note: second: update of 8 bytes in count
src/stats.c:3:1: note: reproduce with: deadheat fuzz --replay hits --seed 3 -- ./bank
? 1
$ deadheat report --suppressed --format gcc --fail-on harmful
src/bank.c:12:9: warning: data race on balance between deposit and withdraw (harmful, 7a55f47a0585) [data-race]
src/bank.c:12:9: note: first: update of 4 bytes by thread 1 (teller) in deposit, holding m
src/bank.c:25:9: note: second: read of 4 bytes by thread 2 (customer) in withdraw
src/bank.c:12:9: note: reproduce with: deadheat fuzz --replay balance --seed 17 -- ./bank
src/transfer.c:8:1: warning: deadlock of a and b between transfer and audit (predicted, 8728cd4979fc) [deadlock]
src/transfer.c:8:1: note: wants by thread 1 in transfer, holding a
src/audit.c:19:1: note: wants by thread 2 in audit, holding b
src/stats.c:3:1: warning: data race on hits between count and count (benign, f93f9014bd8a) [data-race]
src/stats.c:3:1: note: first: update of 8 bytes in count
src/stats.c:3:1: note: second: update of 8 bytes in count
src/stats.c:3:1: note: reproduce with: deadheat fuzz --replay hits --seed 3 -- ./bank
$ deadheat report --unsuppress $(sed -n 's/.*"id": "\(........\).*/\1/p' out.json | head -1)
! deadheat: 7a55f47a0585 is shown again
$ deadheat report --format gcc | wc -l
11

# Suppressions from a file, with unused lines.
$ printf '# ours\nrace:^withdraw$\nrace:nobody\ndeadlock:aud*.c\nthread:x\n' >tsan.supp; deadheat report --suppressions tsan.supp --format gcc
src/stats.c:3:1: warning: data race on hits between count and count (benign, f93f9014bd8a) [data-race]
src/stats.c:3:1: note: first: update of 8 bytes in count
src/stats.c:3:1: note: second: update of 8 bytes in count
src/stats.c:3:1: note: reproduce with: deadheat fuzz --replay hits --seed 3 -- ./bank
! deadheat: tsan.supp:3: unused suppression: race:nobody
! deadheat: tsan.supp:5: unused suppression: thread:x
! deadheat: suppressed by these files: 2 (--suppressed lists them)
$ deadheat report --suppressions tsan.supp --kind deadlock --suppressed --format gcc
src/transfer.c:8:1: warning: deadlock of a and b between transfer and audit (predicted, 8728cd4979fc) [deadlock]
src/transfer.c:8:1: note: wants by thread 1 in transfer, holding a
src/audit.c:19:1: note: wants by thread 2 in audit, holding b
! deadheat: tsan.supp:3: unused suppression: race:nobody
! deadheat: tsan.supp:5: unused suppression: thread:x
$ echo 'rase:x' >bad.supp; deadheat report --suppressions bad.supp
! deadheat: error: bad.supp:1: 'rase:x' is not a suppression: write TYPE:PATTERN, with race, race_top, mutex, thread, signal, deadlock, called_from_lib or a kind of finding as the type
? 3
$ deadheat report --suppressions none.supp
! deadheat: error: none.supp: No such file or directory
? 3

# Bad input.
$ echo '{"schema": "deadheat-findings/1", "findings": [{"kind": "data-race", "sites": [{"line": "x"}]}]}' >bad.json; deadheat report --import bad.json
! deadheat: error: bad.json: finding 0: site 0: "line" is not a number in its range
? 3
$ echo '{"schema": "deadheat-findings/9", "findings": []}' >newer.json; deadheat report --import newer.json
! deadheat: error: newer.json: "schema" is "deadheat-findings/9", but this deadheat reads "deadheat-findings/1": update it
? 3
$ echo hello >text.json; deadheat report --import text.json
! deadheat: error: text.json: line 1: not JSON: '[' or '{' expected near 'hello'
? 3
$ echo hello >text.db; deadheat report --db text.db
! deadheat: error: text.db is damaged or not a findings store (file is not a database): move it away, or save what is left with 'sqlite3 FILE .recover'
? 3
$ head -c 6000 copy.db >cut.db; deadheat report --db cut.db
! deadheat: error: cut.db is damaged or not a findings store (database disk image is malformed): move it away, or save what is left with 'sqlite3 FILE .recover'
? 3
$ deadheat report --db /proc/none/findings.db --import $SOURCE/tests/cli/report/bank.json
! deadheat: error: cannot make the findings store /proc/none/findings.db: /proc/none: No such file or directory
? 3
$ deadheat report -o /nowhere/out.txt
! deadheat: error: /nowhere/out.txt: No such file or directory
? 3

# The environment names the store, the option wins.
$ DEADHEAT_DB=copy.db deadheat report --format gcc --limit 1
src/bank.c:12:9: warning: data race on balance between deposit and withdraw (harmful, 7a55f47a0585) [data-race]
src/bank.c:12:9: note: first: update of 4 bytes by thread 1 (teller) in deposit, holding m
src/bank.c:25:9: note: second: read of 4 bytes by thread 2 (customer) in withdraw
src/bank.c:12:9: note: reproduce with: deadheat fuzz --replay balance --seed 17 -- ./bank
! deadheat: 1 of 3 findings; --limit 0 lists all of them
? 1
$ DEADHEAT_DB=none.db deadheat report --db copy.db --format gcc --limit 1
src/bank.c:12:9: warning: data race on balance between deposit and withdraw (harmful, 7a55f47a0585) [data-race]
src/bank.c:12:9: note: first: update of 4 bytes by thread 1 (teller) in deposit, holding m
src/bank.c:25:9: note: second: read of 4 bytes by thread 2 (customer) in withdraw
src/bank.c:12:9: note: reproduce with: deadheat fuzz --replay balance --seed 17 -- ./bank
! deadheat: 1 of 3 findings; --limit 0 lists all of them
? 1
