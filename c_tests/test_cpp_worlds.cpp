/* denizen.hpp: ids belong to worlds; what listeners throw; what threads may read at once. */
#include "check.h"

/* What another thread may do between the end of a world and what the wrapper does behind it. */
static void (*behind_destroy)();
static dz_status destroy_and_wait(dz_world world)
{
    dz_status status = dz_world_destroy(world);
    if (behind_destroy) behind_destroy();
    return status;
}
#define dz_world_destroy destroy_and_wait

#include "check_cpp.hpp"

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

struct Position {
    int32_t x, y;
};
struct Velocity {
    int32_t x, y;
};
struct Name {
    std::string text;
};
struct Frozen {};
struct Late {
    int32_t value;
};
template <int N> struct Kind {
    int32_t value = N;
};

static void order_of_registration()
{
    denizen::world a(check_desc()), b(check_desc());
    a.id<Position>(), a.id<Velocity>();
    b.tag("something else"), b.id<Velocity>(), b.id<Position>();
    CHECK(dz_entity_index(a.id<Position>()) != dz_entity_index(b.id<Position>()));
    CHECK_EQ(dz_entity_index(a.id<Velocity>()) + 0, dz_entity_index(b.id<Velocity>()));
    denizen::entity in_a = a.create(Position{1, 2}, Velocity{3, 4}), in_b = b.create(Velocity{7, 8}, Position{5, 6});
    CHECK(in_a.get<Position>().y == 2 && in_a.get<Velocity>().y == 4 && in_b.get<Position>().y == 6 && in_b.get<Velocity>().y == 8);
    if (check_layout == DZ_LAYOUT_64) THROWS(b.get<Position>(in_a), DZ_ERR_WRONG_WORLD, "does not belong");
}

/* Worlds end, and others get their numbers; what was known of the old ones isn't believed of the new ones. */
static void recycled_worlds()
{
    dz_world_desc narrow = check_desc();
    for (int i = 0; i < 600; i++) {
        denizen::world w(narrow);
        for (int k = 0; k < i % 5; k++) w.tag(std::to_string(k).c_str());
        denizen::entity e = i % 2 ? w.create(Position{i, i}).set(Velocity{-i, -i}).set(Name{"name"})
                                  : w.create(Velocity{-i, -i}).set(Name{"name"}).set(Position{i, i});
        CHECK(e.get<Position>().x == i && e.get<Velocity>().x == -i && e.get<Name>().text == "name");
        CHECK_EQ(dz_component_find(w, "Position"), w.id<Position>());
        CHECK(w.singleton<Late>() == nullptr && !e.has<Late>());
        if (i % 50 == 0) { /* ended by the raw call, behind our back */
            dz_world raw = w.release();
            CHECK_OK(dz_world_destroy(raw));
            THROWS(e.get<Position>(), DZ_ERR_WORLD_DEAD, "");
            THROWS(denizen::world_view(raw).count<Position>(), DZ_ERR_WORLD_DEAD, "");
            THROWS(denizen::world_view(raw).singleton<Position>(), DZ_ERR_WORLD_DEAD, "");
            THROWS(denizen::world_view(raw).id<Position>(), DZ_ERR_WORLD_DEAD, "");
        }
    }
}

/* A constructor that plays with worlds of its own, and throws: the world that called it isn't taken for a dead one. */
struct Level {
    static inline uint32_t number = 0; /* of the world that makes it */
    int32_t value = 0;
    Level()
    {
        dz_world_desc desc = check_desc();
        desc.layout = check_layout == DZ_LAYOUT_64 ? DZ_LAYOUT_32 : DZ_LAYOUT_64;
        for (int i = 0; i < 300; i++) {
            denizen::world inner(desc);
            inner.create(Position{i, i}, Name{"inner"});
            if (inner.number() % 256 == number % 256) break;
        }
        throw 7;
    }
    Level(Level &&) noexcept {}
    ~Level() {}
};

