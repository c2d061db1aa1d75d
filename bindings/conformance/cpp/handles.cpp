/* The quickstart, and what bad handles and bad arguments come to. */
#include "conformance.hpp"

static void quickstart()
{
    denizen::world w = new_world();
    entity ship = w.create(Position{0, 0}, Velocity{1, 2}), rock = w.create(Position{9, 9}, Velocity{1, 2}, Frozen{});
    w.each<denizen::without<Frozen>>([](Position &p, const Velocity &v) { p.x += v.x, p.y += v.y; });
    std::printf("the ship is at %d %d\n", ship.get<Position>().x, ship.get<Position>().y);
    std::printf("the rock is at %d %d\n", rock.get<Position>().x, rock.get<Position>().y);
    ship.destroy();
    refused("get of the destroyed ship", [&] { ship.get<Position>(); });
}

static void stale_handles()
{
    denizen::world w = new_world();
    entity dead = w.create(Position{1, 0});
    answered("destroy", [&] { dead.destroy(); });
    yes("the dead one is alive", dead.alive());
    answer("why not", dead.why());
    dz_error_clear();
    refused("get", [&] { dead.get<Position>(); });
    refused("get_mut", [&] { dead.get_mut<Position>(); });
    refused("has", [&] { dead.has<Position>(); });
    refused("set", [&] { dead.set(Position{2, 0}); });
    refused("add", [&] { dead.add<Position>(); });
    refused("remove", [&] { dead.remove<Position>(); });
    refused("destroy again", [&] { dead.destroy(); });

    entity next = w.create(Position{3, 0});
    yes("the slot is used again", dz_entity_index(next) == dz_entity_index(dead));
    std::printf("generations: %u then %u\n", dz_entity_generation(dead), dz_entity_generation(next));
    yes("the new one is alive", next.alive());
    yes("the dead one is alive", dead.alive());
    refused("get of the old handle", [&] { dead.get<Position>(); });
    refused("set by the old handle", [&] { dead.set(Position{4, 0}); });
    refused("destroy by the old handle", [&] { dead.destroy(); });
    std::printf("the new one still has %d\n", number(next));

    answer("why not null", w[DZ_NULL].why());
    answer("why not one never created", w[next + 1000].why());
    denizen::world_view view = w;
    w.destroy();
    yes("the world is alive", view.alive());
    dz_error_clear();
    refused("create in a destroyed world", [&] { view.create(); });
    refused("get in a destroyed world", [&] { next.get<Position>(); });
    refused("destroy the world again", [&] { denizen::world::adopt(view).destroy(); });
}

static void foreign_worlds()
{
    denizen::world one = new_world(), other = new_world();
    entity mine = one.create(Position{1, 0}), there = other[mine];
    other.id<Position>();
    yes("it lives in its world", mine.alive());
    yes("it lives in the other", there.alive());
    refused("get in the other", [&] { there.get<Position>(); });
    refused("set in the other", [&] { there.set(Position{2, 0}); });
    refused("destroy in the other", [&] { other.destroy(mine); });
    refused("set_parent in the other", [&] { there.set_parent(DZ_NULL); });
    std::printf("it still has %d\n", number(mine));
    std::printf("alive: %d\n", mine.alive());
}

/* A program can't say most of this in types; what it can is refused when it is compiled. These are the raw calls. */
static void misuse()
{
    denizen::world w = new_world();
    dz_id position = w.id<Position>(), frozen = w.id<Frozen>();
    entity it = w.create(Position{1, 0}), plain = w.create();
    int64_t wide = 0;
    uint8_t answers[1];
    auto raw = [](const char *what, bool failed) {
        if (failed) refusal(what, dz_error_status(), dz_error_message());
    };
    raw("set of a wrong size", dz_failed(dz_set(w, it, position, 4, &wide)));
    raw("set from null", dz_failed(dz_set(w, it, position, sizeof(Position), nullptr)));
    raw("set of a tag", dz_failed(dz_set(w, it, frozen, sizeof wide, &wide)));
    raw("get of a tag", !dz_get(w, it, frozen));
    raw("set of what is no component", dz_failed(dz_set(w, it, plain, sizeof wide, &wide)));
    raw("get of the null component", !dz_get(w, it, DZ_NULL));
    refused("get of the null entity", [&] { w.get<Position>(DZ_NULL); });
    refused("add to a component", [&] { w.add<Frozen>(position); });
    refused("destroy of a component that is held", [&] { w.destroy(position); });
    raw("has_n of null", dz_failed(dz_has_n(w, nullptr, 1, position, answers)));
    refused("another shape", [&] { w.tag("Position"); });
    dz_component_desc wrong = DZ_COMPONENT_DESC_INIT;
    wrong.name = "Odd";
    wrong.element_size = 4;
    wrong.element_alignment = 3;
    raw("an odd alignment", !dz_component_register(w, &wrong));
    wrong.size = 0;
    raw("a descriptor without its size", !dz_component_register(w, &wrong));
    refused("a query with an unknown name", [&] { (void)w.query("Position, Nope"); });
    refused("a query with a mistake", [&] { (void)w.query("Position,, Frozen"); });
    refused("a query that asks for nothing", [&] { (void)w.query("!Frozen"); });
    raw("no world", denizen::world_view().why() != DZ_OK);
    answer("add what is there", w.add<Position>(it) ? DZ_OK : DZ_ALREADY_THERE);
    answer("remove what isn't", w.remove<Frozen>(it) ? DZ_OK : DZ_NOT_THERE);
    yes("answers leave no error", dz_error_status() == DZ_OK);
    std::printf("it still has %d\n", number(it));
}

void handles()
{
    section("quickstart", quickstart);
    section("stale handles", stale_handles);
    section("foreign worlds", foreign_worlds);
    section("misuse", misuse);
}
