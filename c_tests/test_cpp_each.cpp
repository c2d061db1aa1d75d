/* denizen.hpp: loops over queries and groups: what is deduced, what is seen, and what is refused. */
#include "check_cpp.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

struct Position {
    int32_t x, y;
};
struct Velocity {
    int32_t x, y;
};
struct Mass {
    int32_t kg;
};
struct Name {
    std::string text;
};
struct Frozen {};
struct Red {};
struct Blue {};
struct Likes {
    int32_t how_much;
};

using denizen::entity;
using denizen::query;
using denizen::without;

/* n entities with Position {i, 0}; Velocity {1, i} on those for which `moves`; apart, so that batches are gathers, or not. */
static std::vector<entity> fill(denizen::world &w, int32_t n, bool apart)
{
    std::vector<entity> e;
    for (int32_t i = 0; i < n; i++) {
        e.push_back(w.create(Position{i, 0}));
        if (!apart || i % 3 != 1) e.back().set(Velocity{1, i});
        if (i % 5 == 0) e.back().set(Mass{i});
        if (i % 7 == 0) e.back().add<Frozen>();
    }
    return e;
}

static void deduced()
{
    for (int apart = 0; apart < 2; apart++) {
        denizen::world w(check_desc());
        std::vector<entity> e = fill(w, 1000, apart == 1);
        int32_t seen = 0, heavy = 0, frozen = 0;
        w.each([](Position &p, const Velocity &v) { p.y += v.y; });
        w.each([&](entity it, const Position &p, Mass *m) {
            bool moves = it.has<Velocity>();
            CHECK_EQ(p.y, moves ? p.x : 0);
            CHECK(it == e[static_cast<size_t>(p.x)] && (m != nullptr) == (p.x % 5 == 0));
            if (m) CHECK_EQ(m->kg, p.x), heavy++;
            seen++;
        });
        CHECK(seen == 1000 && heavy == 200);
        w.each([&](dz_entity it, Position p, Frozen, const Velocity *v) { /* copies, tags, raw handles */
            CHECK_EQ(p.x % 7, 0);
            CHECK((v != nullptr) == w.has<Velocity>(it));
            frozen++;
        });
        CHECK_EQ(frozen, 143);
        seen = 0;
        w.each<without<Frozen>, denizen::with<Mass>>([&](const Position &p, const Red *red) {
            CHECK(p.x % 5 == 0 && p.x % 7 != 0 && !red);
            seen++;
        });
        CHECK_EQ(seen, 200 - 29);
        e[10].add<Red>(), e[11].add<Blue>();
        seen = 0;
        w.each<denizen::any_of<Red, Blue>>([&](Position &p) { seen++, CHECK(p.x == 10 || p.x == 11); });
        CHECK_EQ(seen, 2);
        w.query<denizen::any_of<const Red *, Mass *>, Position>().each([&](const Red *red, const Mass *m, Position &p) {
            CHECK((red != nullptr) == (p.x == 10) && (m != nullptr) == (p.x % 5 == 0));
            seen++;
        });
        CHECK_EQ(seen, 202);
        auto all = w.query<Position, const Velocity, Mass *, without<Frozen>>();
        seen = 0;
        all.each([&](auto &p, const auto &v, auto *m) { seen += p.x >= 0 && v.x == 1 && (!m || m->kg == p.x); }); /* where the query says the types */
        CHECK_EQ(seen, all.count());
        seen = 0;
        all.each([&](entity, Position &) { seen++; }); /* the last ones may be left out */
        all.each([&] { seen--; });
        CHECK_EQ(seen, 0);
        struct counter {
            int32_t n = 0;
            void operator()(const Position &) noexcept { n++; }
        } count;
        all.each(count);
        CHECK_EQ(count.n, all.count());
        static int32_t sum;
        sum = 0;
        all.each(+[](const Position &p) { sum += p.x; });
        CHECK(sum > 0);
    }
}

/* What the query says of each term is what the parameters ask. */
static int32_t sum_of_x;
static void add_x(const Position &p) { sum_of_x += p.x; }
static void add_y(entity, Position &p) noexcept { sum_of_x += p.y; }

