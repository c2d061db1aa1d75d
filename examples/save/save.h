/* A whole world in a file, and back. Copy this file and save.c into your program, and change them as you like.
 *
 * Saved is who lives, the generations of the dead, so that stale handles stay stale, what relations promise, all that each has
 * itself, who is a base or disabled, the hierarchy, names and singletons. Queries, groups, kept orders and listeners your program
 * makes anew. Numbers are little-endian on every machine; values that are saved as bytes are as this machine has them. */
#ifndef SAVE_H
#define SAVE_H

#include <denizen/denizen.h>
#include <stdio.h>

/* A save that is being written or read: what your functions for values are handed. */
typedef struct Save Save;

/* A component: how it is registered, and what of its values is more than bytes. */
typedef struct {
    dz_component_desc desc;
    /* Where in it there are handles (dz_entity, not ids of pairs), ascending: in another world they are other numbers. */
    const uint32_t *handles;
    uint32_t handle_count;
    /* For values that point to something: both, or NULL. `user` is that of the hooks. `read` fills a value that the construct
     * hook made, or zeros; it returns false if the bytes make no sense. The destruct hook ends that value in any case. */
    void (*write)(Save *save, const void *value, void *user);
    bool (*read)(Save *save, void *value, void *user);
} SaveType;

/* SaveType position = {.desc = SAVE_COMPONENT(Position)}; for a tag SAVE_TAG(Frozen). */
#define SAVE_COMPONENT(Type) \
    {.size = sizeof(dz_component_desc), .name = #Type, .element_size = sizeof(Type), \
     .element_alignment = sizeof(struct { char c; Type member; }) - sizeof(Type)}
#define SAVE_TAG(Name) {.size = sizeof(dz_component_desc), .name = #Name, .element_alignment = 1}

/* Room for a sentence: why it failed, and where in the file. */
enum { SAVE_ERROR = 512 };

/* Writes all that is in the world, whose components must all be among the types; nothing, if that fails. Afterwards the world is
 * as it was, but iterations under way may end. */
bool save_world(dz_world world, const SaveType *types, uint32_t type_count, FILE *file, char error[SAVE_ERROR]);

/* Reads the rest of the file into a new world of the same layout, and registers its components: leave that to it if there are
 * more than the world reserves room for. Bytes that are damaged do no harm; after `false` the world may be half loaded: destroy
 * it. A byte_budget or max_entities keeps a damaged file from making it large. */
bool load_world(dz_world world, const SaveType *types, uint32_t type_count, FILE *file, char error[SAVE_ERROR]);

/* For your functions. Behind the end of the file there are only zeros, and the load fails, whatever `read` returns. */
void save_put(Save *save, const void *bytes, size_t count);
void save_put32(Save *save, uint32_t value);
void save_put64(Save *save, uint64_t value);
void save_put_handle(Save *save, dz_entity entity);
void save_get(Save *save, void *bytes, size_t count);
uint32_t save_get32(Save *save);
uint64_t save_get64(Save *save);
dz_entity save_get_handle(Save *save);
/* As save_get32, of how many things follow, each of so many bytes at least: 0 if there are no such bytes. Of a number that wasn't
 * checked like this don't ask for memory. */
uint32_t save_get_count(Save *save, size_t bytes_each);

#endif
