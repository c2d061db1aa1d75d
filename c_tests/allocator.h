/* An allocator that checks what it is asked: each block comes back once, with the size and alignment it was asked
 * for, and nothing is left. It can fail at a chosen call. */
#ifndef ALLOCATOR_H
#define ALLOCATOR_H

#include "check.h"

typedef struct counting {
    uint64_t bytes, peak, blocks, calls; /* held, most held, blocks held, allocations ever asked for */
    uint64_t fail_at;                    /* the number of the call that fails, and all after it; 0: none */
    void (*meanwhile)(void);             /* called first, if it isn't NULL */
} counting;

typedef struct block {
    void *base;
    size_t size, alignment;
    uint64_t mark;
} block;

#define BLOCK_MARK UINT64_C(0x0ddba11c0ffee000)

static inline void *counting_allocate(size_t size, size_t alignment, void *user)
{
    counting *me = (counting *)user;
    block head;
    char *at;
    if (me->meanwhile) me->meanwhile();
    CHECK(size > 0);
    CHECK(alignment > 0 && alignment <= 4096 && (alignment & (alignment - 1)) == 0);
    me->calls++;
    if (me->fail_at && me->calls >= me->fail_at) return NULL;
    if (size > (size_t)1 << 30) return NULL; /* a small machine */
    head.base = malloc(sizeof head + alignment + size);
    if (!head.base) return NULL;
    head.size = size;
    head.alignment = alignment;
    head.mark = BLOCK_MARK;
    at = (char *)head.base + sizeof head;
    at += (alignment - (uintptr_t)at % alignment) % alignment;
    memcpy(at - sizeof head, &head, sizeof head);
    memset(at, 0xa5, size); /* fresh memory is not zero: who needs zeros must write them */
    me->blocks++;
    me->bytes += size;
    if (me->bytes > me->peak) me->peak = me->bytes;
    return at;
}

static inline void counting_free(void *memory, size_t size, size_t alignment, void *user)
{
    counting *me = (counting *)user;
    block head;
    if (me->meanwhile) me->meanwhile();
    if (!CHECK(memory != NULL)) return;
    memcpy(&head, (char *)memory - sizeof head, sizeof head);
    if (!CHECK(head.mark == BLOCK_MARK)) return;
    CHECK_EQ(head.size, size);
    CHECK_EQ(head.alignment, alignment);
    memset((char *)memory - sizeof head, 0xdd, sizeof head + head.size);
    free(head.base);
    me->blocks--;
    me->bytes -= size;
}

static inline void *counting_reallocate(void *memory, size_t old_size, size_t new_size, size_t alignment, void *user)
{
    void *grown = counting_allocate(new_size, alignment, user);
    if (!grown) return NULL;
    memcpy(grown, memory, old_size < new_size ? old_size : new_size);
    counting_free(memory, old_size, alignment, user);
    return grown;
}

static inline dz_allocator counting_allocator(counting *me)
{
    dz_allocator it;
    memset(me, 0, sizeof *me);
    it.allocate = counting_allocate;
    it.free = counting_free;
    it.reallocate = NULL;
    it.user = me;
    return it;
}

#endif
