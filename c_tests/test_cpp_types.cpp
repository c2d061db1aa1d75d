/* denizen.hpp: types that are more than bytes, names of types, what becomes of values, and what constructors throw. */
#include "check_cpp.hpp"

#include <memory>
#include <string>
#include <vector>

struct Position {
    float x, y;
};
struct Charge {
    int32_t amount = 7;
};
struct Frozen {};
struct Name {
    std::string text;
};
struct Owner {
    std::unique_ptr<int> what;
};
struct Inventory { /* claims that it can be copied, and can't */
    std::vector<std::unique_ptr<int>> items;
};
template <> struct denizen::component_traits<Inventory> : denizen::component_defaults<Inventory> {
    static constexpr bool copyable = false;
};
struct alignas(128) Wide {
    double values[16];
};
struct alignas(4096) Page {
    char bytes[1048576];
};
DENIZEN_NAME(Page, "A name of 255 bytes" "..........................................................."
    "..........................................................."
    "..........................................................."
    "...........................................................");
struct Ticket { /* bytes, but one of a kind */
    int32_t number;
    explicit Ticket(int32_t n) : number(n) {}
    Ticket(Ticket &&) = default;
    Ticket &operator=(Ticket &&) = default;
};
struct Bullet {
    std::string path = "straight";
};
template <> struct denizen::component_traits<Bullet> : denizen::component_defaults<Bullet> {
    static constexpr const char *name = "bullet";
    static constexpr dz_policy policy = DZ_POLICY_STABLE;
};
namespace game {
struct Speed {
    float value;
};
template <class T> struct Bound {
    T low, high;
};
} // namespace game
struct Local {
    int32_t value;
};
DENIZEN_NAME(Local, "my own");

struct Likes {
    std::string why;
};
/* Throws when it is copied or made of a number that says so. */
struct Touchy {
    int32_t value;
    explicit Touchy(int32_t v) : value(v) {}
    Touchy(const Touchy &other) : value(other.value)
    {
        if (value < 0) throw value;
    }
};

/* Overloads what a wrapper might take for granted. */
struct Odd {
    int32_t before = 1;
    std::string text;
    static void *operator new(std::size_t) = delete;
    static void *operator new(std::size_t, void *) = delete;
    std::string *operator&() { return &text; }
    const std::string *operator&() const { return &text; }
};

/* Knows where it is and how many there are, and throws when told to. */
struct Tracked {
    static inline int living = 0, copies = 0, moves = 0, fuse = -1; /* throws 42 when it burns down */
    Tracked *self = this;
    int32_t value;
    explicit Tracked(int32_t v = 100) : value(v) { burn(), living++; }
    Tracked(const Tracked &other) : value(other.value) { burn(), living++, copies++; }
    Tracked(Tracked &&other) noexcept : value(std::exchange(other.value, -1)) { living++, moves++; }
    Tracked &operator=(const Tracked &) = delete;
    ~Tracked()
    {
        CHECK(self == this);
        self = nullptr;
        living--;
    }
    static void burn()
    {
        if (fuse >= 0 && fuse-- == 0) throw 42;
    }
};

static const char long_text[] = "a text that is too long for the object itself";

/* Types that are bytes pay nothing; those with default values have them made, and are bytes in all else; what can't be copied has a copy hook that refuses, since none would mean bytes. */
static void which_hooks()
{
    constexpr dz_hooks position = denizen::component_hooks<Position>(), charge = denizen::component_hooks<Charge>(),
                       wide = denizen::component_hooks<Wide>(), frozen = denizen::component_hooks<Frozen>();
    static_assert(!position.construct && !position.destruct && !position.copy && !position.relocate);
    CHECK(charge.construct != nullptr);
    static_assert(!charge.destruct && !charge.copy && !charge.relocate);
    static_assert(!wide.construct && !wide.destruct && !wide.copy && !wide.relocate);
    static_assert(!frozen.construct && !frozen.destruct && !frozen.copy && !frozen.relocate);
    dz_hooks name = denizen::component_hooks<Name>(), ticket = denizen::component_hooks<Ticket>();
    CHECK(name.construct && name.destruct && name.copy && name.relocate);
    CHECK(ticket.construct && ticket.destruct && ticket.copy && ticket.relocate);
    Ticket one(1);
    alignas(Ticket) char room[sizeof(Ticket)];
    CHECK(ticket.copy(room, &one, 1, nullptr) != 0);
    CHECK(ticket.construct(room, 1, nullptr) != 0); /* it can't be made without a number */
}

