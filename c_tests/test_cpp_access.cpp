/* denizen.hpp: worlds, entities and what they have, by methods; and the raw calls beside them. */
#include "check_cpp.hpp"

#include <array>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

struct Position {
    int32_t x, y;
};
struct Mass {
    int32_t kg;
};
struct Frozen {};
struct Likes {
    int32_t how_much;
};
struct DockedAt {};
struct Charge {
    int32_t amount = 7;
};
struct Name {
    std::string text;
};

/* Handles and wrappers are told apart, cost nothing, and convert to what the C functions take. */
static_assert(sizeof(denizen::entity) == 16 && std::is_trivially_copyable_v<denizen::entity>);
static_assert(!std::is_copy_constructible_v<denizen::world> && std::is_nothrow_move_constructible_v<denizen::world>);
static_assert(!std::is_copy_constructible_v<denizen::query<Position>> && std::is_nothrow_move_constructible_v<denizen::query<Position>>);
static_assert(std::is_convertible_v<denizen::world, dz_world> && std::is_convertible_v<denizen::entity, dz_entity>);
static_assert(!std::is_convertible_v<denizen::entity, bool *> && !std::is_convertible_v<dz_entity, denizen::entity>);

using denizen::entity;

static void worlds()
{
    denizen::world w(check_desc());
    CHECK(w.alive() && w.why() == DZ_OK);
    denizen::entity e = w.create(Position{1, 2});
    denizen::world moved(std::move(w));
    CHECK(!w.alive() && w.why() == DZ_ERR_WORLD_NULL);
    CHECK_EQ(moved[e].get<Position>().x, 1);
    CHECK_EQ(e.get<Position>().y, 2); /* it knows the world, not the object */
    w = std::move(moved);
    CHECK_EQ(w.stats().alive, 3); /* it, Position, and the built-in component */
    dz_world raw = w.release();
    w = denizen::world::adopt(raw);
    denizen::world_view view = w;
    CHECK_EQ(view.number(), dz_world_number(raw));
    view.reserve(100);
    view.clear();
    CHECK(!e.alive() && e.why() == DZ_ERR_DEAD);
    view.shrink();
    w.destroy();
    THROWS(w.destroy(), DZ_ERR_WORLD_NULL, "dz_world_destroy");
    THROWS(view.create(), DZ_ERR_WORLD_DEAD, "was destroyed");
    THROWS(e.get<Position>(), DZ_ERR_WORLD_DEAD, "was destroyed");
    dz_world_desc desc = check_desc();
    desc.layout = 9;
    THROWS(denizen::world(desc), DZ_ERR_ENUM, "layout");
}

