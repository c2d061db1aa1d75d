/* The listings of docs/cpp.md in their order, and that they do what it says. tests/docs.rs compares them. */
#include "check_cpp.hpp"

#include <memory>
#include <string>
#include <vector>

struct Position { float x, y; };
struct Velocity { float x, y; };
struct Mass { float kg; };
struct Frozen {};
struct Likes { int how_much; };

struct Inventory {
    std::vector<std::string> items;
    std::unique_ptr<int> lock;
};

struct Bullet { std::vector<std::unique_ptr<int>> hits; };
template <> struct denizen::component_traits<Bullet> : denizen::component_defaults<Bullet> {
    static constexpr const char *name = "bullet";
    static constexpr dz_policy policy = DZ_POLICY_STABLE;
    static constexpr bool copyable = false;
};

namespace game {
template <class T> struct Bound { T low, high; };
}
DENIZEN_NAME(game::Bound<int>, "Bound");

static int uses;
template <class T> static void use(const T &it)
{
    if constexpr (std::is_same_v<T, bool>) CHECK(it);
    uses++;
}

static bool near(float a, float b) { return a - b < 0.01f && b - a < 0.01f; }

static void guide()
{
    uses = 0;
    denizen::world world;
    denizen::entity ship = world.create(Position{0, 0}, Velocity{1, 2});
    ship.set(Mass{1}).add<Frozen>();
    ship.get_mut<Position>().x = 5;
    if (const Mass *mass = ship.try_get<Mass>()) use(mass->kg);
    ship.remove<Frozen>();
    CHECK(uses == 1 && !ship.has<Frozen>());

    std::vector<dz_entity> fleet(3);
    std::vector<Position> places{{0, 0}, {1, 0}, {2, 0}};
    std::vector<Mass> masses{{1}, {2}, {3}};
    world.create_n(fleet, places);           // a value for each; of as many components as you like
    world.set_n<Mass>(fleet, masses);
    std::vector<const Mass *> found(fleet.size());
    world.get_n<Mass>(fleet, found.data());  // nullptr where it isn't there
    use(found[2]->kg);
    CHECK(near(found[2]->kg, 3) && near(world.get<Position>(fleet[2]).x, 2));
    uses = 1;

    denizen::entity sol = world.create().set_name("sol");
    denizen::entity earth = world.create().set_name("earth").set_parent(sol);
    for (denizen::entity planet : sol.children()) use(planet);
    use(world.lookup("sol.earth") == earth);
    earth.set_pair(sol, Likes{10});          // (Likes, sol)
    use(earth.get_pair<Likes>(sol).how_much);
    for (dz_entity liked : earth.targets<Likes, std::vector<dz_entity>>()) use(liked);
    earth.disable();
    CHECK(uses == 5 && !earth.enabled());

    denizen::entity heavy = world.create(Position{0, 0}, Mass{4});
    world.each([](Position &p, const Velocity &v) { p.x += v.x, p.y += v.y; });
    CHECK(near(ship.get<Position>().x, 6));
    world.each<denizen::without<Frozen>>([](denizen::entity it, Position &p, const Mass *mass) {
        if (mass && mass->kg > 2) it.destroy();
        else p.x = 0;
    });
    CHECK(!heavy.alive() && near(ship.get<Position>().x, 0));

    denizen::entity back = world.create(Position{0, 0}, Velocity{-1, 0});
    auto movers = world.query<Position, const Velocity, denizen::without<Frozen>>();
    movers.each([](Position &p, const Velocity &v) { p.x += v.x; });

    for (auto [it, p, v] : movers) {
        if (v.x < 0) it.remove<Velocity>();
    }
    for (auto &run : movers.runs()) {       // arrays, for SIMD
        Position *p = run.data<Position>();
        for (uint32_t i = 0; i < run.size(); i++) p[i].y += 1;
    }
    CHECK(!back.has<Velocity>() && near(ship.get<Position>().x, 1) && near(ship.get<Position>().y, 3));

    for (auto [it, p, v] : world.query<Position, const Velocity>("Position, [in] Velocity, !Frozen")) p.y += it.alive() ? v.y : 0;
    for (auto &batch : movers.batches())
        for (uint32_t i = 0; i < batch.size(); i++) batch.get<Position>(i).y += batch.get<Velocity>(i).y;
    CHECK(near(ship.get<Position>().y, 7));

    uses = 0;
    world.sort<Mass>([](const Mass &a, const Mass &b) { return a.kg > b.kg; });
    denizen::query_options heaviest_first;
    heaviest_first.order = world.id<Mass>();
    for (auto [it, mass] : world.query<const Mass>(heaviest_first)) use(mass.kg);
    CHECK_EQ(uses, world.count<Mass>());
    float lightest = 1000;
    for (auto [it, mass] : world.query<const Mass>(heaviest_first)) CHECK(mass.kg <= lightest), lightest = mass.kg;

    denizen::entity on_deck = world.create(Position{1, 0}).set_parent(ship);
    auto below = world.query("[cascade] Position, [in] ?Position(parent), !Frozen");
    below.each([](Position &own, const Position *parent) {
        if (parent) own.x += parent->x;
    });
    CHECK(near(on_deck.get<Position>().x, 2));

    ship.emplace<Inventory>();
    ship.get_mut<Inventory>().items.push_back("rope");
    CHECK(ship.get<Inventory>().items[0] == "rope");
    THROWS(ship.clone(), DZ_ERR_HOOK_FAILED, "");
    dz_id bullet = world.id<Bullet>(), bound = world.id<game::Bound<int>>();
    CHECK(bullet == dz_component_find(world, "bullet") && bound == dz_component_find(world, "Bound"));

    uses = 0;
    try {
        ship.destroy();
        ship.get<Position>();
    } catch (const denizen::error &e) {
        use(e.status() == DZ_ERR_DEAD);
        use(e.what());                       // dz_get: entity E:1-256[1] is dead: its slot is now at generation 2
    }
    CHECK_EQ(uses, 2);
    CHECK(!on_deck.alive());

    float total = 0;
    denizen::entity last;
    denizen::listener listener = world.on_add<Mass>([&](denizen::entity it, Mass &mass) { total += mass.kg, last = it; });
    back.set(Mass{7});
    CHECK(near(total, 7) && last == back);

    /* Who is told of what. */
    std::string told;
    auto on_add = world.on_add<Position>([&](denizen::entity) { told += 'a'; });
    auto on_set = world.on_set<Position>([&](denizen::entity) { told += 's'; });
    denizen::entity base = world.create(Position{1, 1}), instance = base.instantiate(), plain = world.create();
    base.clone(), plain.add<Position>().add<Position>(), plain.get_or_add<Position>();
    std::vector<dz_entity> two(2);
    std::vector<Position> where(2);
    world.create_n(two, where), world.remove_n<Position>(two), world.add_n<Position>(two);
    CHECK(told == "aaaaaaa");
    told.clear();
    plain.remove<Position>().set(Position{1, 1}).emplace<Position>(2.0f, 2.0f).set(plain.get<Position>()), world.set_n<Position>(two, where);
    CHECK(told == "asssss" && near(plain.get<Position>().x, 2));
    told.clear();
    THROWS(instance.get_mut<Position>(), DZ_ERR_INHERITED, "from its base");
    instance.override<Position>();
    auto copy = instance.get_mut<Position>();
    copy.x = 9;
    world.each([](Position &p) { p.y = 4; });
    CHECK(told == "as" && near(copy.x, 9) && near(instance.get<Position>().x, 1));
    CHECK(!world.remove<Frozen>(plain) && world.add<Frozen>(plain) && !world.add<Frozen>(plain) && world.remove<Frozen>(plain));

    uses = 0;
    dz_id position = world.id<Position>();
    use(dz_count(world, position));
    use(dz_has(world, earth, position) == false);
    CHECK_EQ(uses, 2);
}

int main()
{
    RUN(guide);
    return check_done();
}