/* Functions, and how an entity may be taken. */
static void functions_and_entities()
{
    denizen::world w(check_desc());
    std::vector<entity> e = fill(w, 10, false);
    uint32_t seen = 0;
    sum_of_x = 0;
    w.each(add_x), w.each(&add_x), w.each(add_y);
    w.query<Position>().each(add_x);
    w.query("Position").each(add_x);
    w.group<Position>().each(add_x);
    CHECK_EQ(sum_of_x, 5 * 45);
    uint32_t components = w.stats().components;
    w.each([&](const dz_entity &it, Position &p) { CHECK(it == e[static_cast<size_t>(p.x)]), seen++; });
    w.each([&](const entity &it, Position &p) { CHECK(it == e[static_cast<size_t>(p.x)]), seen++; });
    w.each([&](const dz_entity it, const Velocity &) { CHECK(it != DZ_NULL), seen++; });
    CHECK(seen == 30 && w.stats().components == components);
}

static void terms()
{
    denizen::world w(check_desc());
    auto q = w.query<Position, const Velocity, Mass *, const Name *, Frozen, Red *, without<Blue>, denizen::with<Likes>>();
    const struct {
        dz_id id;
        dz_ask ask;
        dz_access access;
    } want[] = {{w.id<Position>(), DZ_WITH, DZ_INOUT}, {w.id<Velocity>(), DZ_WITH, DZ_IN}, {w.id<Mass>(), DZ_OPTIONAL, DZ_INOUT},
                {w.id<Name>(), DZ_OPTIONAL, DZ_IN}, {w.id<Frozen>(), DZ_WITH, DZ_NO_ACCESS}, {w.id<Red>(), DZ_OPTIONAL, DZ_IN},
                {w.id<Blue>(), DZ_WITHOUT, DZ_NO_ACCESS}, {w.id<Likes>(), DZ_WITH, DZ_NO_ACCESS}};
    dz_term got[DZ_MAX_TERMS];
    uint32_t count = 0;
    CHECK_OK(dz_query_terms(w, q, got, DZ_MAX_TERMS, &count));
    CHECK_EQ(count, 8);
    for (uint32_t i = 0; i < 8; i++) CHECK(got[i].id == want[i].id && got[i].ask == want[i].ask && got[i].access == want[i].access);
    static_assert(std::is_same_v<decltype(q)::fields, denizen::detail::list<Position, const Velocity, Mass *, const Name *, Frozen, Red *>>);
}

/* The body may do anything, and sees what DZ_EACH sees: nobody twice, and nobody who is missed. */
static void changes()
{
    for (int apart = 0; apart < 2; apart++) {
        denizen::world w(check_desc());
        std::vector<entity> e = fill(w, 1000, apart == 1);
        for (entity it : e) it.set(Name{"a name that is too long for the object itself " + std::to_string(it.get<Position>().x)});
        std::vector<int32_t> seen(1000);
        auto movers = w.query<const Position, const Velocity, const Name>();
        uint32_t count = movers.count();
        movers.each([&](entity it, const Position &p, const Velocity &, const Name &name) {
            size_t i = static_cast<size_t>(p.x);
            CHECK(name.text.size() > 40 && seen[i]++ == 0);
            if (i % 2) it.destroy();
            else if (i % 4) it.remove<Velocity>();
            else if (i % 8) w.create(Mass{1}, Red{});
            if (i % 11 == 0 && i + 5 < 1000 && e[i + 5].alive() && e[i + 5].has<Velocity>()) e[i + 5].destroy(), seen[i + 5] += 1000;
        });
        for (size_t i = 0; i < 1000; i++) {
            bool matched = apart == 0 || i % 3 != 1;
            CHECK(seen[i] == (matched ? 1 : 0) || seen[i] == 1000); /* seen, or destroyed before its turn */
        }
        CHECK(count > movers.count());

        seen.assign(1000, 0);
        uint32_t before = movers.count(), rows = 0;
        for (auto [it, p, v, name] : movers) {
            CHECK(seen[static_cast<size_t>(p.x)]++ == 0 && name.text.size() > 40 && v.x == 1);
            it.destroy();
            rows++;
        }
        CHECK(rows == before && movers.empty());
    }
}