static void components()
{
    denizen::world w(check_desc());
    denizen::entity e = w.create();
    CHECK(!e.has<Position>());
    CHECK(e.try_get<Position>() == nullptr); /* not even registered */
    CHECK_EQ(w.count<Position>(), 0);
    CHECK_EQ(dz_component_find(w, "Position"), DZ_NULL); /* to ask registers nothing */
    e.add<Position>();
    CHECK_EQ(dz_component_find(w, "Position"), w.id<Position>());
    CHECK_EQ(e.get<Position>().x, 0);
    e.set(Position{3, 4}).add<Frozen>().emplace<Mass>(5);
    CHECK(e.has<Position>() && e.has<Frozen>() && e.has<Mass>());
    e.get_mut<Position>().x = 30;
    CHECK_EQ(e.try_get<Position>()->x, 30);
    e.try_get_mut<Position>()->y = 40;
    CHECK_EQ(w.get<Position>(e).y, 40);
    Position here{5, 6};
    e.set(here).set<Position>(here);
    e.set<Position>({7, 8});
    CHECK_EQ(e.get<Position>().y, 8);
    e.remove<Mass>().remove<Mass>();
    CHECK(!e.has<Mass>() && e.try_get<Mass>() == nullptr && e.try_get_mut<Mass>() == nullptr);
    CHECK_EQ(e.get_or_add<Mass>().kg, 0);
    CHECK_EQ(e.get_or_add<Mass>().kg = 9, 9);
    CHECK_EQ(e.get_or_add<Mass>().kg, 9);
    e.set(Frozen{}); /* a tag is added */

    /* What T() makes, also where the library would make zeros. */
    e.add<Charge>();
    CHECK_EQ(e.get<Charge>().amount, 7);
    e.get_mut<Charge>().amount = 1;
    e.add<Charge>();
    CHECK_EQ(e.get<Charge>().amount, 1);
    CHECK_EQ(w.create().get_or_add<Charge>().amount, 7);

    /* The world's forms. */
    CHECK(w.add<Frozen>(e) == false && w.remove<Frozen>(e) && !w.remove<Frozen>(e) && w.add<Frozen>(e));
    w.set(e, Mass{1});
    w.emplace<Mass>(e, 2);
    CHECK_EQ(w.get_mut<Mass>(e).kg, 2);
    CHECK(w.try_get<Mass>(e) == w.try_get_mut<Mass>(e) && w.has<Mass>(e));
    CHECK(w.owner(e.get<Mass>()) == e);
    CHECK_EQ(w.count<Mass>(), 1);
    w.clear<Mass>();
    CHECK_EQ(w.count<Mass>(), 0);

    /* By id, beside the raw calls. */
    dz_id burning = w.tag("burning");
    e.add(burning);
    CHECK(e.has(burning) && dz_has(w, e, burning));
    e.remove(burning);
    CHECK(!e.has(burning));
    CHECK_OK(dz_set(w, e, w.id<Mass>(), sizeof(Mass), &static_cast<const Mass &>(Mass{44})));
    CHECK_EQ(e.get<Mass>().kg, 44);

    /* Create with values; lvalues are copied, rvalues moved, tags added. */
    Name name{"a name that is too long for the object itself"};
    denizen::entity all = w.create(Position{1, 1}, name, Charge{}, Frozen{});
    CHECK(all.get<Name>().text == name.text && all.has<Frozen>());
    denizen::entity moved = w.create(std::move(name));
    CHECK(name.text.empty() && moved.get<Name>().text.size() == 45);
    denizen::entity twin = moved.clone();
    CHECK(twin.get<Name>().text == moved.get<Name>().text && twin != moved);
    moved.destroy();
    w.destroy(twin);
    CHECK(!w.is_alive(moved) && !twin.alive());
    CHECK(!denizen::entity() && twin && denizen::entity().why() == DZ_ERR_WORLD_NULL);
    w.unregister<Name>();
    CHECK_EQ(dz_component_find(w, "Name"), DZ_NULL);
    CHECK(w.create(Name{"anew"}).get<Name>().text == "anew");
}

/* T() is made of bytes with default values, whoever adds them; for an instance it is its own, or (get_or_add) its base's. */
static void default_values()
{
    denizen::world w(check_desc());
    int added = 0, set = 0;
    auto adds = w.on_add<Charge>([&](denizen::entity, const Charge &charge) { added += charge.amount; });
    auto sets = w.on_set<Charge>([&](denizen::entity, const Charge &) { set++; });
    denizen::entity e = w.create().add<Charge>();
    CHECK(added == 7 && set == 0 && e.get<Charge>().amount == 7);
    CHECK_OK(dz_add(w, w.create(), w.id<Charge>()));
    std::vector<dz_entity> many(3);
    w.create_n(many);
    w.add_n<Charge>(many);
    CHECK(added == 5 * 7 && set == 0 && w.get<Charge>(many[2]).amount == 7);

    denizen::entity base = w.create(Charge{9}, Mass{9});
    denizen::entity a = base.instantiate(), b = base.instantiate();
    CHECK_EQ(a.get_or_add<Charge>().amount, 9);
    CHECK(a.source<Charge>() == a && a.get_or_add<Mass>().kg == 9 && a.source<Mass>() == a);
    b.add<Charge>().add<Mass>();
    CHECK(b.source<Charge>() == b && b.get<Charge>().amount == 7 && b.source<Mass>() == b && b.get<Mass>().kg == 0);
    CHECK(w.add<Charge>(b) == false);
}

