/* The floor: the loops over plain arrays that hold just the matches. */
#include "bodies.h"

void floor_run(int terms, size_t n, P *p, const V *v, const C *const c[8])
{
    switch (terms) {
    case 1: step(p, n); break;
    case 2: advance(p, v, n); break;
    case 3: advance_by(3, p, v, c[2], c[2], c[2], c[2], c[2], c[2], n); break;
    case 4: advance_by(4, p, v, c[2], c[3], c[2], c[2], c[2], c[2], n); break;
    case 5: advance_by(5, p, v, c[2], c[3], c[4], c[2], c[2], c[2], n); break;
    case 6: advance_by(6, p, v, c[2], c[3], c[4], c[5], c[2], c[2], n); break;
    case 7: advance_by(7, p, v, c[2], c[3], c[4], c[5], c[6], c[2], n); break;
    case 8: advance_by(8, p, v, c[2], c[3], c[4], c[5], c[6], c[7], n); break;
    }
}
