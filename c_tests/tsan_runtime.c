/* Rust's ThreadSanitizer is newer than that of most C compilers: it calls these three where the older runtimes
 * intercept the plain functions. So the plain functions are called. */
#include <stddef.h>
#include <string.h>

void *__tsan_memcpy(void *to, const void *from, size_t size);
void *__tsan_memmove(void *to, const void *from, size_t size);
void *__tsan_memset(void *to, int byte, size_t size);

__attribute__((weak)) void *__tsan_memcpy(void *to, const void *from, size_t size)
{
    return memcpy(to, from, size);
}

__attribute__((weak)) void *__tsan_memmove(void *to, const void *from, size_t size)
{
    return memmove(to, from, size);
}

__attribute__((weak)) void *__tsan_memset(void *to, int byte, size_t size)
{
    return memset(to, byte, size);
}
