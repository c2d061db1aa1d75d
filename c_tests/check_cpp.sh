#!/bin/sh
# check_cpp.sh COMPILER INCLUDE_DIR LIBRARY: denizen.hpp compiles alone and twice, with exceptions and RTTI and without, as
# C++17 and C++20; and so do its tests, which are run as C++20 (CMake builds and runs them as C++17); and what it refuses
# doesn't compile, and says why.
set -eu
compiler=$1 include=$2 library=$3
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp "$library" "$dir/libdenizen.so"
ln -s libdenizen.so "$dir/libdenizen.so.0"
# refused WORDS CODE: in a function, with a world w. Those words are in the message.
refused() {
    cat > "$dir/it.cpp" << END
#include <denizen/denizen.hpp>
#include <memory>
struct Frozen {};
struct Mass { float kg; };
struct Owner { std::unique_ptr<int> what; };
namespace { struct Hidden { int value; }; }
struct Large { char bytes[1048577]; };
struct alignas(8192) Coarse { int value; };
template <class A, class B, class C> struct A_template_whose_name_has_fifty_characters_in_all {};
template <class T> using longer = A_template_whose_name_has_fifty_characters_in_all<T, T, T>;
inline void test(denizen::world &w) { $2 }
END
    if "$compiler" -std=c++17 -I "$include" -fsyntax-only "$dir/it.cpp" 2> "$dir/log"; then echo "it compiles: $2"; exit 1; fi
    grep -q "$1" "$dir/log" || { echo "not because \"$1\": $2"; cat "$dir/log"; exit 1; }
}
refused "no values to compare" "w.sort<Frozen>([](const Frozen &, const Frozen &) { return false; });"
refused "no values to compare" "w.group<Mass>().sort<Frozen>([](const Frozen &, const Frozen &) { return false; });"
refused "can't be copied" "Owner mine; w.create().set(mine);"
refused "can't be copied" "const Owner mine{}; w.create().set_pair(w.create(), std::move(mine));"
refused "can't be copied" "Owner mine; w.create(mine);"
refused "can't be copied" "Owner mine; w.set_singleton(mine);"
refused "any_of has no types" "(void)w.query<Mass, denizen::any_of<>>();"
refused "any_of has no types" "w.each<denizen::any_of<>>([](Mass &) {});"
refused "at least one component" "(void)w.group<>();"
refused "at least one component" "(void)w.group<denizen::without<Mass>>();"
refused "no such field" "auto q = w.query<Mass>(); for (auto &batch : q.batches()) batch.get<Owner>(0);"
refused "no such field" "auto q = w.query<Mass>(); for (auto &batch : q.batches()) batch.get<Mass *>(0);"
refused "no such field" "auto q = w.query<Mass>(); for (auto &batch : q.batches()) batch.get<1>(0);"
refused "no such field" "auto q = w.query<Mass>(); for (auto &run : q.runs()) (void)run.data<Owner>();"
refused "values are copied" "dz_entity e[2]; Owner mine[2]; w.create_n(e, mine);"
refused "values are copied" "dz_entity e[2]; Frozen tags[2]; w.create_n(e, tags);"
refused "no component: put a number into a struct" "dz_entity e[2]; w.create_n(e, e);"
refused "deleted" "for (auto &batch : w.query<Mass>().batches()) (void)batch;"
refused "deleted" "for (auto &run : w.query<Mass>().runs()) (void)run;"
refused "deleted" "for (auto &batch : w.query<Mass>().part(0, 2)) (void)batch;"
refused "no component: put a number into a struct" "w.create(Mass{1}, w.tag(\"burning\"));"
refused "no component: put a number into a struct" "w.create().set(w.tag(\"burning\"));"
refused "no component: put a number into a struct" "dz_entity sol = w.create(), earth = w.create(); w[sol].set_pair(sol, earth);"
refused "no component: put a number into a struct" "w.create(w.create().handle());"
refused "no component: put a number into a struct" "w.each([](Mass &, dz_entity) {});"
refused "no component: put a number into a struct" "(void)w.query<Mass, dz_entity>();"
refused "no component: put a number into a struct" "w.create().has<uint64_t>();"
refused "ask for T" "w.create().has<const Mass>();"
refused "not for T &" "w.create().has<Mass &>();"
refused "not for T &" "w.create().has<Mass *>();"
refused "not for T &" "w.create().has<volatile Mass>();"
refused "not for T &" "w.create().has<Mass[2]>();"
refused "not for T &" "(void)w.create().get<Mass &>();"
refused "not for T &" "(void)w.create().try_get<Mass *>();"
refused "not for T &" "w.count<Mass &>();"
refused "not for T &" "(void)w.singleton<Mass *>();"
refused "not for T &" "w.create().target<Mass &>();"
refused "not for T &" "w.create().enabled<Mass &>();"
refused "not for T &" "(void)w.query(\"Mass\").each([](Mass **) {});"
refused "not for T &" "w.create().add<Mass *>();"
refused "at most 1,048,576 bytes" "w.create().add<Large>();"
refused "at most 1,048,576 bytes" "w.create().has<Large>();"
refused "an alignment of at most 4096" "w.create().has<Coarse>();"
refused "at most 255 bytes" "w.create().add<longer<longer<Mass>>>();"
refused "at most 255 bytes" "w.create().has<longer<longer<Mass>>>();"
refused "give it" "w.create(Hidden{1});"
refused "give it" "w.create([]{});"
case $("$compiler" --version) in
    *clang*) ;; # doesn't tell types of functions: test_cpp_types.cpp
    *)
        refused "give it" "struct Local { int value; }; w.create(Local{1});"
        refused "give it" "struct Of { bool f(denizen::entity e) const { struct Local { int value; }; return e.has<Local>(); } }; Of().f(w.create());"
        ;;
esac

for standard in c++17 c++20; do
    flags="-std=$standard -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I $include"
    for without in "" "-fno-exceptions -fno-rtti"; do
        echo "$compiler $standard $without"
        for times in once twice; do
            echo '#include <denizen/denizen.hpp>' > "$dir/it.cpp"
            [ $times = once ] || echo '#include <denizen/denizen.hpp>' >> "$dir/it.cpp"
            # Flags are lists of words.
            # shellcheck disable=SC2086
            "$compiler" $flags $without -c -o "$dir/it.o" "$dir/it.cpp"
        done
        if [ -n "$without" ]; then tests=$here/test_cpp_results.cpp; else tests=$(ls "$here"/test_cpp_*.cpp); fi
        for test in $tests; do
            # shellcheck disable=SC2086
            if [ $standard = c++17 ]; then "$compiler" $flags $without -fsyntax-only "$test" && continue; fi
            # shellcheck disable=SC2086
            "$compiler" $flags $without -o "$dir/test" "$test" -L "$dir" -ldenizen -lpthread -Wl,-rpath,"$dir"
            printf '  %s: ' "$(basename "$test")"
            "$dir/test"
        done
    done
done
