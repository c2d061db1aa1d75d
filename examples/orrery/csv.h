/* Reads a small CSV file: comment lines, a header line that names the columns in any order, then rows. Every problem is
 * reported as file:line: what. Fields can't be quoted; spaces around them don't count; LF and CRLF both end a line. */
#ifndef ORRERY_CSV_H
#define ORRERY_CSV_H

#include <stdbool.h>
#include <stdio.h>

enum { CSV_LINE = 1000, CSV_COLUMNS = 32 };

typedef struct {
    const char *path;
    FILE *file;
    int line;                        /* of the row that was read last */
    const char *const *names;        /* the columns that the caller wants, in the caller's order */
    int wanted, present;             /* how many those are, and how many the file has */
    int place[CSV_COLUMNS];          /* where each wanted column is in the file */
    const char *field[CSV_COLUMNS];  /* the row, in the caller's order */
    char text[CSV_LINE + 1];
} Csv;

bool csv_open(Csv *csv, const char *path, const char *const *names, int wanted); /* false: reported, nothing to close */
int csv_row(Csv *csv);                        /* 1: a row, 0: the end, -1: reported */
void csv_close(Csv *csv);

bool csv_empty(const Csv *csv, int column);
/* A number in low..high, both included. */
bool csv_number(const Csv *csv, int column, double low, double high, double *out);
bool csv_error(const Csv *csv, int line, const char *format, ...); /* reports; always false */

#endif