static uint32_t queries_of(dz_world world)
{
    uint32_t n = 0;
    CHECK_OK(dz_query_list(world, nullptr, 0, &n));
    return n;
}

static void nested_and_thrown()
{
    denizen::world w(check_desc());
    fill(w, 100, true);
    auto q = w.query<Position>();
    uint32_t pairs = 0;
    q.each([&](Position &) { q.each([&](const Position &) { pairs++; }); });
    CHECK_EQ(pairs, 10000);
    uint32_t n = 0;
    THROWS_INT(q.each([&](Position &) { if (++n == 30) throw 7; }), 7); /* leaving early needs no call */
    CHECK_EQ(n, 30);
    THROWS_INT(w.each([&](Position &) { throw 8; }), 8);
    CHECK_EQ(queries_of(w), 2); /* q, and the one that the world has for each() */
}

/* world.each makes its query once for a world, and again if it is lost. */
static void made_once()
{
    denizen::world w(check_desc());
    fill(w, 100, true);
    const auto moves = [&] {
        uint32_t n = 0;
        w.each<without<Frozen>>([&](Position &p, const Velocity &v) { p.x += v.x, n++; });
        return n;
    };
    const uint32_t n = moves();
    CHECK(n > 0 && queries_of(w) == 1);
    for (int i = 0; i < 10; i++) CHECK_EQ(moves(), n);
    CHECK_EQ(queries_of(w), 1);
    w.each([](entity, Position &) {});
    w.each([](Position &) {});
    CHECK_EQ(queries_of(w), 2); /* the same of both; other types */

    uint32_t told = 0;
    auto listener = w.on_add<Red>([&](entity) { told += moves(); });
    w.create(Red{});
    CHECK_EQ(told, n); /* to iterate one that is there only reads */
    auto refused = w.on_add<Blue>([&](entity) { w.each([](const Mass &, const Red &) {}); });
    THROWS(w.create(Blue{}), DZ_ERR_IN_HOOK, "dz_query_create"); /* to make one is a write */
    CHECK_EQ(queries_of(w), 2);

    w.unregister<Frozen>();
    w.component<Frozen>();
    CHECK(moves() > n); /* nobody is frozen any more */
    CHECK_EQ(dz_error_status(), DZ_OK);
    CHECK_EQ(queries_of(w), 2);
    dz_query all[2];
    uint32_t count = 0;
    CHECK_OK(dz_query_list(w, all, 2, &count));
    for (dz_query it : all) CHECK_OK(dz_query_destroy(w, it)); /* somebody thinks they are left over */
    CHECK(moves() > n);
    CHECK_EQ(dz_error_status(), DZ_OK);
    CHECK_EQ(queries_of(w), 1);

    for (int i = 0; i < 600; i++) { /* so many that what is known of the dead makes way */
        denizen::world other(check_desc());
        CHECK_EQ(queries_of(other), 0);
        other.create(Position{1, 0}, Velocity{2, 0});
        uint32_t seen = 0;
        other.each<without<Frozen>>([&](Position &p, const Velocity &v) { CHECK(p.x == 1 && v.x == 2), seen++; });
        CHECK(seen == 1 && queries_of(other) == 1);
    }
    CHECK(moves() > n);
    dz_world gone = w;
    w.destroy();
    THROWS(denizen::world_view(gone).each([](Position &) {}), DZ_ERR_WORLD_DEAD, "world");
}

