/* Draws the model as SVG: the planets' orbits from above, and a panel for each planet with moons. */
#ifndef ORRERY_PICTURE_H
#define ORRERY_PICTURE_H

#include "model.h"

bool picture_write(const Model *m, const char *path, double jd);

#endif
