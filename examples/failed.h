/* How the examples say on stderr that the library failed, or their output did. PROGRAM, the example's name, is defined before. */
#ifndef EXAMPLES_FAILED_H
#define EXAMPLES_FAILED_H

#include <denizen/denizen.h>
#include <stdio.h>

/* "program: doing: what the library says"; always false. */
static inline bool library_failed(const char *doing)
{
    fflush(stdout);
    fprintf(stderr, PROGRAM ": %s: %s\n", doing, dz_error_message());
    return false;
}

/* Whether all that was printed is written; says so if not: a full disk, a closed pipe. */
static inline bool output_written(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return true;
    perror(PROGRAM ": cannot write the output");
    return false;
}

/* After the last batch: whether the iteration saw all there is. Reports why not. */
static inline bool iterated(const dz_iter *it, const char *doing)
{
    return !dz_failed(it->status) || library_failed(doing);
}

#endif
