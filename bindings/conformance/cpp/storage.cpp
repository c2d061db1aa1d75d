/* Constructors and their like, arrays of entities, and listeners. */
#include "conformance.hpp"

/* Says what becomes of what the library holds, and counts that. Values of the program's own, made with a number, are quiet. */
struct Counted {
    static inline int living = 0;
    int32_t value;
    bool held;

    Counted() : value(100), held(true) { living++, std::printf("  Counted: construct 1\n"); }
    explicit Counted(int32_t v) : value(v), held(false) {}
    Counted(const Counted &other) : value(other.value), held(true)
    {
        if (value < 0) std::printf("  Counted: copy refused\n"), throw other.value;
        living++, std::printf("  Counted: copy 1, first %d\n", value);
    }
    Counted(Counted &&other) noexcept : value(other.value), held(std::exchange(other.held, false))
    {
        if (held) std::printf("  Counted: relocate 1, first %d\n", value);
    }
    ~Counted()
    {
        if (held) living--, std::printf("  Counted: destruct 1, first %d\n", value);
    }
};

static void hooks()
{
    {
        denizen::world w = new_world();
        w.id<Counted>();
        const Counted two(2), twenty_two(22), three(3), bad(-1);
        entity a = w.create(), b = w.create(), c = w.create();
        answered("add to the first", [&] { a.add<Counted>(); });
        answered("set on the second, new", [&] { b.set(two); });
        answered("set on the second, again", [&] { b.set(twenty_two); });
        answered("set on the third", [&] { c.set(three); });
        try {
            c.set(bad);
        } catch (int thrown) { /* what the constructor threw */
            answer("set that fails", thrown == -1 ? dz_error_status() : DZ_OK);
            refusal("because", dz_error_status(), dz_error_message());
        }
        entity d = b.clone();
        std::printf("the clone has %d\n", d.get<Counted>().value);
        answered("remove from the first", [&] { a.remove<Counted>(); });
        answered("destroy the second", [&] { b.destroy(); });
        answer("remove what isn't there", w.remove<Counted>(a) ? DZ_OK : DZ_NOT_THERE);
        std::printf("living: %d\n", Counted::living);
    }
    std::printf("living after the world: %d\n", Counted::living);
}

static void bulk()
{
    denizen::world w = new_world();
    dz_id position = w.id<Position>(), mass = w.id<Mass>(), frozen = w.id<Frozen>();
    const Position places[4] = {{1, 10}, {2, 20}, {3, 30}, {4, 40}};
    const Mass masses[2] = {{50}, {60}};
    const dz_column columns[2] = {{position, places, sizeof(Position), 0}, {frozen, nullptr, 0, 0}};
    dz_entity e[4], plain[3];
    const Mass *found[4];
    void *write[4];
    dz_status report[4];
    uint8_t has[4];

    answer("create 4 with columns", dz_create_with(w, 4, columns, 2, e));
    answered("create 3", [&] { w.create_n(plain); });
    std::printf("have Position: %u, Frozen: %u\n", w.count<Position>(), w.count<Frozen>());
    answered("set mass on 2", [&] { w.set_n<Mass>({e + 1, 2}, masses); });
    answered("get mass of 4", [&] { w.get_n<Mass>(e, found); });
    for (int i = 0; i < 4; i++) std::printf("  %d: %d\n", i, found[i] ? found[i]->kg : -1);
    answer("has mass of 4", dz_has_n(w, e, 4, mass, has));
    std::printf("  %u %u %u %u\n", has[0], has[1], has[2], has[3]);
    answer("get_mut of 4", dz_get_mut_n(w, e, 4, position, write));
    for (void *p : write) static_cast<Position *>(p)->x *= 100;
    std::printf("  the last has %d %d\n", w.get<Position>(e[3]).x, w.get<Position>(e[3]).y);
    answered("remove Frozen from 2", [&] { w.remove_n<Frozen>({e, 2}); });
    answer("again", dz_remove_n(w, e, 2, frozen));
    answered("add Frozen to 4", [&] { w.add_n<Frozen>(e); });
    answer("again", dz_add_n(w, e, 4, frozen));
    answer("add to none", dz_add_n(w, e, 0, frozen));
    const dz_entity twice[2] = {plain[0], plain[0]};
    refused("add to the same twice", [&] { w.add_n<Frozen>(twice); });
    yes("one of them has it", w.has<Frozen>(plain[0]));
    w.destroy(e[1]);
    refused("destroy 4, all or none", [&] { w.destroy_n(e); });
    yes("the first lives", w.is_alive(e[0]));
    answer("destroy 4, each by itself", dz_destroy_n(w, e, 4, report));
    for (int i = 0; i < 4; i++) std::printf("  %d: %s\n", i, dz_status_name(report[i]));
    std::printf("have Position: %u\n", w.count<Position>());
}

static void listeners()
{
    denizen::world w = new_world();
    w.id<Position>();
    auto told = [](const char *kind, entity it, const Position *p) {
        std::printf("  told of %s", kind);
        if (p) std::printf(", value %d", p->x);
        std::printf(", has it: %d\n", bool(it.has<Position>()));
    };
    denizen::listener on_add = w.on_add<Position>([&](entity it, Position &p) {
        told("add", it, &p);
        refused("  destroy from a listener", [&] { it.destroy(); });
    });
    auto on_set = w.on_set<Position>([&](entity it, Position &p) { told("set", it, &p); });
    auto on_remove = w.on_remove<Position>([&](entity it, Position &p) { told("remove", it, &p); });
    auto on_create = w.on_create([&](entity it) { told("create", it, nullptr); });
    auto on_destroy = w.on_destroy([&](entity it) { told("destroy", it, nullptr); });
    entity it = w.create();
    answered("set, new", [&] { it.set(Position{1, 0}); });
    answered("set, again", [&] { it.set(Position{2, 0}); });
    answered("remove", [&] { it.remove<Position>(); });
    dz_listener handle = on_add;
    answered("disconnect add", [&] { on_add.disconnect(); });
    answer("disconnect it again", dz_unlisten(w, handle));
    dz_error_clear();
    answered("add, nobody is told", [&] { it.add<Position>(); });
    answered("destroy", [&] { it.destroy(); });
    if (!dz_listen(w, 9, w.id<Position>(), [](const dz_event *, void *) {}, nullptr).bits) refusal("listen to no such kind", dz_error_status(), dz_error_message());
}

void storage()
{
    section("hooks", hooks);
    section("bulk", bulk);
    section("listeners", listeners);
}