static void bulk()
{
    denizen::world w(check_desc());
    std::vector<dz_entity> e(10);
    w.create_n(e);
    std::vector<Mass> masses;
    for (int32_t i = 0; i < 10; i++) masses.push_back({i});
    w.set_n<Mass>(e, masses);
    w.add_n<Frozen>(e);
    w.add_n<Position>(e);
    CHECK_EQ(w.count<Frozen>(), 10);
    std::array<Name, 2> names{{{"a name that is too long for the object itself"}, {"short"}}};
    const Position places[] = {{1, 2}, {3, 4}};
    dz_entity named[2];
    w.create_n(named, names, places);
    CHECK(w.get<Name>(named[0]).text == names[0].text && w.get<Name>(named[1]).text == "short" && w.get<Position>(named[1]).y == 4);
    THROWS(w.create_n(named, places, masses), DZ_ERR_COUNT, "create_n: there are 2 entities, but 10 values");
    CHECK(w.count<Name>() == 2 && w.count<Position>() == 12 && w.count<Mass>() == 10);
    w.create_n(denizen::span<dz_entity>(), std::vector<Mass>());
    w.destroy_n(named);
    const Mass *at[10];
    w.get_n(denizen::span<const dz_entity>(e), at);
    for (int32_t i = 0; i < 10; i++) CHECK_EQ(at[i]->kg, i);
    const Likes *none[10];
    w.get_n(denizen::span<const dz_entity>(e), none);
    CHECK(none[9] == nullptr);
    dz_entity two[] = {e[3], e[4]};
    w.remove_n<Frozen>(two);
    CHECK_EQ(w.count<Frozen>(), 8);
    w.destroy_n(two);
    THROWS(w.destroy_n(two), DZ_ERR_DEAD, "is dead");
    THROWS(w.set_n<Mass>(two, masses), DZ_ERR_COUNT, "there are 2 entities, but");
    uint32_t living = 0;
    for (denizen::entity it : w.entities()) living += it.alive() && !dz_has(w, it, dz_component_id(w));
    CHECK_EQ(living, 8);
    dz_entity again = e[3] + (check_layout == DZ_LAYOUT_64 ? dz_entity{1} << 32 : dz_entity{1} << 20);
    CHECK(w.create_at(again).alive());
    THROWS(w.create_at(again), DZ_ERR_OCCUPIED, "");
}