static void worlds_inside_a_hook()
{
    denizen::world w(check_desc());
    Level::number = w.number();
    denizen::entity e = w.create(Velocity{1, 2});
    THROWS_INT(e.add<Level>(), 7);
    CHECK(e.set(Position{3, 4}).get<Position>().y == 4 && e.get<Velocity>().y == 2);
    THROWS_INT(e.add<Level>(), 7);
}

/* Somebody makes a world that gets the number of one that was ended, whose exception has yet to come out. */
static uint32_t ended_number;
static denizen::world next_one = denizen::world::adopt(dz_world{0});
static void take_the_number()
{
    behind_destroy = nullptr;
    do {
        next_one = denizen::world(check_desc());
        next_one.create(Position{1, 2});
    } while (next_one.number() != ended_number);
    auto ear = next_one.on_create([](denizen::entity) { throw 9; });
    dz_create(next_one); /* it comes out of the next call on that world */
}

static void ended_while_others_begin()
{
    for (int by_hand = 0; by_hand < 2; by_hand++) {
        denizen::world w(check_desc());
        auto ear = w.on_destroy([](denizen::entity) { throw 8; });
        w.create(Position{1, 1});
        ended_number = w.number();
        behind_destroy = take_the_number;
        if (by_hand) THROWS_INT(w.destroy(), 8);
        else w = denizen::world::adopt(dz_world{0});
        CHECK(behind_destroy == nullptr);
        THROWS_INT(next_one.create(), 9);
        next_one = denizen::world::adopt(dz_world{0});
    }
}

template <int... Ns> static int32_t all_kinds(denizen::entity e, std::integer_sequence<int, Ns...>)
{
    (e.set(Kind<Ns>{}), ...);
    return (0 + ... + (e.get<Kind<Ns>>().value == Ns));
}

static void many_kinds()
{
    denizen::world w(check_desc());
    CHECK_EQ(all_kinds(w.create(), std::make_integer_sequence<int, 200>()), 200);
    CHECK_EQ(all_kinds(w.create(), std::make_integer_sequence<int, 200>()), 200);
}

static void unregistered_by_others()
{
    denizen::world w(check_desc());
    denizen::entity e = w.create(Position{1, 2});
    CHECK_OK(dz_component_unregister(w, w.id<Position>()));
    THROWS(e.set(Position{3, 4}), DZ_ERR_DEAD, ""); /* a sentence, and no wrong component */
    CHECK(w.component<Position>() != DZ_NULL);
    e.set(Position{3, 4});
    CHECK_EQ(e.get<Position>().y, 4);
}

static void listeners()
{
    denizen::world w(check_desc());
    std::string log;
    denizen::entity who;
    auto added = w.on_add<Position>([&](denizen::entity e, Position &p) { who = e, log += "add " + std::to_string(p.x) + " ", p.y = 9; });
    auto set = w.on_set<Position>([&](denizen::entity, const Position &) { log += "set "; });
    auto removed = w.on_remove<Position>([&](denizen::entity e, Position &p) { log += "remove " + std::to_string(p.y + int(e.has<Position>())) + " "; });
    auto tagged = w.on_add<Frozen>([&](denizen::entity) { log += "frozen "; });
    auto created = w.on_create([&](denizen::entity) { log += "create "; });
    auto destroyed = w.on_destroy([&](denizen::entity e) { log += "destroy ", CHECK(e.alive()); });
    denizen::entity e = w.create();
    e.set(Position{1, 0}).add<Frozen>();
    CHECK(who == e && e.get<Position>().y == 9);
    added.disconnect();
    set = denizen::listener();
    e.remove<Position>().set(Position{2, 2});
    denizen::listener moved = std::move(removed);
    e.destroy();
    CHECK(log == "create add 1 set frozen remove 10 destroy remove 3 ");
    /* A captured object ends with its listener, whether or not the world is there. */
    auto shared = std::make_shared<int>(1);
    {
        auto l = w.on_create([shared](denizen::entity) {});
        CHECK_EQ(shared.use_count(), 2);
    }
    CHECK_EQ(shared.use_count(), 1);
    denizen::listener outlives = w.on_create([shared](denizen::entity) {});
    /* It is moved into its place, not copied. */
    int sum = 0;
    auto a = w.on_add<Position>([&sum, one = std::make_unique<int>(1)](denizen::entity, Position &) { sum += *one; });
    auto s = w.on_set<Position>([&sum, ten = std::make_unique<int>(10)](denizen::entity, Position &) { sum += *ten; });
    auto r = w.on_remove<Position>([&sum, hundred = std::make_unique<int>(100)](denizen::entity) { sum += *hundred; });
    w.create().set(Position{1, 1}).remove<Position>();
    CHECK_EQ(sum, 111);
    w.destroy();
    outlives.disconnect();
    CHECK_EQ(shared.use_count(), 1);
    THROWS(w.on_create([](denizen::entity) {}), DZ_ERR_WORLD_NULL, "");
}

