/* What test_dlopen.c uses of POSIX to load a library, on Windows. */
#ifndef WINDOWS_DLOPEN_H
#define WINDOWS_DLOPEN_H

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

enum { RTLD_NOW = 1, RTLD_LOCAL = 2, RTLD_NOLOAD = 4 };

static inline void *dlopen(const char *path, int flags)
{
    return flags & RTLD_NOLOAD ? GetModuleHandleA(path) : LoadLibraryA(path);
}

static inline void *dlsym(void *library, const char *name)
{
    FARPROC found = GetProcAddress((HMODULE)library, name);
    void *symbol;
    memcpy(&symbol, &found, sizeof symbol);
    return symbol;
}

static inline int dlclose(void *library)
{
    return FreeLibrary((HMODULE)library) ? 0 : 1;
}

static inline const char *dlerror(void)
{
    return "the library can't be loaded";
}

#endif