static void ranges()
{
    for (int apart = 0; apart < 2; apart++) {
        denizen::world w(check_desc());
        std::vector<entity> e = fill(w, 1000, apart == 1);
        auto q = w.query<Position, const Velocity, Mass *>();
        int64_t sum = 0, expected = 0;
        q.each([&](const Position &p, const Velocity &v, const Mass *m) { expected += p.x + v.x + (m ? m->kg : 0); });
        for (auto [it, p, v, m] : q) {
            static_assert(std::is_same_v<decltype(p), Position &> && std::is_same_v<decltype(v), const Velocity &> && std::is_same_v<decltype(m), Mass *>);
            sum += p.x + v.x + (m ? m->kg : 0);
            CHECK(it.alive());
        }
        CHECK_EQ(sum, expected);
        sum = 0;
        uint32_t gathers = 0;
        for (auto &batch : q.batches()) {
            gathers += !batch.is_run();
            for (uint32_t i = 0; i < batch.size(); i++) {
                sum += batch.get<const Position>(i).x + batch.get<1>(i).x;
                if (Mass *m = batch.get<Mass>(i)) sum += m->kg;
                CHECK_EQ(batch.get<0>(i).x, batch.entity(i).get<Position>().x);
            }
            if (batch.is_run()) CHECK(batch.data<Position>() == &batch.get<Position>(0));
            else CHECK(batch.data<Position>() == nullptr);
        }
        CHECK_EQ(sum, expected);
        CHECK(apart == 0 || gathers > 0);
        sum = 0;
        for (auto &run : q.runs()) {
            Position *p = run.data<Position>();
            const Velocity *v = run.data<const Velocity>();
            Mass *m = run.data<Mass>();
            for (uint32_t i = 0; i < run.size(); i++) sum += p[i].x + v[i].x + (m ? m[i].kg : 0);
        }
        CHECK_EQ(sum, expected);
        sum = 0;
        for (uint32_t part = 0; part < 4; part++) {
            if (part % 2) q.each_part(part, 4, [&](const Position &p, const Velocity &v, Mass *m) { sum += p.x + v.x + (m ? m->kg : 0); });
            else for (auto &batch : q.part(part, 4))
                for (uint32_t i = 0; i < batch.size(); i++) sum += batch.get<Position>(i).x + batch.get<Velocity>(i).x + (batch.get<2>(i) ? batch.get<2>(i)->kg : 0);
        }
        CHECK_EQ(sum, expected);
        sum = 0;
        q.each_batch([&](dz_iter &it) {
            for (uint32_t i = 0; i < it.count; i++) sum += DZ_AT(it, Position, 0, i)->x + DZ_AT(it, const Velocity, 1, i)->x + (DZ_AT_IF(it, Mass, 2, i) ? DZ_AT_IF(it, Mass, 2, i)->kg : 0);
        });
        CHECK_EQ(sum, expected);
        sum = 0;
        THROWS_INT(q.each_batch([&](dz_iter &) { sum++; throw 4; }), 4);
        CHECK_EQ(sum, 1); /* what is left is passed over */
        THROWS(q.each_part(4, 4, [](Position &) {}), DZ_ERR_RANGE, "");
        CHECK(q.first() == e[0] && q.matches(e[0]) && !q.empty() && !q.matches(w.create()));
        THROWS(q.single(), DZ_ERR_NOT_SINGLE, "not exactly one");
    }
}

