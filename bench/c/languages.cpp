/* Row l in C++: the loop, as denizen.hpp has it. */
#include <denizen/denizen.hpp>

struct P {
    float x, y, z;
};
struct V {
    float x, y, z;
};
using movers = denizen::query<P, const V>;

extern "C" {

/* A program keeps its query; so does the bench. */
movers *cpp_begin(dz_world world)
{
    return new movers(denizen::world_view(world).query<P, const V>());
}

void cpp_end(movers *query)
{
    delete query;
}

bool cpp_each(const movers *query)
{
    query->each([](P &p, const V &v) {
        p.x += v.x;
        p.y += v.y;
        p.z += v.z;
    });
    return true;
}

bool cpp_runs(const movers *query)
{
    for (auto &run : query->runs()) {
        P *p = run.data<P>();
        const V *v = run.data<V>();
        for (uint32_t i = 0, n = run.size(); i < n; i++) {
            p[i].x += v[i].x;
            p[i].y += v[i].y;
            p[i].z += v[i].z;
        }
    }
    return true;
}
}
