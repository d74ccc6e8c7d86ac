package dev.shardkit.wkw;

/** The Morton order of blocks: the bits of x, y and z interleaved, x lowest. Stateless. */
final class Morton {
    private Morton() {}

    /**
     * Returns the position of a block.
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
