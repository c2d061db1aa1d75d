#!/bin/sh
# check_header.sh COMPILER INCLUDE_DIR: the header compiles alone, and twice, in every language it promises.
set -eu
compiler=$1 include=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for language in c99 c11 c17 c++17; do
    # C++ programs may be compiled with warnings that C has no other way for.
    case $language in
        c++*) file=$dir/it.cpp strict="-Wold-style-cast -Wzero-as-null-pointer-constant" ;;
        *) file=$dir/it.c strict= ;;
    esac
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
    for (dz_iterate(world, dz_query_parse(world, "Position, ?Frozen"), &it); dz_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            if (DZ_AT_IF(it, Position, 0, i) != DZ_AT(it, Position, 0, i)) seen++;
        }
        if (!it.gather && DZ_RUN(it, Position, 0)) seen++;
    }
    DZ_SET_PAIR(world, entity, frozen, entity, &here);
    return seen + dz_role(DZ_ROLE(200, entity)) + dz_role(DZ_CHILDOF(entity)) + dz_role(DZ_INSTANCEOF(entity) | DZ_VARIABLE(1)) +
        (dz_without_role(entity) == entity);
}
C
        echo "$compiler -std=$language, included $times"
        "$compiler" -std=$language -Wall -Wextra -Wpedantic -Wconversion $strict -Werror -I "$include" -c -o "$dir/it.o" "$file"
    done
done