static void pairs()
{
    denizen::world w(check_desc());
    denizen::entity bob = w.create(), alice = w.create(), port = w.create();
    bob.set_pair(alice, Likes{5}).add_pair<DockedAt>(port);
    CHECK_EQ(bob.get_pair<Likes>(alice).how_much, 5);
    bob.get_pair_mut<Likes>(alice).how_much = 6;
    CHECK_EQ(bob.try_get_pair<Likes>(alice)->how_much, 6);
    CHECK(bob.has_pair<Likes>(alice) && bob.has_pair<DockedAt>(port) && !bob.has_pair<Likes>(port) && !alice.has_pair<Mass>(bob));
    CHECK(bob.try_get_pair<Likes>(port) == nullptr && bob.try_get_pair_mut<Likes>(port) == nullptr);
    CHECK(bob.target<DockedAt>() == port && !alice.target<DockedAt>() && !alice.target<Mass>());
    CHECK(bob.has(w.pair<Likes>(alice)));
    bob.remove_pair<Likes>(alice);
    CHECK(!bob.has_pair<Likes>(alice));
    THROWS(bob.get_pair<Likes>(alice), DZ_ERR_NOT_HELD, "have component \"Likes\"");
    /* To ask registers nothing. */
    CHECK(bob.try_get_pair<Charge>(alice) == nullptr && bob.try_get_pair_mut<Charge>(alice) == nullptr);
    THROWS(bob.get_pair<Charge>(alice), DZ_ERR_NOT_HELD, "have component \"Charge\"");
    THROWS(denizen::entity(w, DZ_NULL).try_get_pair<Charge>(alice), DZ_ERR_NULL_ENTITY, "");
    THROWS(bob.try_get_pair<Charge>(DZ_NULL), DZ_ERR_NULL_ENTITY, "");
    CHECK_EQ(dz_component_find(w, "Charge"), DZ_NULL);

    /* A relation that is no type; its pairs have the values of the target if that is a component. */
    denizen::entity needs = w.create();
    bob.add_pair(needs, alice).set_pair(needs, w.id<Mass>(), Mass{8});
    CHECK_EQ(bob.try_get_pair<Mass>(needs, w.id<Mass>())->kg, 8);
    bob.try_get_pair_mut<Mass>(needs, w.id<Mass>())->kg = 9;
    CHECK_EQ(bob.get_pair<Mass>(needs, w.id<Mass>()).kg, 9);
    bob.get_pair_mut<Mass>(needs, w.id<Mass>()).kg = 10;
    CHECK_EQ(bob.get_pair<Mass>(needs, w.id<Mass>()).kg, 10);
    THROWS(alice.get_pair<Mass>(needs, w.id<Mass>()), DZ_ERR_NOT_HELD, "have component \"Mass\"");
    THROWS(alice.get_pair_mut<Mass>(needs, w.id<Mass>()), DZ_ERR_NOT_HELD, "have component \"Mass\"");
    THROWS(bob.get_pair<Position>(needs, w.id<Mass>()), DZ_ERR_SHAPE, "no values of \"Position\"");
    CHECK(bob.has_pair(needs, alice) && bob.target(needs));
    bob.remove_pair(needs, alice);
    CHECK(!bob.has_pair(needs, alice));
    THROWS(bob.set_pair(needs, w.id<Mass>(), Position{1, 1}), DZ_ERR_SHAPE, "no values of \"Position\"");
    THROWS(bob.try_get_pair<Position>(needs, w.id<Mass>()), DZ_ERR_SHAPE, "no values of \"Position\"");
    THROWS((bob.set_pair(w.id<Likes>(), w.id<Mass>(), Mass{1})), DZ_ERR_SHAPE, "no values of \"Mass\"");

    dz_relation_desc exclusive = DZ_RELATION_DESC_INIT;
    exclusive.exclusive = 1;
    bob.remove_pair<DockedAt>(port);
    w.relation<DockedAt>(exclusive);
    bob.add_pair<DockedAt>(port).add_pair<DockedAt>(alice);
    CHECK(!bob.has_pair<DockedAt>(port) && bob.target<DockedAt>() == alice);
    using list = std::vector<dz_entity>;
    CHECK((bob.targets<DockedAt, list>() == list{alice}) && (bob.targets<Charge, list>().empty()));
    for (entity it : {port, alice, bob}) bob.add_pair(needs, it);
    CHECK((bob.targets<list>(needs) == list{bob, alice, port, w.id<Mass>()}) && port.targets<list>(needs).empty());
    CHECK((w.holders<list>(w.pair(needs, port)) == list{bob}));
    list has = bob.type<list>();
    CHECK(has.size() == 5 && has[0] == w.pair(needs, bob) && has[3] == w.pair<DockedAt>(alice));
    THROWS(w.holders<list>(w.id<Mass>()), DZ_ERR_IS_COMPONENT, "");
    THROWS(bob.targets<list>(DZ_NULL), DZ_ERR_NULL_ENTITY, "");
    THROWS((entity(w, DZ_NULL).targets<Charge, list>()), DZ_ERR_NULL_ENTITY, "");
    THROWS(entity(w, DZ_NULL).type<list>(), DZ_ERR_NULL_ENTITY, "");
    port.destroy();
    THROWS(bob.add_pair<DockedAt>(port), DZ_ERR_DEAD, "is dead");
}

