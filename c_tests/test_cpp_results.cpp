/* denizen.hpp without exceptions and RTTI: what can fail returns a result. */
#define DENIZEN_NO_EXCEPTIONS /* -fno-exceptions says the same; where the compiler has them, they are not used */
#include "check.h"
#include <denizen/denizen.hpp>

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
struct Owner {
    std::unique_ptr<int> what;
};
struct Charge {
    int32_t amount = 7;
};
struct Frozen {};

#define FAILS(call, wanted, text)                                                                       \
    do {                                                                                                \
        auto result_ = call;                                                                            \
        check_that(!result_, __FILE__, __LINE__, #call, "it fails");                                    \
        check_same_status(result_.status(), wanted, __FILE__, __LINE__, #call);                         \
        check_that(std::strstr(result_.error().message(), text) != nullptr, __FILE__, __LINE__, #call, result_.error().message()); \
    } while (0)

/* An answer in a condition is what it says. */
static void conditions()
{
    denizen::world w(check_desc());
    denizen::entity e = *w.create(Position{0, 0}), child = *w.create();
    CHECK(child.set_parent(e));
    denizen::query<Position> q = *w.query<Position>();
    if (e.has<Mass>() || e.try_get<Mass>() || e.parent() || q.empty() || w.lookup("nobody") || e.is_base() || e.has_pair(e, e)) CHECK(false);
    CHECK(e.has<Position>() && e.try_get<Position>() && child.parent() && !q.empty() && q.first());
    CHECK(e.has<Mass>().good() && e.try_get<Mass>().good() && e.parent().good() && q.empty().good());
    CHECK(e.remove<Mass>() && e.remove<Position>());                      /* the entity, to go on with */
    CHECK(q.count() && *q.count() == 0);                     /* a number is no answer: it is there */
    CHECK(e.destroy());
    auto dead = e.has<Position>();
    CHECK(!dead && !dead.good() && dead.status() == DZ_ERR_DEAD && !child.destroy().good());
}

static void values()
{
    denizen::world w(check_desc());
    denizen::entity e = w.create(Position{1, 2}, Name{"a name that is too long for the object itself"}).value();
    CHECK(e.get<Position>()->y == 2 && *e.has<Name>() && !*e.has<Mass>());
    CHECK(e.set(Velocity{3, 4}) && e.emplace<Owner>(std::make_unique<int>(5)) && e.add<Frozen>() && e.add<Charge>());
    CHECK(*e.get<Owner>()->what == 5 && e.get<Charge>()->amount == 7 && e.get_or_add<Charge>()->amount == 7);
    CHECK(*e.try_get<Mass>() == nullptr && (*e.try_get<Position>())->x == 1);
    e.get_mut<Position>()->x = 10;
    (void)w.each([](Position &p, const Velocity &v) { p.x += v.x; });
    CHECK_EQ(e.get<Position>()->x, 13);
    auto made = w.query<Position, const Velocity, Mass *, denizen::without<Charge>>();
    CHECK(made && *made->empty() && *made->count() == 0);
    denizen::query<Position> q = *w.query<Position>();
    int n = 0;
    for (auto [it, p] : *w.query<Position>()) n += p.x == 13 && it == e; /* the query lives as long as the loop */
    CHECK_EQ(n, 1);
    n = 0;
    CHECK(q.each([&](denizen::entity it, Position &) { n++, CHECK(it == e); }));
    for (auto [it, p] : q) n += p.x == 13 && it.alive();
    for (auto &batch : q.batches()) n += static_cast<int>(batch.size());
    CHECK_EQ(n, 3);
    denizen::entity twin = *w.create(Position{}), bob = *w.create();
    CHECK(twin.set_parent(bob) && *twin.parent() == bob && twin.set_name("twin") && std::strcmp(*twin.name(), "twin") == 0);
    CHECK(twin.set_pair(bob, Mass{4}) && twin.get_pair<Mass>(bob)->kg == 4);
    CHECK(twin.ancestors<std::vector<dz_entity>>()->size() == 1 && *twin.targets<std::vector<dz_entity>>(w.id<Mass>().value()) == std::vector<dz_entity>{bob});
    CHECK(*twin.path<std::string>() == std::string(*bob.path<std::string>()) + ".twin");
    auto l = w.on_add<Mass>([&](denizen::entity, Mass &m) { n += m.kg; });
    CHECK(l && w.create(Mass{100}));
    CHECK_EQ(n, 103);
    auto g = w.group<Position, Velocity>();
    CHECK(g && *g->count() == 1);
    CHECK(w.sort<Mass>([](const Mass &a, const Mass &b) { return a.kg < b.kg; }));
    CHECK(twin.destroy() && w.destroy());
}

/* Results that are constant, as those of a structured if or of a member are. */
static void constant_results()
{
    denizen::world w(check_desc());
    const auto e = w.create(Position{1, 2});
    CHECK(e && e->alive() && (*e).has<Position>() && e.value().get<Position>()->y == 2);
    const auto p = e->get<Position>();
    CHECK(p && p->x == 1 && (*p).x == 1 && p.value().x == 1);
    const auto numbers = w.stats();
    CHECK(numbers && numbers->alive > 0 && (*numbers).alive == numbers.value().alive);
    const auto path = (*e).path<std::string>(*e);
    CHECK(path && path->empty());
}

static void failures()
{
    denizen::world w(check_desc());
    denizen::entity e = *w.create(Position{1, 2});
    FAILS(e.get<Mass>(), DZ_ERR_NOT_HELD, "doesn't have component \"Mass\"");
    std::vector<dz_entity> three(3);
    CHECK(w.create_n(three, std::vector<Mass>{{1}, {2}, {3}}) && w.get<Mass>(three[2])->kg == 3);
    FAILS(w.create_n(three, std::vector<Mass>{{1}}), DZ_ERR_COUNT, "3 entities, but 1 values");
    FAILS(e.get_pair<Mass>(e, *w.id<Mass>()), DZ_ERR_NOT_HELD, "doesn't have component \"Mass\"");
    CHECK(e.set_pair(e, *w.id<Mass>(), Mass{5}) && e.get_pair<Mass>(e, *w.id<Mass>())->kg == 5);
    FAILS(w.query("Position, Nobody"), DZ_ERR_SYNTAX, "column 11");
    FAILS(w.query("Position")->each([](Mass &) {}), DZ_ERR_NOT_TERM, "no term");
    CHECK(e.destroy());
    FAILS(e.destroy(), DZ_ERR_DEAD, "dz_destroy: entity");
    FAILS(e.get<Position>(), DZ_ERR_DEAD, "dz_get: entity");
    FAILS(e.get_mut<Position>(), DZ_ERR_DEAD, "dz_get_mut: entity");
    FAILS(e.try_get<Position>(), DZ_ERR_DEAD, "is dead");
    FAILS(e.has<Position>(), DZ_ERR_DEAD, "is dead");
    FAILS(e.set(Position{}), DZ_ERR_DEAD, "is dead");
    FAILS(e.add<Frozen>(), DZ_ERR_DEAD, "is dead");
    FAILS(e.add<Charge>(), DZ_ERR_DEAD, "is dead");
    FAILS(e.get_or_add<Charge>(), DZ_ERR_DEAD, "is dead");
    FAILS(e.remove<Frozen>(), DZ_ERR_DEAD, "is dead");
    FAILS(e.parent(), DZ_ERR_DEAD, "is dead");
    FAILS(e.clone(), DZ_ERR_DEAD, "is dead");
    denizen::entity owner = *w.create(Owner{std::make_unique<int>(1)});
    FAILS(owner.clone(), DZ_ERR_HOOK_FAILED, "copy hook failed");
    auto kept = e.get<Position>().error(); /* it has a sentence of its own */
    FAILS(w.query<Position>("Nobody"), DZ_ERR_SYNTAX, "column 1");
    CHECK(std::strstr(kept.message(), "is dead") != nullptr);
    dz_world_desc desc = check_desc();
    desc.layout = 9;
    FAILS(denizen::world::make(desc), DZ_ERR_ENUM, "layout");
    CHECK(!denizen::world(desc).alive());
    CHECK(denizen::world::make(check_desc()));
    (void)w.destroy();
    FAILS(w.create(), DZ_ERR_WORLD_NULL, "world");
    FAILS(w.query<Position>(), DZ_ERR_WORLD_NULL, "world");
}

/* The listing of docs/cpp.md. */
static void guide()
{
    denizen::world world(check_desc());
    (void)world.create(Position{1, 1});
    auto made = world.query("Position, Nobody");
    if (!made) std::puts(made.error().message()); // dz_query_create: column 11: no component or entity has that name: "Nobody"
    else if (!made->each([](Position &p) { p.x = 0; })) std::puts(dz_error_message());
    CHECK_SAYS("dz_query_create: column 11: no component or entity has that name: \"Nobody\"");
}

int main()
{
    RUN(guide);
    RUN(conditions);
    RUN(values);
    RUN(constant_results);
    RUN(failures);
    return check_done();
}
