package dev.shardkit.wkw;

/**
 * Computes positions of blocks in Morton order: the bits of x, y and z are interleaved, with those of x lowest.
 * Stateless.
 */
final class Morton {
    private Morton() {}

    /**
     * Returns the position of the block with these coordinates.
     *
     * @param bitCount the number of bits of each coordinate, at most 15
     */
    static long position(long x, long y, long z, int bitCount) {
        long position = 0;
        for (int i = 0; i < bitCount; i++) {
            position |= (x >>> i & 1) << 3 * i | (y >>> i & 1) << 3 * i + 1 | (z >>> i & 1) << 3 * i + 2;
        }
        return position;
    }
}