static void hierarchy()
{
    denizen::world w(check_desc());
    denizen::entity sol = w.create().set_name("sol"), earth = w.create().set_name("earth").set_parent(sol);
    denizen::entity moon = w.create().set_name("moon").set_parent(earth);
    CHECK(moon.parent() == earth && !sol.parent() && sol.first_child() == earth);
    CHECK(std::strcmp(moon.name(), "moon") == 0 && w.create().name() == nullptr);
    CHECK(w.lookup("sol.earth.moon") == moon && sol.lookup("earth/moon", "/") == moon && !w.lookup("sol.mars"));
    dz_error_clear();
    CHECK(moon.path<std::string>(moon).empty() && sol.path<std::string>(sol, "/").empty());
    CHECK(moon.path<std::string>() == "sol.earth.moon" && moon.path<std::string>(sol, "/") == "earth/moon");
    CHECK(moon.depth() == 2 && sol.child_count() == 1);
    using list = std::vector<dz_entity>;
    CHECK((moon.ancestors<list>() == list{earth, sol}) && sol.ancestors<list>().empty());
    std::vector<denizen::entity> more;
    for (int i = 0; i < 200; i++) more.push_back(w.create().set_parent(earth));
    uint32_t n = 0;
    for (denizen::entity child : earth.children()) {
        if (n > 0) CHECK(child == more[n - 1]);
        n++;
    }
    CHECK_EQ(n, 201);
    n = 0;
    for (denizen::entity it : sol.subtree(DZ_CHILDREN_FIRST)) n++, (void)it;
    CHECK_EQ(n, 203);
    for (denizen::entity it : moon.children()) CHECK(!it);
    earth.move_child(moon, DZ_PLACE_LAST);
    CHECK(earth.last_child() == moon && moon.previous_sibling() == more[199] && more[199].next_sibling() == moon);
    THROWS(sol.move_child(moon, DZ_PLACE_FIRST), DZ_ERR_SIBLING, "is not a child of");
    THROWS(moon.move_child(sol, DZ_PLACE_FIRST), DZ_ERR_SIBLING, "is not a child of");
    THROWS(earth.move_child(DZ_NULL, DZ_PLACE_FIRST), DZ_ERR_NULL_ENTITY, "dz_move_child");
    CHECK(earth.last_child() == moon);
    THROWS(sol.set_parent(moon), DZ_ERR_CYCLE, "");
    THROWS(more[0].set_parent(sol).set_name("earth"), DZ_ERR_NAME_TAKEN, "the name \"earth\" is taken");
    moon.set_name(nullptr).set_parent(DZ_NULL);
    CHECK(!moon.parent() && moon.name() == nullptr);
    sol.destroy();
    CHECK(!earth.alive() && !more[5].alive() && moon.alive());
    THROWS(earth.move_child(moon, DZ_PLACE_LAST), DZ_ERR_DEAD, "is dead");
    std::unordered_set<denizen::entity> some{moon, earth, moon};
    CHECK(some.size() == 2 && some.count(moon) == 1 && some.count(sol) == 0);
    THROWS(earth.parent(), DZ_ERR_DEAD, "is dead");
    THROWS(earth.ancestors<list>(), DZ_ERR_DEAD, "is dead");
    THROWS(earth.name(), DZ_ERR_DEAD, "is dead");
    THROWS(earth.path<std::string>(), DZ_ERR_DEAD, "is dead");
}

static entity with_children(denizen::world &w, int n, entity parent = entity())
{
    entity it = w.create();
    if (parent) it.set_parent(parent);
    for (int i = 0; i < n; i++) w.create().set_parent(it);
    return it;
}

