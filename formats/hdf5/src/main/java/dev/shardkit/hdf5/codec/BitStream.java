package dev.shardkit.hdf5.codec;

/** Reads and writes numbers of any width in a stream of bits, the most significant bit first. */
final class BitStream {
    private BitStream() {}

    /**
     * Reads {@code count} bits, at most 64, as a number.
     *
     * @param start the first byte of the stream
     * @param bitOffset the number of bits to skip
     */
    static long get(byte[] source, int start, long bitOffset, int count) {
        long word = 0;
        int remaining = count;
        long bit = bitOffset;
        while (remaining > 0) {
            int bitsOfByte = Byte.SIZE - (int) (bit % Byte.SIZE);
            int taken = Math.min(bitsOfByte, remaining);
            int partBits = (source[start + (int) (bit / Byte.SIZE)] & 0xff) >> bitsOfByte - taken & (1 << taken) - 1;
            word = word << taken | partBits;
            bit += taken;
            remaining -= taken;
        }
        return word;
    }

    /** Writes the lowest {@code count} bits of {@code word}. The target bits must be zero. */
    static void put(byte[] target, long bitOffset, int count, long word) {
        int remaining = count;
        long bit = bitOffset;
        while (remaining > 0) {
            int bitsOfByte = Byte.SIZE - (int) (bit % Byte.SIZE);
            int taken = Math.min(bitsOfByte, remaining);
            int partBits = (int) (word >>> remaining - taken) & (1 << taken) - 1;
            target[(int) (bit / Byte.SIZE)] |= (byte) (partBits << bitsOfByte - taken);
            bit += taken;
            remaining -= taken;
        }
    }
}