static void from_text()
{
    denizen::world w(check_desc());
    std::vector<entity> e = fill(w, 100, true);
    auto q = w.query("Position, [in] Velocity, ?Mass, !Frozen");
    uint32_t n = 0;
    q.each([&](Position &p, const Velocity &v) { n++, p.y += v.x; });
    CHECK_EQ(n, q.count());
    n = 0;
    q.each([&](entity it, const Velocity &v, Mass *m, const Position &p) { /* in any order */
        n++;
        CHECK(v.y == p.x && (m != nullptr) == it.has<Mass>());
    });
    CHECK_EQ(n, q.count());
    n = 0;
    for (auto [it] : q) n += it.alive();
    CHECK_EQ(n, q.count());
    THROWS(q.each([](Velocity &) {}), DZ_ERR_NOT_TERM, "parameter \"Velocity\" is [in] in the query: ask for it as const");
    THROWS(q.each([](Position &, Mass &) {}), DZ_ERR_NOT_TERM, "parameter \"Mass\" may be absent: ask for it by a pointer");
    THROWS(q.each([](const Name &) {}), DZ_ERR_NOT_TERM, "\"Name\" is no term of the query");
    THROWS(q.each([](Position &, Position &) {}), DZ_ERR_NOT_TERM, "\"Position\" is a term of the query, but not once more");
    THROWS(q.each([](const Frozen &) {}), DZ_ERR_NOT_TERM, "is no term");
    THROWS(w.query("[none] Position, Velocity").each([](Position &) {}), DZ_ERR_NOT_TERM, "[none]");
    THROWS(w.query("[out] Position, Velocity").each([](const Position &) {}), DZ_ERR_NOT_TERM, "[out]");
    THROWS(w.query("Position, Nobody"), DZ_ERR_SYNTAX, "column 11");

    THROWS(w.query("Position(inherit)").each([](Position &) {}), DZ_ERR_NOT_TERM, "ask for it as const");
    auto typed = w.query<Position, const Velocity>("[in] Velocity, Frozen, Position");
    n = 0;
    for (auto [it, p, v] : typed) n += p.x == v.y && it.has<Frozen>();
    CHECK(n > 0 && n == typed.count());
    THROWS((w.query<Position, Velocity>("[in] Velocity, Position")), DZ_ERR_NOT_TERM, "ask for it as const");

    /* Pairs, and components of others: the terms that have such values, one after the other. */
    entity parent = w.create(Position{500, 0}), child = w.create(Position{1, 0}).set_parent(parent), bob = w.create();
    child.set_pair(bob, Likes{9});
    n = 0;
    w.query("Position, [in] Position(parent), (Likes, *)").each([&](entity it, Position &own, const Position &above, Likes &likes) {
        CHECK(it == child && own.x == 1 && above.x == 500 && likes.how_much == 9);
        n++;
    });
    CHECK_EQ(n, 1);
    auto likes = w.query<Position, const Likes>("Position, [in] (Likes, *)");
    for (auto &batch : likes.batches()) CHECK(dz_iter_target(&batch.raw(), 1, 0) == bob && batch.get<Likes>(0).how_much == 9), n++;
    CHECK_EQ(n, 2);

    dz_term list[2] = {};
    list[0].id = w.id<Position>(), list[1].id = w.id<Frozen>(), list[1].ask = DZ_WITHOUT;
    dz_query_desc desc = DZ_QUERY_DESC_INIT;
    desc.terms = list, desc.term_count = 2;
    auto made = w.query<Position>(desc);
    n = 0;
    made.each([&](Position &) { n++; });
    CHECK_EQ(n, made.count());
}

/* To look up parameters registers nothing: loops may run on many threads at once. */
static void reads_only()
{
    denizen::world w(check_desc());
    dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
    desc.name = "Name";
    desc.element_size = sizeof(Name);
    desc.element_alignment = alignof(Name);
    desc.hooks = denizen::component_hooks<Name>();
    desc.hooks.copy = [](void *, const void *, uint32_t, void *) -> int32_t { return -1; };
    dz_entity e = dz_create(w);
    CHECK_OK(dz_add(w, e, dz_component_register(w, &desc)));
    int n = 0;
    auto named = w.query("Name");
    named.each([&](Name &) { n++; });
    named.each_part(0, 1, [&](const Name &) { n++; });
    CHECK_EQ(n, 2);
    CHECK_EQ(dz_clone(w, e), DZ_NULL); /* the hooks are those that were registered */
    THROWS(named.each([](Mass &) {}), DZ_ERR_NOT_TERM, "\"Mass\" is no term of the query");
    CHECK_EQ(dz_component_find(w, "Mass"), DZ_NULL);
}

