/* Pairs, the hierarchy, names, instances, and what is disabled. */
#include "conformance.hpp"
#include <string>

static void pairs()
{
    denizen::world w = new_world();
    w.id<Position>();
    dz_id likes = w.id<Likes>();
    entity docked = w.create(), ann = w.create(Position{1, 0}), bob = w.create(Position{2, 0}), cat = w.create(Position{3, 0});
    answered("Ann likes Bob", [&] { ann.set_pair(bob, Likes{5}); });
    answered("Ann likes the cat", [&] { ann.set_pair(cat, Likes{9}); });
    answered("Bob likes the cat", [&] { bob.add_pair<Likes>(cat); });
    answer("again", dz_add_pair(w, bob, likes, cat));
    std::printf("Ann likes Bob: %d\n", ann.get_pair<Likes>(bob).much);
    bob.get_pair_mut<Likes>(cat).much = 7;
    yes("Bob likes Ann", bob.has_pair<Likes>(ann));
    dz_id pair = w.pair<Likes>(cat);
    std::printf("by its id: %d\n", DZ_GET(w, bob, Likes, pair)->much);
    dz_pair_parts halves;
    answer("its halves", dz_pair_halves(w, pair, &halves));
    yes("they are the same", halves.relation == likes && halves.target == cat);
    dz_entity targets[4];
    uint32_t count = 0;
    dz_pair_targets(w, ann, likes, targets, 4, &count);
    std::printf("Ann's targets:");
    for (uint32_t i = 0; i < count; i++) std::printf(" %d", number(w[targets[i]]));
    std::printf("\n");

    auto query = w.query<const Position, const Likes>("Position, (Likes, *)");
    std::printf("who likes whom: %u matches\n", query.count());
    int much[4][4] = {};
    for (auto &batch : query.batches())
        for (uint32_t i = 0; i < batch.size(); i++)
            much[batch.get<Position>(i).x][number(w[dz_iter_target(&batch.raw(), 1, i)])] = batch.get<Likes>(i).much;
    for (int i = 1; i < 4; i++) std::printf("  %d likes 1 by %d, 2 by %d, 3 by %d\n", i, much[i][1], much[i][2], much[i][3]);

    dz_relation_desc one = DZ_RELATION_DESC_INIT;
    one.exclusive = 1;
    answered("docked is exclusive", [&] { w.relation(docked, one); });
    answered("Ann is docked at Bob", [&] { ann.add_pair(docked, bob); });
    answered("Ann is docked at the cat", [&] { ann.add_pair(docked, cat); });
    yes("still at Bob", ann.has_pair(docked, bob));
    yes("at the cat", ann.has_pair(docked, cat));
    answered("Ann likes Bob no longer", [&] { ann.remove_pair<Likes>(bob); });
    answered("destroy the cat", [&] { cat.destroy(); });
    yes("somebody likes somebody", !query.empty());
    refused("the cat's pair by its id", [&] { bob.has(pair); });
    refused("a pair with the dead cat", [&] { ann.add_pair<Likes>(cat); });
}

static void children(const char *what, entity parent)
{
    std::printf("%s: %u:", what, parent.child_count());
    for (entity child : parent.children()) std::printf(" %d", number(child));
    std::printf("\n");
}

static void hierarchy()
{
    denizen::world w = new_world();
    entity e[7];
    for (int i = 1; i < 7; i++) e[i] = w.create(Position{i, 0});
    for (int i = 2; i < 5; i++) e[i].set_parent(e[1]);
    answered("5 below 2", [&] { e[5].set_parent(e[2]); });
    answered("6 below 5, as an id", [&] { e[6].add(DZ_CHILDOF(e[5])); });
    children("children of 1", e[1]);
    answered("4 goes first", [&] { e[1].move_child(e[4], DZ_PLACE_FIRST); });
    answered("2 goes behind 3", [&] { e[1].move_child(e[2], DZ_PLACE_AFTER, e[3]); });
    children("children of 1", e[1]);
    std::printf("parent of 6: %d, depth %u\n", number(e[6].parent()), e[6].depth());
    std::printf("above 6:");
    for (entity it = e[6].parent(); it; it = it.parent()) std::printf(" %d", number(it));
    std::printf("\nsubtree, children first:");
    for (entity it : e[1].subtree(DZ_CHILDREN_FIRST)) std::printf(" %d", number(it));
    std::printf("\n");
    refused("a cycle", [&] { e[1].set_parent(e[6]); });
    auto down = w.query("[cascade] Position, [in] ?Position(parent)");
    int sum = 0;
    std::printf("depths, parents first:");
    down.each([&](entity it, Position &, const Position *above) {
        std::printf(" %u", it.depth());
        sum += above ? above->x : 0;
    });
    std::printf("\nsum of the parents' numbers: %d\n", sum);
    answered("2 becomes a root", [&] { e[2].set_parent(DZ_NULL); });
    answered("destroy 1", [&] { e[1].destroy(); });
    for (int i = 1; i < 7; i++) std::printf("  %d lives: %d\n", i, e[i].alive());
}

