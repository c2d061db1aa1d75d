/* Writes PNG files: 8-bit RGB, not compressed, so that it needs no library. */
#ifndef GALAXIES_PNG_H
#define GALAXIES_PNG_H

#include <stdbool.h>
#include <stdint.h>

/* `pixels` holds width * height * 3 bytes. Says on stderr what went wrong, and returns false. */
bool png_write(const char *path, const uint8_t *pixels, uint32_t width, uint32_t height);

#endif
