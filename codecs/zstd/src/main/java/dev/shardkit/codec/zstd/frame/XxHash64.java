package dev.shardkit.codec.zstd.frame;

import dev.shardkit.spi.bytes.Words;

/** XXH64 with seed 0, whose low 32 bits are a frame's content checksum (RFC 8878, section 3.1.1). Stateless. */
public final class XxHash64 {
    private static final long PRIME1 = 0x9E3779B185EBCA87L;
    private static final long PRIME2 = 0xC2B2AE3D27D4EB4FL;
    private static final long PRIME3 = 0x165667B19E3779F9L;
    private static final long PRIME4 = 0x85EBCA77C2B2AE63L;
    private static final long PRIME5 = 0x27D4EB2F165667C5L;

    private XxHash64() {}

    /** Returns the hash of {@code in} from {@code from} to {@code to}. */
    public static long of(byte[] in, int from, int to) {
        int position = from;
        long hash = PRIME5;
        if (to - from >= 32) {
            hash = stripes(in, from, to);
            position = to - (to - from & 31);
        }
        return avalanche(tail(in, position, to, hash + (to - from)));
    }

    /** Hashes all whole stripes of 32 bytes, in four lanes. */
    private static long stripes(byte[] in, int from, int to) {
        long a = PRIME1 + PRIME2;
        long b = PRIME2;
        long c = 0;
        long d = -PRIME1;
        for (int position = from; position <= to - 32; position += 32) {
            a = round(a, Words.int64(in, position));
            b = round(b, Words.int64(in, position + 8));
            c = round(c, Words.int64(in, position + 16));
            d = round(d, Words.int64(in, position + 24));
        }
        long hash = Long.rotateLeft(a, 1) + Long.rotateLeft(b, 7) + Long.rotateLeft(c, 12) + Long.rotateLeft(d, 18);
        return merge(merge(merge(merge(hash, a), b), c), d);
    }

    /** Adds the bytes after the last whole stripe to a hash. */
    private static long tail(byte[] in, int from, int to, long start) {
        long hash = start;
        int position = from;
        for (; position <= to - 8; position += 8) {
            hash = Long.rotateLeft(hash ^ round(0, Words.int64(in, position)), 27) * PRIME1 + PRIME4;
        }
        if (position <= to - 4) {
            hash = Long.rotateLeft(hash ^ (Words.int32(in, position) & 0xffffffffL) * PRIME1, 23) * PRIME2 + PRIME3;
            position += 4;
        }
        for (; position < to; position++) {
            hash = Long.rotateLeft(hash ^ (in[position] & 0xff) * PRIME5, 11) * PRIME1;
        }
        return hash;
    }

    private static long round(long lane, long word) {
        return Long.rotateLeft(lane + word * PRIME2, 31) * PRIME1;
    }

    private static long merge(long hash, long lane) {
        return (hash ^ round(0, lane)) * PRIME1 + PRIME4;
    }

    private static long avalanche(long hash) {
        long h = (hash ^ hash >>> 33) * PRIME2;
        h = (h ^ h >>> 29) * PRIME3;
        return h ^ h >>> 32;
    }
}