static void names()
{
    CHECK(std::strcmp(denizen::component_name<Position>(), "Position") == 0); /* as DZ_COMPONENT(world, Position) has it */
    CHECK(std::strcmp(denizen::component_name<game::Speed>(), "game::Speed") == 0);
    CHECK(std::strcmp(denizen::component_name<game::Bound<int>>(), "game::Bound<int>") == 0);
    CHECK(std::strcmp(denizen::component_name<Bullet>(), "bullet") == 0);
    CHECK(std::strcmp(denizen::component_name<Local>(), "my own") == 0);
    denizen::world w(check_desc());
    dz_id position = DZ_COMPONENT(w, Position);
    CHECK_EQ(w.id<Position>(), position);
    CHECK(std::strcmp(dz_name(w, w.id<game::Speed>()), "game::Speed") == 0);
    w.create(game::Speed{2});
    CHECK_EQ(w.query("game::Speed").count(), 1);
}

template <class F> struct Callback {
    int32_t value = 1;
    struct Slot {
        int32_t value;
    };
};
enum class Color { red, green };
template <auto V> struct Of {
    int32_t value;
    struct Inner {
        int32_t value;
    };
};

/* Parentheses and quotes in a name are no sign of a function. */
static void names_of_templates()
{
    denizen::world w(check_desc());
    w.create(Callback<void(int)>{}, Callback<void (Name::*)(int) const>::Slot{2}, Callback<int (&)[3]>::Slot{3});
    w.create(Of<static_cast<Color>(7)>{4}, Of<Color::red>::Inner{5}, Of<'('>{6}, Of<')'>::Inner{7});
    CHECK_EQ(w.count<Callback<void(int)>>() + w.count<Of<'('>>(), 2);
    CHECK(std::strncmp(denizen::component_name<Callback<void(int)>>(), "Callback<void", 13) == 0);
}

#if defined(__clang__)
static void one_local(denizen::entity e)
{
    struct Local {
        std::string text;
    };
    e.set(Local{long_text});
    CHECK(e.get<Local>().text == long_text);
}
static void other_local(denizen::entity e)
{
    struct Local {
        int64_t text[sizeof(std::string) / 8];
    };
    THROWS(e.has<Local>(), DZ_ERR_NAME_TAKEN, "two types are called \"Local\"");
    THROWS(e.set(Local{}), DZ_ERR_NAME_TAKEN, "DENIZEN_NAME");
    THROWS(denizen::world_view(e.world()).id<Local>(), DZ_ERR_NAME_TAKEN, "");
    THROWS(denizen::world_view(e.world()).query<Local>(), DZ_ERR_NAME_TAKEN, "");
    THROWS(e.get<Position>(), DZ_ERR_NOT_HELD, ""); /* and that is over */
}

/* Types of functions, which this compiler doesn't tell by their names (g++ refuses them): two of one name are. */
static void local_types()
{
    denizen::world w(check_desc());
    denizen::entity e = w.create();
    one_local(e), other_local(e), one_local(e);
}
#endif

static void strings_and_pointers()
{
    denizen::world w(check_desc());
    std::vector<denizen::entity> e;
    for (int i = 0; i < 300; i++) {
        e.push_back(w.create(Name{(i % 2 ? "a name that is too long for the object itself " : "n") + std::to_string(i)}));
        e.back().emplace<Owner>(std::make_unique<int>(i)).set(Bullet{"curved " + std::to_string(i)});
        Inventory inventory;
        inventory.items.push_back(std::make_unique<int>(i));
        e.back().set(std::move(inventory));
        CHECK(inventory.items.empty());
    }
    for (int i = 0; i < 300; i += 3) e[static_cast<size_t>(i)].remove<Name>().remove<Owner>().remove<Bullet>();
    w.compact<Bullet>();
    w.shrink();
    for (int i = 0; i < 300; i++) {
        const denizen::entity it = e[static_cast<size_t>(i)];
        if (i % 3 == 0) {
            CHECK(!it.has<Name>() && !it.try_get<Owner>());
            continue;
        }
        CHECK(it.get<Name>().text == (i % 2 ? "a name that is too long for the object itself " : "n") + std::to_string(i));
        CHECK(*it.get<Owner>().what == i && it.get<Bullet>().path == "curved " + std::to_string(i));
        CHECK(*it.get<Inventory>().items[0] == i);
    }
    /* A second owner isn't made: not by clone, not by a raw dz_set. */
    THROWS(e[1].clone(), DZ_ERR_HOOK_FAILED, "the copy hook failed");
    Owner mine{std::make_unique<int>(1)};
    CHECK_IS(dz_set(w, e[2], w.id<Owner>(), sizeof(Owner), &mine), DZ_ERR_HOOK_FAILED);
    CHECK_EQ(*e[1].get<Owner>().what, 1);
    e[1].get_mut<Owner>().what.reset();
    /* Nothing is moved from where the call fails. */
    denizen::entity gone = w.create();
    gone.destroy();
    THROWS(gone.set(std::move(mine)), DZ_ERR_DEAD, "is dead");
    CHECK(mine.what != nullptr);
    e[2].emplace<Ticket>(9);
    CHECK_EQ(e[2].get<Ticket>().number, 9);
    THROWS(e[2].clone(), DZ_ERR_HOOK_FAILED, "the copy hook failed");
    w.set_singleton(std::move(mine));
    CHECK_EQ(*w.singleton<Owner>()->what, 1);
    denizen::entity target = w.create();
    target.set_pair(e[1], Name{"of a pair"});
    CHECK(target.get_pair<Name>(e[1]).text == "of a pair");
    denizen::entity pair_of_owner = w.create().set_pair(e[1], Owner{std::make_unique<int>(77)});
    CHECK_EQ(*pair_of_owner.get_pair<Owner>(e[1]).what, 77);
    denizen::entity made = w.create(Owner{std::make_unique<int>(5)}, Name{"both"});
    CHECK(*made.get<Owner>().what == 5 && made.get<Name>().text == "both");
}