/* A listener sets what is there, also if others registered it and this module has never set it. */
struct Seen {
    int32_t times;
};
struct Unseen {
    int32_t times;
};

static void listeners_that_set()
{
    denizen::world w(check_desc());
    denizen::entity e = w.create(Position{1, 1}, Velocity{2, 2});
    CHECK_OK(dz_add(w, e, DZ_COMPONENT(w, Seen))); /* by C code */
    dz_error_clear();
    auto quick = w.on_set<Position>([](denizen::entity it, const Position &p) { it.set(Seen{p.x}); });
    e.set(Position{3, 3});
    CHECK(e.get<Seen>().times == 3 && dz_error_status() == DZ_OK);
    quick = w.on_set<Position>([](denizen::entity it, Position &) { it.get_or_add<Seen>().times++; });
    e.set(Position{3, 3});
    CHECK_EQ(e.get<Seen>().times, 4);
    /* What isn't there is refused as before, whether it is registered or not; so is what is more than bytes. */
    quick = w.on_set<Velocity>([](denizen::entity it, Velocity &) { it.set(Seen{1}); });
    THROWS(w.create().set(Velocity{1, 1}), DZ_ERR_IN_HOOK, "not allowed inside a hook");
    quick = w.on_set<Velocity>([](denizen::entity it, Velocity &) { it.set(Unseen{1}); });
    THROWS(e.set(Velocity{1, 1}), DZ_ERR_IN_HOOK, "not allowed inside a hook");
    dz_id name = dz_component_simple(w, "Name", sizeof(Name), alignof(Name));
    CHECK_OK(dz_add(w, e, name));
    quick = w.on_set<Velocity>([](denizen::entity it, Velocity &) { it.set(Name{"a name that is too long for the object itself"}); });
    THROWS(e.set(Velocity{1, 1}), DZ_ERR_IN_HOOK, "not allowed inside a hook");
    CHECK_OK(dz_remove(w, e, name));
}

/* Listens for as long as an entity has it. */
struct Watcher {
    denizen::listener ear;
};

