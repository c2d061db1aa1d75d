/* Queries: made of text and of types, in loops, counted, and changed under way. */
#include "conformance.hpp"

template <class Query> static void list(const char *what, const Query &query)
{
    std::printf("%s:", what);
    query.each([](const Position &p) { std::printf(" %d", p.x); });
    std::printf(" (%u)\n", query.count());
}

static void asking()
{
    denizen::world w = new_world();
    w.id<Position>(), w.id<Velocity>(), w.id<Mass>(), w.id<Red>(), w.id<Blue>();
    entity e[12];
    for (int i = 0; i < 12; i++) {
        e[i] = w.create(Position{i + 1, 0});
        if (i % 2 == 0) e[i].set(Velocity{i, 1});
        if (i % 3 == 0) e[i].set(Mass{i * 10});
        if (i % 4 == 1) e[i].add<Red>();
        if (i % 5 == 2) e[i].add<Blue>();
    }
    auto movers = w.query<Position, const Velocity>("Position, [in] Velocity");
    list("Position, [in] Velocity", movers);
    auto heavy = w.query<Position, const Mass *, denizen::without<Velocity>>();
    std::printf("Position, ?Mass, !Velocity:");
    for (auto [it, p, m] : heavy) std::printf(" %d/%d", p.x, m ? m->kg : -1);
    std::printf("\n");
    auto coloured = w.query("Position, Red || Blue");
    list("Position, Red || Blue", coloured);
    auto made = w.query<Position, const Velocity, denizen::without<Mass>>();
    list("from terms", made);
    made.each([](Position &p, const Velocity &v) { p.y += v.y; });
    int sum = 0;
    for (entity it : e) sum += it.get<Position>().y;
    std::printf("moved: %d\n", sum);

    sum = 0;
    for (auto &run : movers.runs())
        for (uint32_t i = 0; i < run.size(); i++) sum += run.data<Position>()[i].x;
    std::printf("sum by runs: %d\n", sum);
    uint32_t parts = 0;
    for (uint32_t part = 0; part < 3; part++)
        for (auto &batch : movers.part(part, 3)) parts += batch.size();
    std::printf("matches in three parts: %u\n", parts);
    std::printf("first: %d\n", number(movers.first()));
    yes("the second matches", movers.matches(e[1]));
    yes("the third matches", movers.matches(e[2]));
    yes("is empty", movers.empty());
    refused("the single mover", [&] { movers.single(); });
    auto single = w.query<Red, Blue>();
    yes("nobody is both", single.empty());
    e[0].add<Red>().add<Blue>();
    std::printf("the single one that is both: %d\n", number(single.single()));
    answer("destroy the query", dz_query_destroy(w, single));
    refused("iterate it", [&] { single.each([] { yes("next", true); }); });
    dz_iter it;
    dz_iterate(w, single, &it);
    yes("next", dz_next(&it));
}

static void changing()
{
    denizen::world w = new_world();
    for (int n = 1; n <= 8; n++) w.create(Position{n, 0}, Velocity{n, n});
    auto movers = w.query<Position, denizen::with<Velocity>>();
    std::printf("velocity is taken off the odd:");
    answered("; ended with", [&] {
        movers.each([](entity it, const Position &p) {
            std::printf(" %d", p.x);
            if (p.x % 2) it.remove<Velocity>();
        });
    });
    list("left", movers);
    std::printf("the next one is destroyed:");
    answered("; ended with", [&] {
        for (auto [it, p] : movers) {
            std::printf(" %d", p.x);
            if (p.x == 4) w.destroy(it + 2); /* 6, two slots on */
        }
    });
    list("left", movers);
    std::printf("all of a pool, from the last:");
    dz_iter it;
    for (dz_iterate_pool(w, w.id<Position>(), DZ_BACKWARD, &it); dz_next(&it);) {
        DZ_EACH(it, i) {
            std::printf(" %d", DZ_ITEM(it, Position, i)->x);
            w.destroy(dz_iter_entity(&it, i));
        }
    }
    answer("; ended with", dz_status(it.status));
    std::printf("left: %u\n", w.count<Position>());
}

void queries()
{
    section("queries", asking);
    section("changes while iterating", changing);
}
