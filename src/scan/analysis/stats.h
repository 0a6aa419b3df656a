/* The two statistics of RacerX: the z test for proportions, and the chance of a ratio. */
#pragma once

/* z = (s/n - p0) / sqrt(p0 (1 - p0) / n); 0 when n is 0 (section 8.4). */
double dh_scan_z(double s, double n, double p0);
/* How likely a ratio at most as large as s/n is when the true one is p: one-sided, normal
 * approximation with continuity correction (section 5.1).  1 when n is 0. */
double dh_scan_p_low(double s, double n, double p);
/* ... at least as large. */
double dh_scan_p_high(double s, double n, double p);