/* Own operators new and & don't matter. */
static void odd_operators()
{
    denizen::world w(check_desc());
    Odd odd;
    odd.text = long_text;
    denizen::entity e = w.create(odd), f = w.create().set(odd), made = w.create();
    CHECK(e.get<Odd>().text == long_text && f.get<Odd>().text == long_text && f.get<Odd>().before == 1);
    made.add<Odd>();
    made.set(std::move(odd));
    CHECK(made.get<Odd>().text == long_text && odd.text.empty() && made.clone().get_mut<Odd>().text == long_text);
    CHECK(w.owner(e.get<Odd>()) == e);
    made.destroy();
    w.each([&](const Odd &it) { CHECK(it.text == long_text); });
}

/* Tags have no constructors that run: so they needn't have any. */
struct Noisy {
    static inline int made = 0, ended = 0;
    Noisy() { made++; }
    ~Noisy() { ended++; }
    int one() const { return 1; }
};
struct Given {
    explicit Given(int) {}
    Given(const Given &) = delete;
    Given &operator=(const Given &) = delete;
    int one() { return 1; }
};

static void tags_are_not_made()
{
    denizen::world w(check_desc());
    denizen::entity e = w.create(Position{1, 1});
    const Given given(1);
    dz_entity all[] = {e, w.create(Position{2, 2}), w.create(Position{3, 3})};
    e.add<Given>(), w[all[1]].set(given), w.add_n<Given>(all);
    e.add<Noisy>(), w.add_n<Noisy>(all);
    int seen = 0;
    w.each([&](const Given &, Noisy &, const Position &) { seen++; }); /* a run, and a gather */
    w[all[1]].remove<Noisy>();
    w.each([&](const Noisy &, const Given &, const Position &) { seen++; });
    auto q = w.query<Position, Given, const Noisy>();
    for (auto [it, p, g, n] : q) seen += it.alive() && p.x > 0 ? g.one() + n.one() : 0;
    for (auto &batch : q.batches())
        for (uint32_t i = 0; i < batch.size(); i++) seen += batch.get<Given>(i).one() + batch.get<2>(i).one();
    CHECK_EQ(seen, 3 + 2 + 4 + 4);
    e.clone(), w.clear<Noisy>();
    CHECK(Noisy::made == 0 && Noisy::ended == 0);
}

static void alignment()
{
    denizen::world w(check_desc());
    for (int i = 0; i < 20; i++) {
        denizen::entity e = w.create(Wide{{1.0 * i}});
        CHECK_EQ(reinterpret_cast<uintptr_t>(&e.get<Wide>()) % 128, 0);
    }
    w.each([](Wide &wide) { CHECK_EQ(reinterpret_cast<uintptr_t>(&wide) % 128, 0); });
    static_assert(denizen::detail::length_of(denizen::component_name<Page>()) == 255, "the longest");
    denizen::entity largest = w.create().add<Page>(); /* and the largest that there are */
    CHECK_EQ(reinterpret_cast<uintptr_t>(&largest.get<Page>()) % 4096, 0);
}

