/* Latency of block I/O, measured where the block layer's tracepoints fire: no kprobes, no request pointers.
 *
 * probe.py compiles this with bcc and defines QUEUED (time in the queue counts), HAS_MERGE (the kernel has
 * block_rq_merge), LEAST_SECTORS, REQUESTS, HISTOGRAMS and WATCHED(dev).
 *
 * A request is known by disk, first sector and operation. Several with the same three may be under way at once: each has
 * a place of its own, and the newest is taken to complete first. Which of them it was is not known, but the number of
 * requests and the sum of their times are right either way.
 *
 * The kernel skips BPF programs now and then, so that starts and completions are missed. What is left of a request whose
 * completion was missed must not be taken for the start of one whose start was missed: that would be a long request that
 * never was. Requests that are alike take about as long; what is left behind for many times as long is given up.
 */
#define PLACES 4
#define BUCKETS 272
#define STALE 60000000000ULL /* nanoseconds after which a completion is not waited for where the place is needed */
#define LONGER 8 /* times as long as a later one that is alike, and has completed */
#define LEAST_PATIENCE 1000000ULL /* nanoseconds */

enum { UNMATCHED, LOST, UNCOUNTED, BACKWARDS, FATES };
enum { QUEUED_UP, ISSUED, REQUEUED };

struct key_t {
    u64 sector;
    u32 dev;
    u16 operation;
    u16 place;
};
struct request_t {
    u64 start; /* nanoseconds */
    u64 patience; /* nanoseconds after which it is given up; 0 while no later one has completed */
    u32 sectors;
    u16 state;
    u16 crowded; /* in place 0: there may be requests in other places */
};
struct series_t {
    u32 dev;
    u16 operation;
    u16 half;
};
struct sums_t {
    u64 waited; /* nanoseconds */
    u64 counts[BUCKETS];
};

BPF_TABLE("lru_hash", struct key_t, struct request_t, requests, REQUESTS);
BPF_TABLE("percpu_hash", struct series_t, struct sums_t, histograms, HISTOGRAMS);
BPF_PERCPU_ARRAY(fates, u64, FATES);
BPF_ARRAY(empty, struct sums_t, 1);
BPF_ARRAY(half, u32, 1); /* the half of the histograms that is written to; probe.py reads the other one */

static inline void tally(int fate)
{
    u64 *count = fates.lookup(&fate);
    if (count)
        *count += 1;
}

/* R, W, D, F or N, from texts such as R, RA, WS, FWFS, FF, DE. */
static inline u16 operation_of(char first, char second)
{
    char letter = first == 'F' && second ? second : first;
    return letter == 'R' || letter == 'W' || letter == 'D' || letter == 'F' ? letter : 'N';
}

/* A request without a sector, as a flush, is at 0 in some tracepoints and at -1 in others. */
static inline struct key_t key_of(u32 dev, u64 sector, char first, char second)
{
    struct key_t key = {};
    key.dev = dev;
    key.sector = sector == (u64)-1 ? 0 : sector;
    key.operation = operation_of(first, second);
    return key;
}

static inline int given_up(struct request_t *request, u64 now)
{
    u64 patience = request->patience ? request->patience : STALE;
    return now > request->start && now - request->start > patience;
}

static inline void begin(struct key_t *key, struct request_t *fresh, u64 now)
{
    key->place = 0;
    if (!requests.insert(key, fresh))
        return;
    struct request_t *first = requests.lookup(key);
    if (first && given_up(first, now)) {
        tally(LOST);
        fresh->crowded = first->crowded;
        requests.update(key, fresh);
        return;
    }
    if (first)
        first->crowded = 1;
#pragma unroll
    for (int place = 1; place < PLACES; place++) {
        key->place = place;
        if (!requests.insert(key, fresh))
            return;
        struct request_t *other = requests.lookup(key);
        if (other && given_up(other, now))
            break;
    }
    tally(LOST);
    requests.update(key, fresh);
}

/* A request has completed after so many nanoseconds: those before it that are alike should do so soon. */
static inline void overtake(struct key_t *key, u64 waited)
{
    u64 patience = waited * LONGER > LEAST_PATIENCE ? waited * LONGER : LEAST_PATIENCE;
    struct key_t before = *key;
#pragma unroll
    for (int place = PLACES - 2; place >= 0; place--) {
        if (place >= key->place)
            continue;
        before.place = place;
        struct request_t *older = requests.lookup(&before);
        if (older && !older->patience)
            older->patience = patience;
    }
}

/* The newest request in a state; key->place is where it is. */
static inline struct request_t *newest(struct key_t *key, u16 state)
{
    key->place = 0;
    struct request_t *first = requests.lookup(key);
    if (!first)
        return 0;
    if (first->crowded) {
#pragma unroll
        for (int place = PLACES - 1; place > 0; place--) {
            key->place = place;
            struct request_t *other = requests.lookup(key);
            if (other && other->state == state)
                return other;
        }
        key->place = 0;
    }
    return first->state == state ? first : 0;
}

