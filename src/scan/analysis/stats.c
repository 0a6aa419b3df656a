#include "scan/analysis/stats.h"

#include <math.h>

double dh_scan_z(double s, double n, double p0)
{
	return n > 0 ? (s / n - p0) / sqrt(p0 * (1 - p0) / n) : 0;
}

static double below(double z)
{
	return 0.5 * erfc(-z / sqrt(2));
}

static double bounded(double p)
{
	return p < 0.001 ? 0.001 : p > 0.999 ? 0.999 : p;
}

double dh_scan_p_low(double s, double n, double p)
{
	p = bounded(p);
	return n > 0 ? below((s + 0.5 - n * p) / sqrt(n * p * (1 - p))) : 1;
}

double dh_scan_p_high(double s, double n, double p)
{
	p = bounded(p);
	return n > 0 ? below((n * p - s + 0.5) / sqrt(n * p * (1 - p))) : 1;
}
