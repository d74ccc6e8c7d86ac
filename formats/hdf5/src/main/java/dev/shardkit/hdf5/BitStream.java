package dev.shardkit.hdf5;

/** Numbers of any width in a stream of bits, the most significant bit first. */
final class BitStream {
    private BitStream() {}

    /**
     * Returns {@code count} bits, at most 64.
     *
     * @param start the first byte of the stream
     * @param at the number of bits before the wanted ones
     */
    static long get(byte[] in, int start, long at, int count) {
        long word = 0;
        int left = count;
        long bit = at;
        while (left > 0) {
            int unread = Byte.SIZE - (int) (bit % Byte.SIZE);
            int n = Math.min(unread, left);
            int part = (in[start + (int) (bit / Byte.SIZE)] & 0xff) >> unread - n & (1 << n) - 1;
            word = word << n | part;
            bit += n;
            left -= n;
        }
        return word;
    }

    /** Writes the lowest {@code count} bits of {@code word}; the place must hold zeros. */
    static void put(byte[] out, long at, int count, long word) {
        int left = count;
        long bit = at;
        while (left > 0) {
            int unused = Byte.SIZE - (int) (bit % Byte.SIZE);
            int n = Math.min(unused, left);
            int part = (int) (word >>> left - n) & (1 << n) - 1;
            out[(int) (bit / Byte.SIZE)] |= (byte) (part << unused - n);
            bit += n;
            left -= n;
        }
    }
}
