/*
 * ring_buffer.c - a byte queue of fixed size for one writer and one reader.
 *
 * The buffer holds a power of two of bytes, so that a position is turned into
 * an index by a mask. Positions only grow; their difference is the number of
 * bytes waiting, also after they wrap round.
 *
 * Made as sample data for glnzip. Public domain.
 */

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ring {
    uint8_t *bytes;
    size_t mask;      /* size - 1 */
    size_t written;   /* total bytes ever put in */
    size_t read;      /* total bytes ever taken out */
};

/* Returns false if size is not a power of two or memory is short. */
bool ring_open(struct ring *ring, size_t size)
{
    assert(ring != NULL);
    if (size == 0 || (size & (size - 1)) != 0) {
        return false;
    }
    ring->bytes = malloc(size);
    if (ring->bytes == NULL) {
        return false;
    }
    ring->mask = size - 1;
    ring->written = 0;
    ring->read = 0;
    return true;
}

void ring_close(struct ring *ring)
{
    assert(ring != NULL);
    free(ring->bytes);
    memset(ring, 0, sizeof *ring);
}

size_t ring_waiting(const struct ring *ring)
{
    return ring->written - ring->read;
}

size_t ring_space(const struct ring *ring)
{
    return ring->mask + 1 - ring_waiting(ring);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Puts in at most count bytes; returns how many went in. */
size_t ring_put(struct ring *ring, const void *source, size_t count)
{
    const uint8_t *from = source;
    size_t most = smaller(count, ring_space(ring));
    size_t start = ring->written & ring->mask;
    size_t first = smaller(most, ring->mask + 1 - start);

    memcpy(ring->bytes + start, from, first);
    memcpy(ring->bytes, from + first, most - first);
    ring->written += most;
    return most;
}

/* Takes out at most count bytes; returns how many came out. */
size_t ring_take(struct ring *ring, void *target, size_t count)
{
    uint8_t *to = target;
    size_t most = smaller(count, ring_waiting(ring));
    size_t start = ring->read & ring->mask;
    size_t first = smaller(most, ring->mask + 1 - start);

    memcpy(to, ring->bytes + start, first);
    memcpy(to + first, ring->bytes, most - first);
    ring->read += most;
    return most;
}

/* Looks at the byte that lies offset bytes ahead; -1 if there is none. */
int ring_peek(const struct ring *ring, size_t offset)
{
    if (offset >= ring_waiting(ring)) {
        return -1;
    }
    return ring->bytes[(ring->read + offset) & ring->mask];
}

/* Finds the first occurrence of a byte; returns its offset or -1. */
long ring_find(const struct ring *ring, uint8_t wanted)
{
    size_t waiting = ring_waiting(ring);

    for (size_t offset = 0; offset < waiting; offset++) {
        if (ring->bytes[(ring->read + offset) & ring->mask] == wanted) {
            return (long)offset;
        }
    }
    return -1;
}

/* Takes one line without its newline; returns its length or -1. */
long ring_take_line(struct ring *ring, char *line, size_t room)
{
    long length = ring_find(ring, '\n');

    if (length < 0 || (size_t)length + 1 > room) {
        return -1;
    }
    ring_take(ring, line, (size_t)length + 1);
    line[length] = '\0';
    return length;
}

#ifdef RING_TEST

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static void test_sizes(void)
{
    struct ring ring;

    assert(!ring_open(&ring, 0));
    assert(!ring_open(&ring, 3));
    assert(!ring_open(&ring, 100));
    assert(ring_open(&ring, 1));
    ring_close(&ring);
    assert(ring_open(&ring, 64));
    assert(ring_space(&ring) == 64);
    assert(ring_waiting(&ring) == 0);
    ring_close(&ring);
}

static void test_order(void)
{
    struct ring ring;
    unsigned state = 1;
    uint8_t put = 0;
    uint8_t taken = 0;

    assert(ring_open(&ring, 32));
    for (int round = 0; round < 10000; round++) {
        uint8_t block[40];
        size_t count = next_random(&state) % sizeof block;

        for (size_t i = 0; i < count; i++) {
            block[i] = (uint8_t)(put + i);
        }
        put = (uint8_t)(put + ring_put(&ring, block, count));

        count = ring_take(&ring, block, next_random(&state) % sizeof block);
        for (size_t i = 0; i < count; i++) {
            assert(block[i] == taken);
            taken++;
        }
    }
    ring_close(&ring);
}

static void test_lines(void)
{
    struct ring ring;
    char line[16];

    assert(ring_open(&ring, 16));
    assert(ring_put(&ring, "one\ntwo\nthr", 11) == 11);
    assert(ring_take_line(&ring, line, sizeof line) == 3);
    assert(strcmp(line, "one") == 0);
    assert(ring_peek(&ring, 0) == 't');
    assert(ring_peek(&ring, 99) == -1);
    assert(ring_take_line(&ring, line, 2) == -1);
    assert(ring_take_line(&ring, line, sizeof line) == 3);
    assert(strcmp(line, "two") == 0);
    assert(ring_take_line(&ring, line, sizeof line) == -1);
    assert(ring_put(&ring, "ee\n", 3) == 3);
    assert(ring_take_line(&ring, line, sizeof line) == 5);
    assert(strcmp(line, "three") == 0);
    ring_close(&ring);
}

int main(void)
{
    test_sizes();
    test_order();
    test_lines();
    printf("ring buffer: all tests passed\n");
    return 0;
}

#endif