/* A listener may end where the library disconnects nobody: it hears no more, and is gone when the call is done. */
static void listeners_that_end_inside()
{
    denizen::world w(check_desc());
    int heard = 0;
    auto shared = std::make_shared<std::string>("a text that lies on the heap");
    for (int i = 0; i < 3; i++) {
        denizen::entity e = w.create();
        e.set(Watcher{w.on_add<Position>([&heard, shared](denizen::entity, Position &) { heard += shared->size() > 0; })});
        w.create(Position{1, 1});
        CHECK(heard == i + 1 && shared.use_count() == 2 && w.stats().listeners == 1);
        if (i == 0) e.destroy();
        if (i == 1) e.remove<Watcher>();
        if (i == 2) CHECK_OK(dz_destroy(w, e)); /* told to C, it is gone after the next call here */
        CHECK_EQ(shared.use_count(), 1);
        w.create(Position{1, 1});
        w.create().add<Frozen>();
        CHECK(heard == i + 1 && w.stats().listeners == 0);
    }

    /* In its own call, which is one of C: what it has captured is gone when that is done. */
    {
        denizen::entity e = w.create();
        dz_id position = w.id<Position>();
        denizen::listener self;
        self = w.on_add<Position>([&, shared](denizen::entity, Position &) { self.disconnect(); });
        CHECK_EQ(shared.use_count(), 2);
        CHECK_OK(dz_add(w, e, position));
        CHECK_EQ(shared.use_count(), 1);
    }

    /* In its own call, and one that comes after it. */
    denizen::listener first, second;
    heard = 0;
    first = w.on_add<Position>([&, shared](denizen::entity it, Position &) {
        first.disconnect();
        second.disconnect();
        heard += shared->size() > 0; /* what it has captured is still there */
        it.set(Velocity{1, 1}); /* a call inside doesn't end it either */
        heard += shared->size() > 0;
    });
    second = w.on_add<Position>([&heard, shared](denizen::entity, Position &) { heard += 100; });
    denizen::entity told = w.create(Velocity{0, 0});
    CHECK_EQ(w.stats().listeners, 2);
    told.set(Position{1, 1});
    CHECK(heard == 2 && shared.use_count() == 1 && w.stats().listeners == 0 && !first && !second);
    w.create(Position{1, 1});
    CHECK_EQ(heard, 2);

    /* Whatever the call was, it is gone when that is done. */
    for (int how = 0; how < 3; how++) {
        denizen::entity without = w.create();
        first = w.on_add<Position>([&](denizen::entity, Position &) { first.disconnect(); });
        if (how == 0) w.create(Position{1, 1});
        if (how == 1) told.clone();
        if (how == 2) without.get_or_add<Position>();
        CHECK(!first && w.stats().listeners == 0);
    }

    /* The world ends with one, and there is nobody to come. */
    denizen::world other(check_desc());
    other.create(Watcher{other.on_add<Position>([shared](denizen::entity, Position &) {})});
    other.destroy();
    CHECK_EQ(shared.use_count(), 1);
    dz_world raw = denizen::world(check_desc()).release();
    denizen::world_view(raw).create(Watcher{denizen::world_view(raw).on_add<Position>([shared](denizen::entity, Position &) {})});
    CHECK_OK(dz_world_destroy(raw));
    CHECK_EQ(shared.use_count(), 1);
}

/* Queries and groups end inside of calls, too: as components, or in a listener. */
struct Search {
    denizen::query<Position> query;
    denizen::group<Velocity> group;
};

static void queries_that_end_inside()
{
    denizen::world w(check_desc());
    denizen::entity first = w.create(Search{w.query<Position>(), w.group<Velocity>()});
    dz_query query_of_first = first.get<Search>().query;
    dz_group group_of_first = first.get<Search>().group;
    uint32_t terms = 0;
    CHECK_OK(dz_query_terms(w, query_of_first, nullptr, 0, &terms));
    first.destroy();
    CHECK_IS(dz_query_terms(w, query_of_first, nullptr, 0, &terms), DZ_ERR_QUERY);
    CHECK(!dz_group_contains(w, group_of_first, first) && dz_error_status() == DZ_ERR_GROUP);
    auto ear = w.on_create([&](denizen::entity) { auto copy = w.query<Position>(); CHECK(copy); });
    THROWS(w.create(), DZ_ERR_IN_HOOK, "not allowed inside a hook"); /* to make one isn't */
    ear.disconnect();
    auto query = w.query<Position>();
    query_of_first = query;
    ear = w.on_create([&](denizen::entity) { query = denizen::query<Position>(); });
    w.create().add<Frozen>();
    CHECK_IS(dz_query_terms(w, query_of_first, nullptr, 0, &terms), DZ_ERR_QUERY);
    /* And outlive their worlds. */
    query = w.query<Position>();
    denizen::group<Velocity> group = w.group<Velocity>();
    w.destroy();
}

