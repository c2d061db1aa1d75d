/* What the languages of row l have in common. */
#ifndef LANGUAGES_H
#define LANGUAGES_H

#include <denizen/denizen.h>

typedef struct {
    dz_world world;
    dz_query query;
    dz_id p;
} languages;

#endif
