# The recipes of packaging/, as far as they can be tried without their registries: sourced by .ci/run. Bash.

if provide ninja ninja-build && provide cmake cmake && command -v python3 > /dev/null; then
    step "vcpkg port: its cmake calls and their package" packaging/vcpkg/test.sh
    skip "vcpkg port by vcpkg itself" "vcpkg is in no package registry"
else
    skip "vcpkg port" "no cmake, ninja or python3"
fi

if provide cmake cmake && provide_python bin/conan 'conan==2.*'; then
    step "conan create, shared and static" env PYTHONPATH="$PWD/build/python" packaging/conan/test.sh "$PWD/build/python/bin/conan"
else
    skip "conan create" "no cmake, or conan can't be had"
fi
