/* The code of the landing area as runtime/husk links it: what a recorder writes into programs. */
#pragma once
#include "base/forward.h"

extern const uint8_t dh_husk_code[];
extern const size_t dh_husk_code_size;
