# A worker is told to go on while it prepares itself; told a little later, behind its look at what it was told,
# it sleeps for ever.
# fixed: the signal stays blocked but in sigsuspend
# needs: perl
# says: signals while .* is in pselect6
# mend: wait for it with sigsuspend
cat > worker.pl <<'END'
use POSIX;
sub small_sleep { select(undef, undef, undef, $_[0]) }
my $told;
my $others = POSIX::SigSet->new;
$SIG{USR1} = sub { $told = 1 };
sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGUSR1), $others) if $ENV{FIXED};
my $worker = fork // die;
if (!$worker) {
	small_sleep(0.4);
	until ($told) {
		$ENV{FIXED} ? sigsuspend($others) : pause();
	}
	_exit(0);
}
small_sleep(0.15);
kill USR1 => $worker;
waitpid($worker, 0);
END
perl worker.pl
