/* SHA-256 by the processor's own instructions: Intel's SHA extensions, ARMv8's cryptographic extension.
 * Written from the vendors' descriptions of the instructions. No code elsewhere. */
#ifndef POLYMOCK_CSHA256_H
#define POLYMOCK_CSHA256_H

#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
typedef uint32_t polymock_words __attribute__((vector_size(16)));
typedef int polymock_lanes __attribute__((vector_size(16)));
typedef char polymock_bytes __attribute__((vector_size(16)));

/* Whether this processor has the instructions: CPUID leaf 1, ECX 9 and 19; leaf 7, EBX 29. Not by <cpuid.h>, with
 * which Apple's modules build all of <immintrin.h>. */
static inline void polymock_cpuid(uint32_t leaf, uint32_t *a, uint32_t *b, uint32_t *c) {
    uint32_t d;
    __asm__("cpuid" : "=a"(*a), "=b"(*b), "=c"(*c), "=d"(d) : "0"(leaf), "2"(0));
}

static inline _Bool polymock_sha256_is_there(void) {
    uint32_t most, a, b, c;
    polymock_cpuid(0, &most, &b, &c);
    if (most < 7) return 0;
    polymock_cpuid(1, &a, &b, &c);
    if (!(c & 1u << 9) || !(c & 1u << 19)) return 0;
    polymock_cpuid(7, &a, &b, &c);
    return (b & 1u << 29) != 0;
}

/* Processes blocks of 64 bytes. `constants` are those of FIPS 180-4, 4.2.2. */
__attribute__((target("sha,sse4.1,ssse3")))
static inline void polymock_sha256(uint32_t *state, const uint32_t *constants, const uint8_t *bytes, size_t blocks) {
    /* SHA256RNDS2 has the words F, E, B, A in one register, H, G, D, C in the other, from the lowest. */
    polymock_words abef = {state[5], state[4], state[1], state[0]};
    polymock_words cdgh = {state[7], state[6], state[3], state[2]};
    for (; blocks > 0; blocks--, bytes += 64) {
        polymock_words w[4], first = abef, second = cdgh;
#pragma clang loop unroll(full)
        for (int group = 0; group < 16; group++) {
            polymock_words now;
            if (group < 4) {
                polymock_bytes part;
                __builtin_memcpy(&part, bytes + 16 * group, 16);
                now = (polymock_words)__builtin_shufflevector(
                    part, part, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
            } else {
                /* w[i - 16] + s0(w[i - 15]), + w[i - 7], + s1(w[i - 2]). */
                polymock_words sum = (polymock_words)__builtin_ia32_sha256msg1(
                    (polymock_lanes)w[group & 3], (polymock_lanes)w[(group + 1) & 3]);
                sum += __builtin_shufflevector(w[(group + 2) & 3], w[(group + 3) & 3], 1, 2, 3, 4);
                now = (polymock_words)__builtin_ia32_sha256msg2((polymock_lanes)sum, (polymock_lanes)w[(group + 3) & 3]);
            }
            w[group & 3] = now;
            polymock_words added;
            __builtin_memcpy(&added, constants + 4 * group, 16);
            added += now;
            cdgh = (polymock_words)__builtin_ia32_sha256rnds2(
                (polymock_lanes)cdgh, (polymock_lanes)abef, (polymock_lanes)added);
            added = __builtin_shufflevector(added, added, 2, 3, 2, 3);
            abef = (polymock_words)__builtin_ia32_sha256rnds2(
                (polymock_lanes)abef, (polymock_lanes)cdgh, (polymock_lanes)added);
        }
        abef += first;
        cdgh += second;
    }
    state[0] = abef[3], state[1] = abef[2], state[2] = cdgh[3], state[3] = cdgh[2];
    state[4] = abef[1], state[5] = abef[0], state[6] = cdgh[1], state[7] = cdgh[0];
}

#elif defined(__aarch64__) && (defined(__APPLE__) || defined(__linux__))
#include <arm_neon.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif

/* Whether this processor has the instructions. All of Apple's have; Linux says so (HWCAP_SHA2). */
static inline _Bool polymock_sha256_is_there(void) {
#ifdef __linux__
    return (getauxval(AT_HWCAP) & 1ul << 6) != 0;
#else
    return 1;
#endif
}

/* Processes blocks of 64 bytes. `constants` are those of FIPS 180-4, 4.2.2. */
__attribute__((target("sha2")))
static inline void polymock_sha256(uint32_t *state, const uint32_t *constants, const uint8_t *bytes, size_t blocks) {
    uint32x4_t abcd = vld1q_u32(state), efgh = vld1q_u32(state + 4);
    for (; blocks > 0; blocks--, bytes += 64) {
        uint32x4_t w[4], first = abcd, second = efgh;
#pragma clang loop unroll(full)
        for (int group = 0; group < 16; group++) {
            uint32x4_t now;
            if (group < 4) {
                now = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(bytes + 16 * group)));
            } else {
                now = vsha256su1q_u32(
                    vsha256su0q_u32(w[group & 3], w[(group + 1) & 3]), w[(group + 2) & 3], w[(group + 3) & 3]);
            }
            w[group & 3] = now;
            uint32x4_t added = vaddq_u32(now, vld1q_u32(constants + 4 * group)), before = abcd;
            abcd = vsha256hq_u32(abcd, efgh, added);
            efgh = vsha256h2q_u32(efgh, before, added);
        }
        abcd = vaddq_u32(abcd, first);
        efgh = vaddq_u32(efgh, second);
    }
    vst1q_u32(state, abcd);
    vst1q_u32(state + 4, efgh);
}

#else
static inline _Bool polymock_sha256_is_there(void) { return 0; }
static inline void polymock_sha256(uint32_t *state, const uint32_t *constants, const uint8_t *bytes, size_t blocks) {
    (void)state, (void)constants, (void)bytes, (void)blocks;
}
#endif

#endif
