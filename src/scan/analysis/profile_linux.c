#include "scan/analysis/profiles.h"

const char dh_scan_profile_linux[] = "trait no-main\n";