/* Each is constructed, moved, copied and destroyed where it lies, as often as it should be. */
static void lifetimes()
{
    {
        denizen::world w(check_desc());
        Tracked::copies = Tracked::moves = 0;
        denizen::entity e = w.create().emplace<Tracked>(5);
        CHECK(e.get<Tracked>().value == 5 && e.get<Tracked>().self == &e.get<Tracked>());
        CHECK_EQ(Tracked::copies, 0); /* moved into its place */
        const Tracked mine(6);
        e.set(mine);
        CHECK(Tracked::copies == 1 && mine.value == 6 && e.get<Tracked>().value == 6);
        e.set<Tracked>(Tracked(7));
        CHECK(Tracked::copies == 1 && e.get<Tracked>().value == 7);
        std::vector<denizen::entity> more;
        for (int i = 0; i < 100; i++) more.push_back(w.create().add<Tracked>());
        CHECK_EQ(more[50].get<Tracked>().value, 100);
        for (int i = 0; i < 100; i += 2) more[static_cast<size_t>(i)].remove<Tracked>();
        for (int i = 1; i < 100; i += 4) more[static_cast<size_t>(i)].destroy();
        CHECK_EQ(Tracked::living, static_cast<int>(w.count<Tracked>()) + 1);
        w.clear<Tracked>();
        CHECK_EQ(Tracked::living, 1);
        w.create().add<Tracked>();
    }
    CHECK_EQ(Tracked::living, 0);
}

/* What a constructor throws comes out of the call, and the world is as it was. */
static void throwing()
{
    denizen::world w(check_desc());
    denizen::entity e = w.create(), full = w.create().emplace<Tracked>(1);
    dz_entity all[10];
    {
        const Tracked values[10];
        uint32_t entities = w.stats().alive;
        int living = Tracked::living;
        Tracked::fuse = 5;
        THROWS_INT(w.create_n(all, values), 42); /* all or none */
        CHECK(w.stats().alive == entities && Tracked::living == living);
        w.create_n(all, values);
        CHECK(w.get<Tracked>(all[9]).value == 100 && Tracked::living == living + 10);
        w.destroy_n(all);
    }
    Tracked::fuse = 0;
    THROWS_INT(e.add<Tracked>(), 42);
    CHECK(!e.has<Tracked>());
    Tracked::fuse = 0;
    THROWS_INT(e.emplace<Tracked>(3), 42);
    const Tracked mine(8);
    Tracked::fuse = 0;
    THROWS_INT(full.set(mine), 42);
    CHECK_EQ(full.get<Tracked>().value, 1);
    Tracked::fuse = 0;
    THROWS_INT(full.clone(), 42);
    Tracked::fuse = 0;
    THROWS_INT(w.create(mine), 42);
    w.create_n(all);
    Tracked::fuse = 6;
    THROWS_INT(w.add_n<Tracked>(all), 42); /* six were made, and are gone again */
    CHECK_EQ(w.count<Tracked>(), 1);
    CHECK_EQ(Tracked::living, 2);
    /* All or none, also where the library asks for many at once. */
    alignas(Tracked) char room[10 * sizeof(Tracked)];
    dz_hooks hooks = denizen::component_hooks<Tracked>();
    Tracked::fuse = 6;
    CHECK(hooks.construct(room, 10, nullptr) != 0);
    CHECK_EQ(Tracked::living, 2);
    /* Below a raw call it is a status; and it isn't lost: it comes out of the next call here, which is done all the same. */
    Tracked::fuse = 0;
    CHECK_IS(dz_add(w, e, w.id<Tracked>()), DZ_ERR_HOOK_FAILED);
    THROWS_INT(e.add<Frozen>(), 42);
    CHECK(e.has<Frozen>());
    CHECK_EQ(w.add<Tracked>(e), 1);
    w.destroy();
    CHECK_EQ(Tracked::living, 1);
}

/* Hooks of another module's, which know nothing of our values: of one whose type can't be copied. */
template <class T> static void registered_by_others(dz_world world)
{
    dz_component_desc desc = DZ_COMPONENT_DESC_INIT;
    desc.name = denizen::component_name<T>();
    desc.element_size = sizeof(T);
    desc.element_alignment = alignof(T);
    desc.hooks = denizen::component_hooks<T>();
    desc.hooks.copy = [](void *, const void *, uint32_t, void *) -> int32_t { return -1; };
    CHECK(dz_component_register(world, &desc) != DZ_NULL);
}