/* Eight buckets per octave of microseconds; below 8 us one for each. */
static inline u64 bucket_of(u64 micros)
{
    u64 octave = 0;
    u64 rest = micros;
    if (micros < 8)
        return micros;
    if (rest >> 32) { rest >>= 32; octave += 32; }
    if (rest >> 16) { rest >>= 16; octave += 16; }
    if (rest >> 8) { rest >>= 8; octave += 8; }
    if (rest >> 4) { rest >>= 4; octave += 4; }
    if (rest >> 2) { rest >>= 2; octave += 2; }
    octave += rest >> 1;
    return octave * 8 - 16 + ((micros >> (octave - 3)) & 7);
}

static inline void count(struct key_t *key, u64 waited)
{
    int zero = 0;
    u32 *written = half.lookup(&zero);
    u64 bucket = bucket_of(waited / 1000); /* all 64 bits: the verifier follows them */
    struct series_t series = {};
    if (!written)
        return;
    series.dev = key->dev;
    series.operation = key->operation;
    series.half = *written & 1;
    struct sums_t *sums = histograms.lookup(&series);
    if (!sums) {
        struct sums_t *none = empty.lookup(&zero);
        if (none)
            histograms.insert(&series, none);
        sums = histograms.lookup(&series);
    }
    if (!sums) {
        tally(UNCOUNTED);
        return;
    }
    if (bucket >= BUCKETS)
        bucket = BUCKETS - 1;
    sums->waited += waited;
    sums->counts[bucket] += 1;
}

TRACEPOINT_PROBE(block, block_rq_issue)
{
    if (!WATCHED(args->dev))
        return 0;
    struct key_t key = key_of(args->dev, args->sector, args->rwbs[0], args->rwbs[1]);
    struct request_t fresh = {.start = bpf_ktime_get_ns(), .sectors = args->nr_sector, .state = ISSUED};
#if QUEUED
    struct request_t *waiting = newest(&key, QUEUED_UP);
    if (!waiting)
        waiting = newest(&key, REQUEUED);
    if (waiting) {
        if (args->nr_sector < LEAST_SECTORS) {
            requests.delete(&key);
        } else {
            waiting->sectors = args->nr_sector;
            waiting->state = ISSUED;
        }
        return 0;
    }
#endif
    if (args->nr_sector >= LEAST_SECTORS)
        begin(&key, &fresh, fresh.start);
    return 0;
}

TRACEPOINT_PROBE(block, block_rq_requeue)
{
    if (!WATCHED(args->dev))
        return 0;
    struct key_t key = key_of(args->dev, args->sector, args->rwbs[0], args->rwbs[1]);
    struct request_t *returned = newest(&key, ISSUED);
    if (!returned)
        return 0;
#if QUEUED
    returned->state = REQUEUED;
#else
    requests.delete(&key);
#endif
    return 0;
}

TRACEPOINT_PROBE(block, block_rq_complete)
{
    if (!WATCHED(args->dev))
        return 0;
    struct key_t key = key_of(args->dev, args->sector, args->rwbs[0], args->rwbs[1]);
    struct request_t *found = newest(&key, ISSUED);
    if (!found) {
        /* Without sectors it is the second completion of a write with a flush. */
        if (args->nr_sector && args->nr_sector >= LEAST_SECTORS)
            tally(UNMATCHED);
        return 0;
    }
    u64 now = bpf_ktime_get_ns();
    struct request_t done = *found;
    requests.delete(&key);
    if (done.patience && given_up(&done, now)) {
        tally(LOST);
        tally(UNMATCHED);
        return 0;
    }
    if (args->nr_sector < done.sectors) { /* a part of it: the rest goes on from the next sector */
        key.sector += args->nr_sector;
        done.sectors -= args->nr_sector;
        done.crowded = 0;
        begin(&key, &done, now);
        return 0;
    }
    if (now < done.start) {
        tally(BACKWARDS);
        return 0;
    }
    count(&key, now - done.start);
    if (key.place)
        overtake(&key, now - done.start);
    return 0;
}

#if QUEUED
TRACEPOINT_PROBE(block, block_rq_insert)
{
    if (!WATCHED(args->dev))
        return 0;
    struct key_t key = key_of(args->dev, args->sector, args->rwbs[0], args->rwbs[1]);
    struct request_t fresh = {.start = bpf_ktime_get_ns(), .sectors = args->nr_sector, .state = QUEUED_UP};
    struct request_t *returned = newest(&key, REQUEUED);
    if (returned)
        returned->state = QUEUED_UP;
    else
        begin(&key, &fresh, fresh.start);
    return 0;
}
#endif

#if QUEUED && HAS_MERGE
/* A queued request becomes part of the one before it, and will not be seen again. */
TRACEPOINT_PROBE(block, block_rq_merge)
{
    if (!WATCHED(args->dev))
        return 0;
    struct key_t key = key_of(args->dev, args->sector, args->rwbs[0], args->rwbs[1]);
    if (newest(&key, QUEUED_UP))
        requests.delete(&key);
    return 0;
}
#endif