static void kept_and_moved()
{
    denizen::world w(check_desc());
    fill(w, 1000, true);
    denizen::query_options options;
    options.kept = true;
    auto q = w.query<Position, const Velocity>(options);
    CHECK((w.query<Position>({true, 3}).info().priority) == 3); /* .kept, .priority */
    dz_query_desc desc = DZ_QUERY_DESC_INIT;
    desc.text = "Position", desc.priority = 4, desc.kept = 1;
    CHECK(w.query<Position>(desc).info().priority == 4);
    dz_error_clear();
    THROWS(w.query<Position>(dz_query{0}), DZ_ERR_QUERY, "the query is {0}");
    CHECK(w.optimize() > 0);
    q.refresh();
    CHECK(q.info().kept == 1 && q.info().fresh == 1 && q.info().runs > 0);
    uint32_t runs = 0, n = 0;
    for (auto &run : q.runs()) runs++, n += run.size();
    CHECK(n == q.count() && runs >= q.info().runs);
    auto other = std::move(q);
    CHECK(!q && other && other.count() == n);
    THROWS(q.count(), DZ_ERR_QUERY, "");
    q = std::move(other);
    dz_query raw = q.release();
    CHECK(!q && raw.bits != 0);
    q = w.query<Position, const Velocity>(raw); /* and takes it back */
    CHECK_EQ(q.count(), n);
    raw = q.release();
    THROWS(w.query<Velocity>(raw), DZ_ERR_NOT_TERM, "ask for it as const");
    CHECK_IS(dz_query_destroy(w, raw), DZ_ERR_QUERY); /* who owns it ends it, also if it isn't what was wanted */
    {
        auto gone = w.query<Position>();
        raw = gone;
    }
    CHECK_IS(dz_query_destroy(w, raw), DZ_ERR_QUERY);
    auto lost = w.query<Mass>();
    w.unregister<Mass>();
    THROWS(lost.each([](Mass &) {}), DZ_ERR_QUERY_LOST, "");
    query<Position> outlives = w.query<Position>();
    w.destroy();
    dz_error_clear();
    outlives = query<Position>();
    CHECK_IS(dz_error_status(), DZ_OK);
}

/* The body may move the query, as when a list of them grows; here the room that it leaves is written over too. */
static void moved_meanwhile()
{
    denizen::world w(check_desc());
    fill(w, 1000, true);
    using asked = query<Position, Velocity *, Mass *>;
    for (int how = 0; how < 3; how++) {
        alignas(asked) unsigned char room[sizeof(asked)];
        asked *q = ::new (static_cast<void *>(room)) asked(w.query<Position, Velocity *, Mass *>()), kept;
        uint32_t seen = 0;
        auto move = [&](uint32_t now) {
            seen += now;
            if (kept) return;
            kept = std::move(*q);
            q->~asked();
            std::fill(std::begin(room), std::end(room), static_cast<unsigned char>(0xa5));
        };
        auto body = [&](entity it, const Position &p, const Velocity *v, const Mass *m) {
            move(1);
            CHECK((v != nullptr) == it.has<Velocity>() && (!v || v->y == p.x) && (m != nullptr) == (p.x % 5 == 0));
        };
        if (how == 0) q->each(body);
        if (how == 1) q->each_part(0, 1, body);
        if (how == 2) q->each_batch([&](dz_iter &it) { move(it.count); });
        CHECK(seen == 1000 && kept.count() == 1000);
    }
}

