package dev.shardkit.wkw;

/** The Morton order of blocks: the bits of x, y and z in turn, x lowest. Stateless. */
final class Morton {
    private Morton() {}

    /** Returns the position of a block; each coordinate has at most 15 bits. */
    static long position(long x, long y, long z, int bits) {
        long position = 0;
        for (int i = 0; i < bits; i++) {
            position |= (x >>> i & 1) << 3 * i | (y >>> i & 1) << 3 * i + 1 | (z >>> i & 1) << 3 * i + 2;
        }
        return position;
    }
}
