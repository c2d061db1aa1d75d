/* Buffs that run out, with one system for all kinds of them: the example of S. Mertens, "Doing a lot with a little: ECS
 * identifiers".
 *
 * A character can have a HealthBuff, a StaminaBuff and a ManaBuff, each for a time of its own. A component Expiry that says how
 * long would be there only once. The pairs (Expiry, HealthBuff), (Expiry, StaminaBuff) and (Expiry, ManaBuff) are three, each
 * with a value of the type of Expiry. Who adds a fourth kind of buff changes nothing in expire(). */
#include <denizen/denizen.h>
#include <stdio.h>

typedef struct { double left; } Expiry;          /* seconds */
typedef struct { int points; } HealthBuff, StaminaBuff, ManaBuff;

static dz_world world;
static dz_id expiry;

static dz_entity character(const char *name)
{
    dz_entity made = dz_create(world);
    dz_set_name(world, made, name);
    return made;
}

/* All buffs have the same shape here. They need not: expire() never looks into one. */
static void give(dz_entity who, dz_id buff, int points, double seconds)
{
    DZ_SET(world, who, buff, &(HealthBuff){points});
    DZ_SET_PAIR(world, who, expiry, buff, &(Expiry){seconds});
    printf("%s gets %d points of %s for %g s\n", dz_name(world, who), points, dz_name(world, buff), seconds);
}

/* The system. The query yields once for each pair of a character, and says whom the pair is with: a component, which can be
 * removed by that handle, whatever it is. */
static void expire(dz_query running, double seconds)
{
    dz_iter it;
    for (dz_iterate(world, running, &it); dz_next(&it);) {
        DZ_EACH(it, i) { /* and not a plain loop, because its body removes what it iterates */
            dz_entity who = dz_iter_entity(&it, i), buff = dz_iter_target(&it, 0, i); /* 0: the first term */
            Expiry *time = DZ_AT(it, Expiry, 0, i);
            time->left -= seconds;
            if (time->left > 0) continue;
            printf("    %s's %s is over\n", dz_name(world, who), dz_name(world, buff));
            dz_remove(world, who, buff);
            dz_remove_pair(world, who, expiry, buff);
        }
    }
}

int main(void)
{
    dz_id health, stamina, mana;
    dz_entity ann, bob;
    dz_query running;

    world = dz_world_create(NULL);
    expiry = DZ_COMPONENT(world, Expiry);
    health = DZ_COMPONENT(world, HealthBuff);
    stamina = DZ_COMPONENT(world, StaminaBuff);
    mana = DZ_COMPONENT(world, ManaBuff);
    running = dz_query_parse(world, "(Expiry, *)");

    ann = character("Ann"), bob = character("Bob");
    give(ann, health, 50, 3);
    give(ann, stamina, 20, 1);
    give(ann, mana, 10, 2);
    give(bob, mana, 30, 3);
    give(bob, health, 5, 1);
    give(bob, health, 70, 2); /* once more: the pair is there, and gets a new value */

    for (int second = 1; !dz_query_is_empty(world, running); second++) {
        printf("second %d, %u buffs are running\n", second, (unsigned)dz_query_count(world, running));
        expire(running, 1);
    }
    printf("no buff is left: %u, %u and %u\n", (unsigned)dz_count(world, health), (unsigned)dz_count(world, stamina),
           (unsigned)dz_count(world, mana));

    dz_world_destroy(world);
    if (dz_error_status() == DZ_OK) return 0;
    fprintf(stderr, "buffs: %s\n", dz_error_message()); /* whatever failed above is remembered */
    return 1;
}
