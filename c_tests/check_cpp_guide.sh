#!/bin/sh
# check_cpp_guide.sh COMPILER INCLUDE_DIR LIBRARY GUIDE: the listings of docs/cpp.md, pasted one behind the other, are a program
# that runs. Declarations go before main. The listing of results is in test_cpp_results.cpp, which has no exceptions.
set -eu
compiler=$1 include=$2 library=$3 guide=$4
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp "$library" "$dir/libdenizen.so"
ln -s libdenizen.so "$dir/libdenizen.so.0"

# Listings are indented by four; a blank line ends a piece of one.
awk -v declarations="$dir/declarations" -v statements="$dir/statements" '
    function end() {
        if (piece ~ /^(struct|template|namespace|DENIZEN_NAME)/) printf "%s", piece > declarations
        else if (piece !~ /\.error\(\)/) printf "%s", piece > statements
        piece = ""
    }
    /^    / { piece = piece substr($0, 5) "\n"; lines++; next }
    { end() }
    END { end(); if (lines < 60) { print "no listings"; exit 1 } }
' "$guide"
cat > "$dir/guide.cpp" << END
#include <denizen/denizen.hpp>
#include <iostream>
#include <memory>
#include <string>
#include <vector>
template <class T> static void use(const T &it)
{
    if constexpr (std::is_same_v<T, denizen::entity>) std::cout << it.handle() << std::endl;
    else std::cout << it << std::endl;
}
$(cat "$dir/declarations")
int main()
{
$(cat "$dir/statements")
    std::cout << "done" << std::endl;
}
END
"$compiler" -std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I "$include" -o "$dir/guide" "$dir/guide.cpp" \
    -L "$dir" -ldenizen -Wl,-rpath,"$dir"
"$dir/guide" | tee "$dir/out"
# What the comments say.
sentence=$(sed -n 's|.*use(e.what()); *// ||p' "$guide")
[ -n "$sentence" ] && grep -qxF "$sentence" "$dir/out" || { echo "it doesn't say: $sentence"; exit 1; }
grep -qx done "$dir/out"