/* Loops over entities that the body destroys and moves, over more than a page of them. */
static void changed_on_the_way()
{
    denizen::world w(check_desc());
    for (int n : {0, 1, 63, 64, 65, 128, 200}) {
        entity p = with_children(w, n), q = with_children(w, n), r = with_children(w, n);
        int seen = 0;
        for (entity child : p.children()) child.destroy(), seen++;
        CHECK(seen == n && p.child_count() == 0);
        seen = 0;
        for (entity child : q.children()) child.set_parent(p), seen++;
        CHECK(seen == n && q.child_count() == 0 && p.child_count() == static_cast<uint32_t>(n));
        seen = 0;
        for (entity child : r.children()) { /* every other one, and the one behind it */
            seen++;
            if (entity next = child.next_sibling()) next.destroy();
        }
        CHECK_EQ(seen, (n + 1) / 2);
        seen = 0;
        for (entity it : p.subtree(DZ_CHILDREN_FIRST)) it.destroy(), seen++;
        CHECK(seen == n + 1 && !p.alive());
    }
    /* Those below go along, and aren't seen; what is behind is. */
    entity root = with_children(w, 0);
    for (int i = 0; i < 5; i++) with_children(w, 100, root);
    int seen = 0;
    for (entity it : root.subtree()) {
        seen++;
        if (it.child_count() == 100) it.destroy();
    }
    CHECK(seen == 6 && root.child_count() == 0);
    /* Nobody is left to go on from. */
    entity lost = with_children(w, 100);
    auto lose = [&] {
        for (entity child : lost.children()) CHECK(child.alive()), lost.destroy();
    };
    THROWS(lose(), DZ_ERR_DEAD, "is dead");
    seen = 0;
    with_children(w, 200);
    for (entity it : w.entities()) {
        if (!dz_has(w, it, dz_component_id(w))) it.destroy(), seen++;
    }
    CHECK(seen > 1 && seen < 202); /* children go with their parents */
    for (entity it : w.entities()) CHECK(dz_has(w, it, dz_component_id(w)));
}

/* What isn't there is an answer; that it can't be there is an error. */
static void absent_or_wrong()
{
    denizen::world w(check_desc());
    denizen::entity it = w.create(Position{1, 2}, Mass{3}), gone = w.create(Position{1, 2});
    gone.destroy();
    THROWS(gone.has<Mass>(), DZ_ERR_DEAD, "dz_has: entity");
    THROWS(gone.try_get<Mass>(), DZ_ERR_DEAD, "dz_get: entity");
    THROWS(gone.try_get_mut<Mass>(), DZ_ERR_DEAD, "dz_get_mut: entity");
    for (int old = 0; old < 2; old++) { /* an error that was there before is none of theirs */
        dz_error_clear();
        if (old) CHECK(!dz_has(w, gone, w.id<Mass>()) && dz_error_status() == DZ_ERR_DEAD);
        CHECK(!it.has<Likes>() && !it.try_get<Likes>() && !it.try_get_mut<Likes>());
        CHECK(!it.remove<Mass>().has<Mass>() && !it.try_get<Mass>() && !it.try_get_mut<Mass>());
        it.set(Mass{3});
    }
    CHECK_OK(dz_component_unregister(w, w.id<Mass>())); /* by C code, which doesn't tell */
    for (dz_entity e : {it.handle(), gone.handle(), dz_entity{DZ_NULL}}) {
        denizen::entity any(w, e);
        dz_status why = e == DZ_NULL ? DZ_ERR_NULL_ENTITY : DZ_ERR_DEAD;
        THROWS(any.has<Mass>(), why, "");
        THROWS(any.try_get<Mass>(), why, "");
        THROWS(any.try_get_mut<Mass>(), why, "");
    }
}

