package dev.shardkit.neuroglancer;

/**
 * The hash functions that assign the ids of chunks to shards (sharded.md of neuroglancer, "Sharding specification").
 */
enum ShardHash {
    /** Returns the number itself. */
    IDENTITY("identity") {
        @Override
        long hash(long number) {
            return number;
        }
    },
    /** Returns the first 8 bytes of MurmurHash3_x86_128 of the number's 8 bytes, little-endian, with seed 0. */
    MURMUR("murmurhash3_x86_128") {
        @Override
        long hash(long number) {
            int h1 = rotateLeft((int) number * C1, 15) * C2;
            int h2 = rotateLeft((int) (number >>> Integer.SIZE) * C2, 16) * C3;
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
            h1 = mix(h1);
            h2 = mix(h2);
            h3 = mix(h3);
            h4 = mix(h4);
            h1 += h2 + h3 + h4;
            h2 += h1;
            return Integer.toUnsignedLong(h1) | Integer.toUnsignedLong(h2) << Integer.SIZE;
        }
    };

    // The constants of MurmurHash3, here and in mix().
    private static final int C1 = 0x239b961b;
    private static final int C2 = 0xab0e9789;
    private static final int C3 = 0x38b34ae5;

    private final String functionName;

    ShardHash(String functionName) {
        this.functionName = functionName;
    }

    /** Returns the name of the function in {@code info}. */
    String functionName() {
        return functionName;
    }

    /** Returns the hash of {@code number}. */
    abstract long hash(long number);

    private static int rotateLeft(int word, int distance) {
        return Integer.rotateLeft(word, distance);
    }

    private static int mix(int word) {
        int hash = (word ^ word >>> 16) * 0x85ebca6b;
        hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
        return hash ^ hash >>> 16;
    }
}