/* What a listener throws comes out of the call that told it, which is done; of several the first. */
static void throwing_listeners()
{
    denizen::world w(check_desc());
    int calls = 0;
    auto first = w.on_add<Position>([&](denizen::entity, Position &) { calls++; throw 1; });
    auto second = w.on_add<Position>([&](denizen::entity, Position &) { calls++; throw 2; });
    denizen::entity e = w.create();
    THROWS_INT(e.set(Position{1, 1}), 1);
    CHECK(calls == 2 && e.has<Position>());
    e.set(Position{2, 2}); /* it is gone */
    THROWS_INT(w.create(Position{1, 1}), 1);
    CHECK_EQ(w.count<Position>(), 2);
    dz_entity many[20];
    w.create_n(many);
    THROWS_INT(w.add_n<Position>(many), 1);
    CHECK(calls == 44 && w.count<Position>() == 22);
    /* Thrown at a raw call it is kept for the next one here on that world, and no other. */
    denizen::world other(check_desc());
    CHECK_OK(dz_add(w, dz_create(w), w.id<Position>()));
    other.create();
    THROWS_INT(w.create(), 1);
    w.create();
    auto structural = w.on_create([&](denizen::entity it) { it.add<Frozen>(); });
    THROWS(w.create(), DZ_ERR_IN_HOOK, "not allowed inside a hook");
    structural.disconnect();
    auto last = w.on_destroy([](denizen::entity) { throw 5; });
    THROWS_INT(w.clear(), 5);
    w.create();
    THROWS_INT(w.destroy(), 5);
    CHECK(!w.alive());
    denizen::world quiet(check_desc());
    quiet.create();
    auto dropped = quiet.on_destroy([](denizen::entity) { throw 6; }); /* by the destructor, which can't throw */
}

/* Reads may run together, also those that meet a type for the first time. */
static void threads()
{
    denizen::world w(check_desc());
    std::vector<denizen::entity> e;
    for (int i = 0; i < 100; i++) e.push_back(w.create(Position{i, i}));
    DZ_COMPONENT(w, Late); /* this module hasn't met it in this world */
    const denizen::world &reader = w;
    std::atomic<int> wrong{0};
    auto read = [&] {
        for (int i = 0; i < 100; i++) {
            denizen::entity it = e[static_cast<size_t>(i)];
            if (reader.get<Position>(it).x != i || reader.has<Late>(it) || reader.try_get<Velocity>(it) || reader.count<Late>() != 0) wrong++;
        }
    };
    auto write = [&] { /* worlds of their own */
        for (int i = 0; i < 20; i++) {
            denizen::world mine(check_desc());
            if (mine.create(Velocity{i, i}, Kind<1>{}, Late{2}).get<Velocity>().x != i) wrong++;
        }
    };
    std::thread a(read), b(write), c(read), d(write);
    a.join(), b.join(), c.join(), d.join();
    CHECK_EQ(wrong.load(), 0);
}

/* A world whose object ends inside one of its own listeners ends when the call is done. */
static void ended_inside_its_listener()
{
    auto w = std::make_unique<denizen::world>(check_desc());
    dz_world handle = *w;
    denizen::listener listener = w->on_add<Position>([&](denizen::entity) { w.reset(); });
    denizen::entity e = w->create();
    e.set(Position{1, 2});
    CHECK(!w && !dz_world_is_alive(handle));
    CHECK(dz_why(handle, e.handle()) == DZ_ERR_WORLD_DEAD);
}

int main()
{
    RUN(order_of_registration);
    RUN(recycled_worlds);
    RUN(worlds_inside_a_hook);
    RUN(ended_while_others_begin);
    RUN(many_kinds);
    RUN(unregistered_by_others);
    RUN(listeners);
    RUN(listeners_that_set);
    RUN(listeners_that_end_inside);
    RUN(ended_inside_its_listener);
    RUN(queries_that_end_inside);
    RUN(throwing_listeners);
    RUN(threads);
    return check_done();
}
