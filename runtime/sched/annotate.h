/* Memory whose races the program declares to be meant. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/sched.h"

void DH_HIDDEN dh_benign_add(uintptr_t address, size_t size);
bool DH_HIDDEN dh_benign_has(uintptr_t address);