static void instances_and_the_rest()
{
    denizen::world w(check_desc());
    denizen::entity base = w.create(Position{1, 2}, Mass{3});
    denizen::entity it = base.instantiate();
    CHECK(it.base() == base && base.is_base() && it.source<Mass>() == base && !it.source<Likes>());
    CHECK_EQ(it.get<Mass>().kg, 3);
    THROWS(it.get_mut<Mass>(), DZ_ERR_INHERITED, "from its base");
    THROWS(it.try_get_mut<Mass>(), DZ_ERR_INHERITED, "from its base");
    it.override<Mass>();
    it.get_mut<Mass>().kg = 4;
    CHECK(base.get<Mass>().kg == 3 && it.source<Mass>() == it);
    base.set_base(false);

    it.disable();
    CHECK(!it.enabled() && it.has<Mass>());
    it.enable().enable();
    it.disable<Mass>();
    CHECK(it.enabled() && !it.enabled<Mass>() && base.enabled<Mass>() && !it.enabled<Likes>());
    it.enable<Mass>();
    CHECK(it.enabled<Mass>());
    THROWS(it.disable<Likes>(), DZ_ERR_NOT_HELD, "have component");

    CHECK(w.singleton<Name>() == nullptr && w.singleton_mut<Name>() == nullptr);
    w.set_singleton(Name{"level"});
    w.singleton_mut<Name>()->text += " 1";
    CHECK(w.singleton<Name>()->text == "level 1");
    w.remove_singleton<Name>();
    CHECK(w.singleton<Name>() == nullptr);
    CHECK(dz_component_unregister(w, w.id<Name>()) == DZ_OK); /* behind its back */
    THROWS(w.count<Name>(), DZ_ERR_DEAD, "dz_count");
    THROWS(w.singleton<Name>(), DZ_ERR_DEAD, "");
    THROWS(w.singleton_mut<Name>(), DZ_ERR_DEAD, "");
}

template <class T, class A, class = void> inline constexpr bool takes_base = false;
template <class T, class A> inline constexpr bool takes_base<T, A, std::void_t<decltype(std::declval<T>().set_base(std::declval<A>()))>> = true;

struct First {
    int32_t value;
};
struct Second : First {
    int32_t more;
};

/* Small things that are as one would expect. */
static void as_expected()
{
    denizen::world w(check_desc()), other(check_desc());
    const std::string name = "sun";
    entity sun = w.create().set_name(name), planet = w.create().set_parent(sun);
    CHECK(w.lookup(name) == sun && sun.lookup(std::string("nobody")) == entity(w, DZ_NULL));
    sun.add<Frozen, First>();
    CHECK((sun.has<Frozen, First>()) && !(planet.has<First, Frozen>()));
    CHECK((w.has<Frozen, First>(sun)) && !(w.has<First, Frozen>(planet)));
    CHECK_EQ(w.query<First>(std::string("First")).count(), 1u);
    CHECK(!(sun.remove<First, Frozen>().has<First>()));
    /* Several worlds may have the same handles. */
    std::set<entity> both;
    for (uint32_t i = 0; i < 3; i++) both.insert(other.create()), both.insert(w[planet.handle()]);
    CHECK_EQ(both.size(), 4u);
    CHECK((sun < planet) != (planet < sun) && sun <= sun && !(sun > sun) && sun >= sun);
    CHECK(denizen::world_view(w) == w && denizen::world_view(w) != other);
    First value{7};
    w.set_singleton<First>(value);
    CHECK_EQ(w.singleton<First>()->value, 7);
    w.set_singleton(First{8});
    CHECK_EQ(w.singleton<First>()->value, 8);
    planet.destroy();
    THROWS([&] { for (entity it : planet.children()) CHECK(!it); }(), DZ_ERR_DEAD, "dead");
    THROWS([&] { for (entity it : planet.subtree()) CHECK(!it); }(), DZ_ERR_DEAD, "dead");
    static_assert(!takes_base<entity, entity> && takes_base<entity, bool>, "an entity is no bool");
    static_assert(!std::is_convertible_v<std::vector<Second> &, denizen::span<const First>>, "its elements are larger");
    static_assert(std::is_convertible_v<std::vector<First> &, denizen::span<const First>>, "these are the same");
}

int main()
{
    RUN(worlds);
    RUN(components);
    RUN(default_values);
    RUN(bulk);
    RUN(pairs);
    RUN(hierarchy);
    RUN(changed_on_the_way);
    RUN(absent_or_wrong);
    RUN(instances_and_the_rest);
    RUN(as_expected);
    return check_done();
}
