/* The loop P += V over 10,000 entities, in C's form or C++'s, a hundred times: for cpp_cost.sh, which counts instructions.
 * Usage: cpp_cost nothing|at|runs|each|cpp_runs|batches [apart] */
#include <cstdio>
#include <denizen/denizen.hpp>

struct P {
    float x, y, z;
};
struct V {
    float x, y, z;
};
using movers = denizen::query<P, const V>;

static void at(const movers &q)
{
    dz_iter it;
    for (dz_iterate(q.world(), q, &it); dz_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            P *p = DZ_AT(it, P, 0, i);
            const V *v = DZ_AT(it, const V, 1, i);
            p->x += v->x, p->y += v->y, p->z += v->z;
        }
    }
}

static void runs(const movers &q)
{
    dz_iter it;
    for (dz_iterate_runs(q.world(), q, &it); dz_next(&it);) {
        P *p = DZ_RUN(it, P, 0);
        const V *v = DZ_RUN(it, const V, 1);
        for (uint32_t i = 0; i < it.count; i++) p[i].x += v[i].x, p[i].y += v[i].y, p[i].z += v[i].z;
    }
}

static void each(const movers &q)
{
    q.each([](P &p, const V &v) { p.x += v.x, p.y += v.y, p.z += v.z; });
}

static void cpp_runs(const movers &q)
{
    for (auto &run : q.runs()) {
        P *p = run.data<P>();
        const V *v = run.data<V>();
        for (uint32_t i = 0; i < run.size(); i++) p[i].x += v[i].x, p[i].y += v[i].y, p[i].z += v[i].z;
    }
}

static void batches(const movers &q)
{
    for (auto &batch : q.batches()) {
        for (uint32_t i = 0; i < batch.size(); i++) {
            P &p = batch.get<P>(i);
            const V &v = batch.get<V>(i);
            p.x += v.x, p.y += v.y, p.z += v.z;
        }
    }
}

int main(int argc, char **argv)
{
    const struct {
        const char *name;
        void (*run)(const movers &);
    } forms[] = {{"nothing", [](const movers &) {}}, {"at", at}, {"runs", runs}, {"each", each}, {"cpp_runs", cpp_runs}, {"batches", batches}};
    denizen::world world;
    denizen::entity first;
    for (int i = 0; i < 10000; i++) {
        denizen::entity it = world.create(P{0, 0, 0});
        if (i == 0) first = it;
        if (argc < 3 || i % 2 == 0) it.set(V{1, 1, 1});
    }
    auto q = world.query<P, const V>();
    for (const auto &form : forms) {
        if (argc < 2 || std::strcmp(form.name, argv[1]) != 0) continue;
        for (int i = 0; i < 100; i++) form.run(q);
        float moved = std::strcmp(form.name, "nothing") == 0 ? 0 : 100;
        return !(first.get<P>().x >= moved && first.get<P>().x <= moved);
    }
    return 2;
}
