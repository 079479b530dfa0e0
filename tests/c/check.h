/* What the tests of the C interface count and compare with. Every rank runs them; main() adds the failures up. */
#ifndef WEFT_TESTS_C_CHECK_H
#define WEFT_TESTS_C_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weft.h"

extern int failures, rank, ranks;

/* Notes a condition that does not hold. */
#define CHECK(condition) check((condition) != 0, #condition, __FILE__, __LINE__)
/* A call that has to succeed. */
#define OK(call) check_ok((call), #call, __FILE__, __LINE__)
/* A call that has to fail with this status and a text that holds these words. */
#define FAILS(call, status, words) check_fails((call), (status), (words), #call, __FILE__, __LINE__)
/* |value - wanted| <= bound */
#define NEAR(value, wanted, bound) check_near((value), (wanted), (bound), #value, __FILE__, __LINE__)

void check(int holds, const char* what, const char* file, int line);
void check_ok(int status, const char* what, const char* file, int line);
void check_fails(int status, int wanted, const char* words, const char* what, const char* file, int line);
void check_near(double value, double wanted, double bound, const char* what, const char* file, int line);

/* Zeroed memory for so many elements of a size; at least one, so that it is not NULL. */
void* room_for(int64_t count, size_t size);
/* The largest value on any rank. */
double largest(double value);

void test_plans(void);
void test_fields(void);
void test_moves(void);
void test_solvers(void);
void test_vectors(void);
void test_variable(void);
void test_chebyshev(void);
void test_errors(void);
void test_structs(void);

#endif