static void names()
{
    denizen::world w = new_world();
    entity sol = w.create(), earth = w.create(), moon = w.create(), other = w.create();
    earth.set_parent(sol).set_name("earth");
    moon.set_parent(earth);
    sol.set_name("sol");
    answered("name", [&] { moon.set_name("moon"); });
    std::printf("its name: %s\n", moon.name());
    std::string path = moon.path<std::string>();
    std::printf("its path: %u bytes, %s\n", unsigned(path.size()), path.c_str());
    std::printf("below sol: %s\n", moon.path<std::string>(sol, "/").c_str());
    yes("lookup finds it", w.lookup("sol.earth.moon") == moon);
    yes("from earth", earth.lookup("moon") == moon);
    yes("mars is there", bool(w.lookup("sol/mars", "/")));
    yes("no error", dz_error_status() == DZ_OK);
    answered("another sol", [&] { other.set_name("sol"); });
    refusal("because", dz_error_status(), dz_error_message());
    answered("take the name off", [&] { moon.set_name(nullptr); });
    answer("again", dz_set_name(w, moon, nullptr));
    yes("it has a name", moon.name() != nullptr);
    refused("an empty name", [&] { moon.set_name(""); });
}

static void instances()
{
    denizen::world w = new_world();
    entity base = w.create(Position{7, 0}), part = w.create(Position{8, 0}).set_parent(base).set_name("engine");
    base.set(Mass{70});
    entity ship = base.instantiate();
    yes("it is a base", base.is_base());
    yes("the base of the instance", ship.base() == base);
    std::printf("Position from the base: %d\n", number(ship));
    yes("its own", ship.source<Position>() == ship);
    refused("write to what is inherited", [&] { ship.get_mut<Position>(); });
    answered("override", [&] { ship.override<Position>(); });
    ship.get_mut<Position>().x = 9;
    yes("its own", ship.source<Position>() == ship);
    std::printf("instance %d, base %d\n", number(ship), number(base));
    base.set(Mass{71});
    std::printf("Mass from the base: %d\n", ship.get<Mass>().kg);
    std::printf("children of the instance: %u\n", ship.child_count());
    std::printf("its engine has %d\n", number(ship.lookup("engine")));
    std::printf("with Position, inherited or not: %u\n", w.query("Position(inherit)").count());
    answered("no longer an instance", [&] { ship.remove(DZ_INSTANCEOF(base)); });
    yes("has Mass", ship.has<Mass>());
    (void)part;
}

static void disabling()
{
    denizen::world w = new_world();
    entity a = w.create(Position{1, 0}, Velocity{1, 1}), b = w.create(Position{2, 0}, Velocity{2, 2});
    auto both = w.query<Position, Velocity>();
    auto still = w.query<Position, denizen::without<Velocity>>();
    answered("disable the first", [&] { a.disable(); });
    answer("again", dz_set_enabled(w, a, false));
    std::printf("matches: %u\n", both.count());
    std::printf("it still has %d\n", number(a));
    answered("disable a component of the second", [&] { b.disable<Velocity>(); });
    std::printf("matches: %u, without Velocity: %u\n", both.count(), still.count());
    yes("has it", b.has<Velocity>());
    yes("is it enabled", b.enabled<Velocity>());
    answered("enable the first", [&] { a.enable(); });
    answered("and the component", [&] { b.enable<Velocity>(); });
    std::printf("matches: %u\n", both.count());
}

void relations()
{
    section("pairs", pairs);
    section("hierarchy", hierarchy);
    section("names", names);
    section("instances", instances);
    section("disabling", disabling);
}
