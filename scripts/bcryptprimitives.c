/* The one function of Windows' bcryptprimitives.dll that Rust's standard library calls: see wine.sh. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID to, ULONG size); /* RtlGenRandom */
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T size);

BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T size)
{
    return SystemFunction036(to, (ULONG)size);
}