/* Another module's hook refuses a value; then ours are registered, and the call is made again, with all that it brought. */
static void called_again()
{
    denizen::world w(check_desc());
    w.id<Name>(), w.id<Owner>(), w.id<Likes>();
    registered_by_others<Owner>(w);
    denizen::entity e = w.create(Name{long_text}, Likes{long_text}, Owner{std::make_unique<int>(2)});
    CHECK(e.get<Name>().text == long_text && e.get<Likes>().why == long_text && *e.get<Owner>().what == 2);
    registered_by_others<Owner>(w);
    e.set(Owner{std::make_unique<int>(3)});
    CHECK_EQ(*e.get<Owner>().what, 3);
}

/* A call that fails leaves what it was to move. */
static void given_back()
{
    denizen::world w(check_desc());
    Name name{long_text};
    Owner owner{std::make_unique<int>(4)};
    const Touchy bad(-5);
    THROWS_INT(w.create(std::move(name), std::move(owner), bad), -5);
    CHECK(name.text == long_text && owner.what && *owner.what == 4);
    CHECK_EQ(w.count<Name>() + w.count<Owner>() + w.count<Touchy>(), 0);
    const Touchy good(6);
    denizen::entity e = w.create(std::move(name), std::move(owner), good);
    CHECK(name.text.empty() && !owner.what && e.get<Name>().text == long_text && *e.get<Owner>().what == 4);
}

/* A constant is never moved from, however it is brought. */
static void constants()
{
    denizen::world w(check_desc());
    denizen::entity a = w.create(), b = w.create(), relation = w.create();
    const Likes likes{long_text};
    a.set_pair(b, std::move(likes)).set(std::move(likes));
    a.set_pair(relation, w.id<Likes>(), std::move(likes));
    w.set_singleton(std::move(likes));
    w.create(std::move(likes));
    CHECK(likes.why == long_text && a.get_pair<Likes>(b).why == long_text);
    /* And one that is named by its type is copied. */
    Likes mine{long_text};
    b.set_pair<Likes>(a, mine).set_pair<Likes>(relation, w.id<Likes>(), likes).set<Likes>(mine);
    CHECK(mine.why == long_text && b.get_pair<Likes>(a).why == long_text);
    b.set_pair(a, std::move(mine));
    CHECK(mine.why.empty() && b.get_pair<Likes>(a).why == long_text);
}

/* Both sides of a symmetric pair have the value; what can't be copied can't be on both. */
static void both_sides()
{
    denizen::world w(check_desc());
    denizen::entity a = w.create(), b = w.create();
    dz_relation_desc symmetric = DZ_RELATION_DESC_INIT;
    symmetric.symmetric = 1;
    w.relation<Likes>(symmetric);
    w.relation<Owner>(symmetric);
    a.set_pair(b, Likes{long_text});
    CHECK(a.get_pair<Likes>(b).why == long_text && b.get_pair<Likes>(a).why == long_text);
    Owner mine{std::make_unique<int>(7)};
    THROWS(a.set_pair(b, std::move(mine)), DZ_ERR_HOOK_FAILED, "copy hook failed");
    CHECK(mine.what && *mine.what == 7 && !a.has_pair<Owner>(b) && !b.has_pair<Owner>(a));
}

/* One name, two types: the library says so, whatever is asked first. */
namespace other {
struct Position {
    double x, y, z;
};
} // namespace other
DENIZEN_NAME(other::Position, "Position");

static void wrong_types()
{
    denizen::world w(check_desc());
    denizen::entity e = w.create(Position{1, 2});
    const denizen::world &reader = w;
    THROWS(e.set(other::Position{}), DZ_ERR_SHAPE, "component \"Position\"");
    THROWS(reader.get<other::Position>(e), DZ_ERR_SHAPE, "component \"Position\"");
    THROWS(e.try_get<other::Position>(), DZ_ERR_SHAPE, "size 8");
    THROWS(e.has<other::Position>(), DZ_ERR_SHAPE, "size 24");
    THROWS(e.get_mut<other::Position>(), DZ_ERR_SHAPE, "");
    THROWS(w.query<other::Position>(), DZ_ERR_SHAPE, "");
    THROWS(w.each([](const other::Position &) {}), DZ_ERR_SHAPE, "");
    THROWS(w.id<other::Position>(), DZ_ERR_SHAPE, "");
    CHECK_EQ(e.get<Position>().y, 2);
}

int main()
{
    RUN(which_hooks);
    RUN(names);
    RUN(names_of_templates);
#if defined(__clang__)
    RUN(local_types);
#endif
    RUN(strings_and_pointers);
    RUN(odd_operators);
    RUN(tags_are_not_made);
    RUN(alignment);
    RUN(lifetimes);
    RUN(throwing);
    RUN(called_again);
    RUN(given_back);
    RUN(constants);
    RUN(both_sides);
    RUN(wrong_types);
    return check_done();
}
