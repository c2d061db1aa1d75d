#include "csv.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool csv_error(const Csv *csv, int line, const char *format, ...)
{
    va_list arguments;
    fflush(stdout); /* so that the two streams don't mix within a line */
    fprintf(stderr, "%s:%d: ", csv->path, line);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return false;
}

/* One line without its end. 1: read, 0: end of file, -1: reported. */
static int read_line(Csv *csv)
{
    int c, length = 0;
    while ((c = getc(csv->file)) != EOF && c != '\n') {
        if (c == '\0') return csv_error(csv, csv->line + 1, "a zero byte: not a text file") - 1;
        if (length == CSV_LINE) return csv_error(csv, csv->line + 1, "the line is longer than %d characters", CSV_LINE) - 1;
        csv->text[length++] = (char)c;
    }
    if (ferror(csv->file)) return csv_error(csv, csv->line + 1, "cannot read: %s", strerror(errno)) - 1;
    if (c == EOF && length == 0) return 0;
    csv->line++;
    if (length > 0 && csv->text[length - 1] == '\r') length--;
    csv->text[length] = '\0';
    return 1;
}

/* The next line that is neither empty nor a comment, cut into fields. Returns as read_line; at most `most` fields are kept,
 * all are counted. */
static int read_fields(Csv *csv, char *fields[], int most, int *count)
{
    char *p = csv->text;
    int got;
    do {
        got = read_line(csv);
        if (got <= 0) return got;
        if (csv->line == 1 && strncmp(csv->text, "\xEF\xBB\xBF", 3) == 0) { /* a byte order mark */
            memmove(csv->text, csv->text + 3, strlen(csv->text) - 2);
        }
    } while (csv->text[strspn(csv->text, " \t")] == '\0' || csv->text[0] == '#');
    for (*count = 0;; (*count)++) {
        char *end = p + strcspn(p, ","), *last = end, stop = *end;
        while (*p == ' ' || *p == '\t') p++;
        while (last > p && (last[-1] == ' ' || last[-1] == '\t')) last--;
        *last = '\0';
        if (*count < most) fields[*count] = p;
        if (stop == '\0') break;
        p = end + 1;
    }
    (*count)++;
    return 1;
}

bool csv_open(Csv *csv, const char *path, const char *const *names, int wanted)
{
    char *fields[CSV_COLUMNS];
    int got;
    memset(csv, 0, sizeof *csv);
    csv->path = path;
    csv->names = names;
    csv->wanted = wanted;
    csv->file = fopen(path, "rb");
    if (csv->file == NULL) {
        fprintf(stderr, "%s: cannot open: %s\n", path, strerror(errno));
        return false;
    }
    got = read_fields(csv, fields, CSV_COLUMNS, &csv->present);
    if (got == 0) csv_error(csv, csv->line + 1, "the file is empty: a header line that names the columns is missing");
    if (got == 1 && csv->present > CSV_COLUMNS) {
        got = csv_error(csv, csv->line, "%d columns, and at most %d are allowed", csv->present, CSV_COLUMNS);
    }
    for (int k = 0; got == 1 && k < wanted; k++) {
        int hits = 0;
        for (int at = 0; at < csv->present; at++) {
            if (strcmp(fields[at], names[k]) != 0) continue;
            csv->place[k] = at;
            hits++;
        }
        if (hits != 1) {
            got = csv_error(csv, csv->line, "the header %s the column \"%s\"", hits == 0 ? "lacks" : "repeats", names[k]);
        }
    }
    if (got != 1) csv_close(csv);
    return got == 1;
}

int csv_row(Csv *csv)
{
    char *fields[CSV_COLUMNS];
    int count, got = read_fields(csv, fields, CSV_COLUMNS, &count);
    if (got <= 0) return got;
    if (count != csv->present) {
        csv_error(csv, csv->line, "%d fields, but the header names %d columns", count, csv->present);
        return -1;
    }
    for (int k = 0; k < csv->wanted; k++) csv->field[k] = fields[csv->place[k]];
    return 1;
}

void csv_close(Csv *csv)
{
    if (csv->file != NULL) fclose(csv->file);
    csv->file = NULL;
}

bool csv_empty(const Csv *csv, int column)
{
    return csv->field[column][0] == '\0';
}

bool csv_number(const Csv *csv, int column, double low, double high, double *out)
{
    const char *text = csv->field[column], *name = csv->names[column];
    char *end = NULL;
    double value;
    if (text[0] == '\0') return csv_error(csv, csv->line, "%s is missing", name);
    value = strtod(text, &end);
    /* strtod also takes hexadecimal, "inf" and "nan", which no table means. */
    if (*end != '\0' || text[strspn(text, "+-.0123456789eE")] != '\0' || !isfinite(value)) {
        return csv_error(csv, csv->line, "%s is \"%s\", which is not a number", name, text);
    }
    if (value < low || value > high) {
        return csv_error(csv, csv->line, "%s is %s, which is outside %g to %g", name, text, low, high);
    }
    *out = value;
    return true;
}
