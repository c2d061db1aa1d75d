#!/bin/sh
# check_header.sh COMPILER INCLUDE_DIR: the header compiles alone, and twice, in every language it promises.
set -eu
compiler=$1 include=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for language in c99 c11 c17 c++17; do
    case $language in c++*) file=$dir/it.cpp ;; *) file=$dir/it.c ;; esac
    for times in once twice; do
        echo '#include <denizen/denizen.h>' > "$file"
        [ $times = once ] || echo '#include <denizen/denizen.h>' >> "$file"
        # A translation unit of inline functions only is not empty, and their bodies are compiled. So are the macros:
        cat >> "$file" <<'C'
typedef struct { float x, y; } Position;
uint32_t use(dz_world world, dz_entity entity);
uint32_t use(dz_world world, dz_entity entity)
{
    uint32_t seen = DZ_VERSION;
    dz_world_desc desc = DZ_WORLD_DESC_INIT;
    dz_component_desc shape = DZ_COMPONENT_DESC_INIT;
    dz_id position = DZ_COMPONENT(world, Position), frozen = DZ_TAG(world, Frozen);
    Position here = {1, 2};
    dz_iter it;
    if (dz_failed(DZ_SET(world, entity, position, &here)) || !dz_has(world, entity, frozen)) return desc.size + shape.size;
    if (DZ_GET(world, entity, Position, position) == DZ_GET_MUT(world, entity, Position, position)) seen++;
    for (dz_iterate_pool(world, position, DZ_FORWARD, &it); dz_next(&it);) {
        DZ_EACH(it, i) {
            if (DZ_ITEM(it, Position, i)->x > 0 && dz_iter_entity(&it, i) != DZ_NULL) seen++;
        }
    }
    return seen;
}
C
        echo "$compiler -std=$language, included $times"
        "$compiler" -std=$language -Wall -Wextra -Wpedantic -Wconversion -Werror -I "$include" -c -o "$dir/it.o" "$file"
    done
done
