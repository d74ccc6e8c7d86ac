package dev.shardkit.hdf5.codec;

/**
 * Reads and writes words of 1 to 8 bytes in one byte order. {@link NumberForm} says which bits of a word are the
 * number. Immutable.
 *
 * @param size the size of a word in bytes
 * @param isBig whether the most significant byte is the first
 */
public record WordOrder(int size, boolean isBig) {
    /** Reads a word as an unsigned number. */
    long get(byte[] source, int offset) {
        long word = 0;
        for (int i = 0; i < size; i++) {
            word = word << Byte.SIZE | source[offset + (isBig ? i : size - 1 - i)] & 0xff;
        }
        return word;
    }

    /** Writes the lowest bytes of a number as a word. */
    void put(byte[] target, int offset, long word) {
        for (int i = 0; i < size; i++) {
            target[offset + (isBig ? size - 1 - i : i)] = (byte) (word >> Byte.SIZE * i);
        }
    }
}
