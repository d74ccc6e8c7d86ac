package dev.shardkit.spi.array;

/**
 * The Java array type that carries elements to and from the caller. Unsigned integers use the signed type of the same
 * width.
 */
public enum Carrier {
    /** {@code boolean[]}. */
    BOOLEAN(1),
    /**
     * {@code byte[]}. Raw bits and records take several bytes for each element; numbers of fewer than 8 bits are
     * extended to a byte.
     */
    BYTE(1),
    /** {@code short[]}; also the bit patterns of float16 and bfloat16. */
    SHORT(2),
    /** {@code int[]}. */
    INT(4),
    /** {@code long[]}. */
    LONG(8),
    /** {@code float[]}; a complex64 takes two, real then imaginary. */
    FLOAT(4),
    /** {@code double[]}; a complex128 takes two, real then imaginary. */
    DOUBLE(8),
    /** {@code String[]}; stored as 4-byte code points, the same number for each element, padded with zeros. */
    UTF32(4),
    /** {@code String[]}; stored as UTF-8. */
    STRING(0),
    /** {@code byte[][]}. */
    BYTES(0);

    private final int wordSize;

    Carrier(int wordSize) {
        this.wordSize = wordSize;
    }

    /**
     * Returns the stored size in bytes of one word (one array element in Java); 0 if sizes vary. Byte order applies to
     * words.
     */
    public int wordSize() {
        return wordSize;
    }

    /** Returns whether the size of elements varies. */
    public boolean isVariable() {
        return wordSize == 0;
    }
}
