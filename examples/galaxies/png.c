/* The formats: PNG (ISO/IEC 15948) holds chunks, one of which is a zlib stream (RFC 1950), which holds deflate's blocks
 * (RFC 1951), which may be "stored": their bytes as they are. */
#include "png.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { STORED_MOST = 65535, ADLER_BASE = 65521, ADLER_RUN = 5552 /* so many bytes before a sum can overflow */ };

typedef struct {
    FILE *file;
    uint32_t table[256];
    uint32_t crc;          /* of the chunk so far */
    uint32_t low, high;    /* Adler-32 of the image so far */
    uint64_t left;         /* bytes of the image to come */
    uint32_t block;        /* ... and of the stored block */
} Png;

static void put(Png *p, const uint8_t *bytes, size_t count)
{
    uint32_t crc = p->crc;
    for (size_t k = 0; k < count; k++) crc = p->table[(crc ^ bytes[k]) & 255] ^ crc >> 8;
    p->crc = crc;
    fwrite(bytes, 1, count, p->file); /* ferror tells, at the end */
}

static void put_u32(Png *p, uint32_t value)
{
    const uint8_t bytes[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value};
    put(p, bytes, 4);
}

static void chunk_begin(Png *p, const char *type, uint32_t size)
{
    put_u32(p, size);
    p->crc = 0xffffffff;
    put(p, (const uint8_t *)type, 4);
}

static void chunk_end(Png *p)
{
    put_u32(p, ~p->crc);
}

/* Bytes of the image: into stored blocks, as many as it takes. */
static void put_image(Png *p, const uint8_t *bytes, size_t count)
{
    for (size_t k = 0; k < count;) {
        size_t stop = count - k < ADLER_RUN ? count : k + ADLER_RUN;
        for (; k < stop; k++) {
            p->low += bytes[k];
            p->high += p->low;
        }
        p->low %= ADLER_BASE;
        p->high %= ADLER_BASE;
    }
    while (count > 0) {
        size_t n;
        if (p->block == 0) {
            uint32_t size = p->left < STORED_MOST ? (uint32_t)p->left : STORED_MOST;
            const uint8_t head[5] = {size == p->left, (uint8_t)size, (uint8_t)(size >> 8), (uint8_t)~size,
                                     (uint8_t)(~size >> 8)};
            put(p, head, 5);
            p->block = size;
        }
        n = count < p->block ? count : p->block;
        put(p, bytes, n);
        bytes += n;
        count -= n;
        p->block -= (uint32_t)n;
        p->left -= n;
    }
}

bool png_write(const char *path, const uint8_t *pixels, uint32_t width, uint32_t height)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const uint8_t form[5] = {8, 2, 0, 0, 0};           /* 8 bits, RGB, and no choice in the rest */
    static const uint8_t zlib[2] = {0x78, 0x01}, no_filter = 0;
    size_t row = (size_t)width * 3;
    Png p;
    bool full;
    memset(&p, 0, sizeof p);
    p.low = 1;
    p.left = (uint64_t)(row + 1) * height;
    for (uint32_t k = 0; k < 256; k++) {
        p.table[k] = k;
        for (int bit = 0; bit < 8; bit++) p.table[k] = p.table[k] >> 1 ^ (p.table[k] & 1 ? 0xedb88320u : 0);
    }
    p.file = fopen(path, "wb");
    if (p.file == NULL) {
        fprintf(stderr, "galaxies: %s: cannot write: %s\n", path, strerror(errno));
        return false;
    }
    put(&p, signature, sizeof signature);
    chunk_begin(&p, "IHDR", 13);
    put_u32(&p, width);
    put_u32(&p, height);
    put(&p, form, sizeof form);
    chunk_end(&p);
    chunk_begin(&p, "IDAT", (uint32_t)(2 + p.left + 5 * ((p.left + STORED_MOST - 1) / STORED_MOST) + 4));
    put(&p, zlib, sizeof zlib);
    for (uint32_t y = 0; y < height; y++) {
        put_image(&p, &no_filter, 1);
        put_image(&p, pixels + row * y, row);
    }
    put_u32(&p, p.high << 16 | p.low);
    chunk_end(&p);
    chunk_begin(&p, "IEND", 0);
    chunk_end(&p);
    full = ferror(p.file) != 0;
    if (fclose(p.file) != 0 || full) { /* a full disk often only shows here */
        fprintf(stderr, "galaxies: %s: cannot write: %s\n", path, strerror(errno));
        return false;
    }
    return true;
}
