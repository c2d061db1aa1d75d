/* Draws what the stars look like from one side: the light of all is added up, glows, and is brought to what a screen can show. */
#ifndef GALAXIES_PICTURE_H
#define GALAXIES_PICTURE_H

#include "sim.h"

enum { SIDE_LEAST = 64, SIDE_MOST = 8192, DRAWERS_MOST = 8 };

typedef struct { float light[3], dust; } Pixel;

typedef struct {
    uint32_t width, height;
    int threads;                    /* that add up light: each needs a picture of its own */
    uint32_t *sums[DRAWERS_MOST];   /* four for each pixel: red, green, blue, dust */
    Pixel *pixels, *small, *other;  /* small: a quarter as wide and as high, to blur */
    uint8_t *bytes;                 /* the result: 8-bit RGB */
} Picture;

/* These report on stderr what went wrong, and return false. A picture is always to be closed, even after a failure. */
bool picture_open(Picture *p, uint32_t width, uint32_t height, int threads);
bool picture_draw(Picture *p, const Sim *s);
void picture_close(Picture *p);

#endif
