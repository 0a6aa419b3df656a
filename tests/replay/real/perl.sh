#!/bin/sh
# Perl: randomised hash order, fork, pipes, alarm, sorting, regular expressions.
. "$(dirname "$0")/needs"
case $1 in
setup)
	needs perl
	cat >script.pl <<'END'
use strict; use warnings; use Time::HiRes qw(time ualarm);
$| = 1;
my %h = map { $_ => int(rand 1000) } 1 .. 30;
print join(",", map { "$_=$h{$_}" } keys %h), "\n";
pipe(my $r, my $w);
for my $i (1 .. 3) {
    if (!fork) { close $r; print $w "child $i $$ ", time, "\n"; exit $i }
}
close $w; print while <$r>;
while ((my $p = wait) > 0) { print "reaped $p with ", $? >> 8, "\n" }
my ($n, $hits) = (0, 0);
$SIG{ALRM} = sub { $hits++; ualarm(2000) };
ualarm(2000);
$n++ while $hits < 20;
ualarm(0); print "counted $n\n";
my $text = join " ", map { chr(97 + rand 26) x 3 } 1 .. 200;
my $k = () = $text =~ /([a-z])\1\1/g;
print "$k matches\n", `date +%N`;
END
	;;
main) exec perl script.pl ;;
check) grep -q '200 matches' stdout ;;
esac