static void groups_and_sorting()
{
    denizen::world w(check_desc());
    std::vector<entity> e = fill(w, 200, true);
    auto g = w.group<Position, denizen::included<Mass>, Velocity, without<Frozen>>();
    uint32_t n = 0;
    g.each([&](entity it, Position &p, Mass &m, const Velocity &v) {
        CHECK(p.x == m.kg && v.y == p.x && !it.has<Frozen>());
        n++;
    });
    CHECK(n > 10 && n == g.count() && g.contains(e[5]) && !g.contains(e[1]));
    g.sort<Position>([](const Position &a, const Position &b) { return a.x > b.x; });
    int32_t last = 1000;
    g.each([&](const Position &p) { CHECK(p.x < last), last = p.x; });
    g.sort<void>([](dz_entity a, dz_entity b) { return dz_entity_index(a) < dz_entity_index(b); });
    last = -1;
    g.each([&](const Position &p) { CHECK(p.x > last), last = p.x; });
    w.sort<Mass>([](const Mass &a, const Mass &b) { return a.kg > b.kg; });
    CHECK(!g.sort_refresh() && !g.sort_release());
    g.sort_as<Mass>(DZ_SORT_KEEP);
    last = 1000;
    g.each([&](const Position &p) { CHECK(p.x < last), last = p.x; });
    w.sort<Mass>([](const Mass &a, const Mass &b) { return a.kg < b.kg; });
    CHECK(g.sort_refresh());
    last = -1;
    g.each([&](const Position &p) { CHECK(p.x > last), last = p.x; });
    CHECK(g.sort_release() && !g.sort_refresh());
    THROWS((w.group<Position, Red>()), DZ_ERR_OWNED, "");
    THROWS(w.sort<Position>([](const Position &a, const Position &b) { return a.x > b.x; }), DZ_ERR_OWNED, "");
    g = decltype(g)();
    w.sort<Position>([](const Position &a, const Position &b) { return a.x > b.x; });
    denizen::query_options ordered;
    ordered.order = w.id<Position>();
    last = 1000;
    w.query<Position>(ordered).each([&](const Position &p) { CHECK(p.x < last), last = p.x; });
    w.sort_as<Mass, Position>();
    CHECK(!w.sort_refresh<Mass>() && !w.sort_release<Mass>());
    w.sort_as<Mass, Position>(DZ_SORT_KEEP);
    w.sort<Position>([](const Position &a, const Position &b) { return a.x < b.x; });
    CHECK(w.sort_refresh<Mass>());
    ordered.order = w.id<Mass>();
    last = -1;
    w.query<const Mass>(ordered).each([&](const Mass &m) { CHECK(m.kg > last), last = m.kg; });
    CHECK(w.sort_release<Mass>() && !w.sort_refresh<Mass>());
    uint32_t compared = 0;
    THROWS_INT(w.sort<Position>([&](const Position &, const Position &) { return ++compared == 5 ? throw 3 : false; }), 3);
    CHECK_EQ(compared, 5); /* nobody is asked again */
    CHECK_EQ(w.query<Position>().count(), 200);
}

/* Of several any_of each asks for itself; and what nobody has is asked of the living. */
static void any_of_twice()
{
    denizen::world w(check_desc());
    std::vector<entity> e = fill(w, 20, false);
    uint32_t seen = 0;
    e[1].add<Red>(), e[2].add<Blue>(), e[3].add<Red>(), e[3].add<Blue>();
    w.each<denizen::any_of<Red, Name>, denizen::any_of<Blue, Mass>>([&](entity it, const Position &) { seen++, CHECK(it == e[3]); });
    CHECK_EQ(seen, 1);
    /* Whom the values are asked of must live, also where nobody ever had one. */
    dz_entity two[2] = {e[0], e[1]};
    const Likes *values[2];
    w.get_n<Likes>(two, values);
    CHECK(!values[0] && !values[1]);
    e[1].destroy();
    THROWS(w.get_n<Likes>(two, values), DZ_ERR_DEAD, "");
}

/* Each once, however often something structural changes in the loop, in other orders than that of indices too. */
static void changes_in_other_orders()
{
    for (int how = 0; how < 4; how++) {
        denizen::world w(check_desc());
        std::vector<entity> e = fill(w, 100, how % 2 == 1);
        std::vector<int32_t> times(100);
        int32_t seen = 0;
        auto visit = [&](entity it, const Position &p) {
            CHECK(it == e[static_cast<size_t>(p.x)] && ++times[static_cast<size_t>(p.x)] == 1);
            if (seen++ % 3 == 0) it.add<Red>();
        };
        denizen::query_options options;
        if (how < 2) options.cascade = true;
        else options.order = w.id<Position>();
        w.query<Position, Velocity *>(options).each(visit);
        CHECK_EQ(seen, 100);
        w.query<Red>().each([](entity it) { it.remove<Red>(); });
        seen = 0, std::fill(times.begin(), times.end(), 0);
        w.group<Position>().each(visit);
        CHECK_EQ(seen, 100);
    }
}

