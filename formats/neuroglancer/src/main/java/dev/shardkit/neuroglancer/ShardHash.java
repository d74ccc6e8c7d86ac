package dev.shardkit.neuroglancer;

/** The hash functions of the sharded format (sharded.md, "Sharding specification"). */
enum ShardHash {
    /** The number itself. */
    IDENTITY("identity") {
        @Override
        long of(long number) {
            return number;
        }
    },
    /** The first 8 bytes of MurmurHash3_x86_128 of the number's 8 bytes, little-endian, with seed 0. */
    MURMUR("murmurhash3_x86_128") {
        @Override
        long of(long number) {
            int h1 = rotated((int) number * C1, 15) * C2;
            int h2 = rotated((int) (number >>> Integer.SIZE) * C2, 16) * C3;
            int h3 = 0;
            int h4 = 0;
            h1 ^= Long.BYTES;
            h2 ^= Long.BYTES;
            h3 ^= Long.BYTES;
            h4 ^= Long.BYTES;
            h1 += h2 + h3 + h4;
            h2 += h1;
            h3 += h1;
            h4 += h1;
            h1 = mixed(h1);
            h2 = mixed(h2);
            h3 = mixed(h3);
            h4 = mixed(h4);
            h1 += h2 + h3 + h4;
            h2 += h1;
            return Integer.toUnsignedLong(h1) | Integer.toUnsignedLong(h2) << Integer.SIZE;
        }
    };

    private static final int C1 = 0x239b961b;
    private static final int C2 = 0xab0e9789;
    private static final int C3 = 0x38b34ae5;

    private final String label;

    ShardHash(String label) {
        this.label = label;
    }

    /** Returns the name in {@code info}. */
    String label() {
        return label;
    }

    /** Returns the hash of {@code number}. */
    abstract long of(long number);

    private static int rotated(int word, int by) {
        return Integer.rotateLeft(word, by);
    }

    private static int mixed(int word) {
        int h = (word ^ word >>> 16) * 0x85ebca6b;
        h = (h ^ h >>> 13) * 0xc2b2ae35;
        return h ^ h >>> 16;
    }
}
