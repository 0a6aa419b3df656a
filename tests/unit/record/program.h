#pragma once
/* Runs in dir, which test_calls.c has prepared; the exit status. */
int program(const char *dir);
