// The same as C++ compiles it.
#include "test_abi.c"
