# A parent looks whether its child has ended, and sleeps until it is told: told in between, it sleeps for ever.
# fixed: the signal stays blocked but in sigsuspend
# needs: perl
# says: ends while .* is in pause
# mend: block SIGCHLD with sigprocmask before the fork
cat > parent.pl <<'END'
use POSIX;
use Time::HiRes "sleep";
my $ended;
my $others = POSIX::SigSet->new;
$SIG{CHLD} = sub { $ended = 1 };
sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGCHLD), $others) if $ENV{FIXED};
my $child = fork // die;
if (!$child) {
	sleep(0.3);
	_exit(0);
}
until ($ended) {
	$ENV{FIXED} ? sigsuspend($others) : pause();
}
waitpid($child, 0);
END
perl parent.pl