/* Fields of which there is nothing are null, in batches of either kind; and a range that ends early throws. */
static void nothing_there()
{
    denizen::world w(check_desc());
    std::vector<entity> e = fill(w, 100, false);
    entity likes = w.create();
    int32_t seen = 0;
    w.each([&](const Position &, const Red *red, const Name *name) { CHECK(!red && !name), seen++; }); /* a run */
    CHECK_EQ(seen, 100);
    CHECK_OK(dz_add_pair(w, e[0], likes, w.id<Position>()));
    dz_term any{};
    any.id = DZ_ANY, any.target = w.id<Position>();
    dz_query_desc desc = dz_query_desc_init();
    desc.terms = &any, desc.term_count = 1;
    w.query(desc).each([&](entity it, const Position *value) { CHECK(it == e[0] && !value), seen++; }); /* of any relation: of any type */
    CHECK_EQ(seen, 101);
    THROWS(w.query(desc).each([](const Position &) {}), DZ_ERR_NOT_TERM, "by a pointer");
    dz_id how = w.id<Likes>(); /* reflexive: who hasn't it with another has it with itself, without a value */
    dz_relation_desc traits = dz_relation_desc_init();
    traits.reflexive = 1;
    CHECK_OK(dz_relation_set(w, how, &traits));
    any.id = how, any.target = e[1];
    w.query(desc).each([&](entity it, const Likes *value) { CHECK(it == e[1] && !value), seen++; });
    CHECK_EQ(seen, 102);
    THROWS(w.query(desc).each([](const Likes &) {}), DZ_ERR_NOT_TERM, "by a pointer");
    seen = 101;
    auto q = w.query<Position>();
    auto through = [&](auto range) {
        for (auto &batch : range) seen += batch.size() > 0;
    };
    THROWS(through(q.part(4, 4)), DZ_ERR_RANGE, "part");
    THROWS(through(q.part(1, 1)), DZ_ERR_RANGE, "part");
    THROWS(through(q.part(0, 0)), DZ_ERR_RANGE, "part");
    CHECK_EQ(seen, 101);
    denizen::query_options ordered;
    ordered.order = w.id<Position>();
    auto o = w.query<Position>(ordered);
    auto shrink_in_batches = [&] {
        for (auto &batch : o.batches()) w.shrink(), seen += batch.size() > 0;
    };
    auto shrink_in_rows = [&] {
        for (auto row : o) w.shrink(), seen += std::get<1>(row).x >= 0;
    };
    THROWS(shrink_in_batches(), DZ_ERR_CHANGED, "");
    THROWS(shrink_in_rows(), DZ_ERR_CHANGED, "");
}

/* One any_of is one type and several fields: a query keeps where each of them is, wherever it lies. */
static void any_of_many()
{
    struct Holder {
        query<denizen::any_of<Position *, Velocity *, Mass *>> asked;
        uint8_t behind[8];
    };
    denizen::world w(check_desc());
    w.create(Position{1, 0}, Velocity{2, 0}, Mass{3});
    auto made = w.query<denizen::any_of<Position *, Velocity *, Mass *>>();
    auto holder = std::make_unique<Holder>();
    std::fill(std::begin(holder->behind), std::end(holder->behind), uint8_t{0xa5});
    holder->asked = std::move(made);
    int32_t seen = 0;
    holder->asked.each([&](Position *p, Velocity *v, Mass *m) { CHECK(p && v && m && p->x == 1 && v->x == 2 && m->kg == 3), seen++; });
    CHECK_EQ(seen, 1);
    for (uint8_t byte : holder->behind) CHECK_EQ(byte, 0xa5);
    auto again = w.query<Position>({}); /* the default options, not a text */
    CHECK_EQ(again.count(), 1u);
    struct OnlyHere {
        int32_t seen = 0;
        void operator()(const Position &) & { seen++; }
    } here;
    w.each(here);
    CHECK_EQ(here.seen, 1);
}

int main()
{
    RUN(deduced);
    RUN(functions_and_entities);
    RUN(terms);
    RUN(changes);
    RUN(nested_and_thrown);
    RUN(made_once);
    RUN(ranges);
    RUN(from_text);
    RUN(reads_only);
    RUN(kept_and_moved);
    RUN(moved_meanwhile);
    RUN(groups_and_sorting);
    RUN(any_of_twice);
    RUN(any_of_many);
    RUN(changes_in_other_orders);
    RUN(nothing_there);
    return check_done();
}
