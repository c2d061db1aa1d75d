/* A program and three shared libraries, each compiled on its own: they agree by name about what is a Position, in every
 * world, whatever order they meet types in, and the libraries can be unloaded. Usage: main MODULE1 MODULE2 MODULE_RESULTS */
#include "../check_cpp.hpp"
#include "module.hpp"

#include <dlfcn.h>

template <class Functions> struct library {
    void *handle;
    const Functions *call;
};

template <class Functions = module_functions> static library<Functions> load(const char *path)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) std::fprintf(stderr, "%s\n", dlerror()), std::exit(1);
    return {handle, static_cast<const Functions *>(dlsym(handle, "module_of"))};
}

/* Whether it is really gone: a symbol that is merged with that of others, as of inline variables, would keep it. */
static void unload(void *handle, const char *path)
{
    CHECK(dlclose(handle) == 0);
    CHECK(dlopen(path, RTLD_NOW | RTLD_NOLOAD) == nullptr);
}

static void unload(const library<module_functions> &it, const char *path)
{
    it.call->quit();
    unload(it.handle, path);
}

static uint32_t queries_of(dz_world world)
{
    uint32_t n = 0;
    CHECK_OK(dz_query_list(world, nullptr, 0, &n));
    return n;
}

static char **paths;

static void both()
{
    auto one = load(paths[1]), two = load(paths[2]);
    {
        denizen::world a(check_desc()), b(check_desc());
        b.tag("something else");
        dz_entity by_one = one.call->make(a, 10), by_two = two.call->make(a, 20), by_us = a.create(Position{5, 1}, Velocity{5, 2}, Frozen{});
        a.emplace<Name>(by_us, "made by the program, which says it at some length");
        CHECK_EQ(one.call->position(a), two.call->position(a));
        CHECK_EQ(one.call->position(a), a.id<Position>());
        CHECK_EQ(one.call->read(a, by_two), 2 * 35 + 3 + 4);
        CHECK_EQ(two.call->read(a, by_one), 2 * 35 + 3 + 4);
        CHECK(a.get<Name>(by_two).text.find("module 2") != std::string::npos && a.get<Position>(by_one).x == 10);

        /* The other world, the other way round: by the hooks of who came last, others' values are moved all the same. */
        dz_entity in_b = two.call->make(b, 1), more = one.call->make(b, 2);
        b.emplace<Name>(more, "and again by the program, which says it at some length");
        CHECK_EQ(one.call->position(b), b.id<Position>());
        CHECK_EQ(two.call->read(b, in_b), 2 * 3 + 2 + 4);

        /* A listener of a module's, told by our calls. */
        one.call->listen(a), two.call->listen(a);
        denizen::entity told = a.create(Position{0, 0}).add<Frozen>();
        CHECK_EQ(told.get<Position>().y, 3);

        CHECK_IS(one.call->conflict(a), DZ_ERR_SHAPE); /* the same name, another type: told, not taken for it */

        /* Who stays takes the hooks over from who goes, with whom the queries go that were its alone. */
        a.component<Name>(), b.component<Name>();
        CHECK_EQ(queries_of(a), 2);
        unload(one, paths[1]);
        CHECK_EQ(queries_of(a), 1);
        unload(two, paths[2]);
        CHECK(queries_of(a) == 0 && queries_of(b) == 0);
        told.remove<Frozen>().add<Frozen>();
        CHECK_EQ(told.get<Position>().y, 3); /* nobody listens */
        CHECK(a.get<Name>(by_one).text.find("module 1") != std::string::npos);
        a.destroy(by_one);

        /* It comes back, and knows where it is. */
        one = load(paths[1]);
        CHECK_EQ(one.call->read(a, by_two), 2 * 25 + 2 + 4);
        a.component<Name>();
        unload(one, paths[1]);
    }
}

static void without_exceptions()
{
    denizen::world w(check_desc());
    auto results = load<results_functions>(paths[3]);
    CHECK_IS(results.call->status(w, w.create(Position{1, 1})), DZ_ERR_NOT_HELD);
    unload(results.handle, paths[3]);
}

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    paths = argv;
    RUN(both);
    RUN(without_exceptions);
    return check_done();
}
