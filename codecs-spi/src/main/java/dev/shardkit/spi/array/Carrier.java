package dev.shardkit.spi.array;

/** The Java type that carries elements to and from the caller. Unsigned integers are carried by width. */
public enum Carrier {
    /** {@code boolean[]}. */
    BOOLEAN(1),
    /** {@code byte[]}; several to an element for raw bits; smaller numbers extended to a byte. */
    BYTE(1),
    /** {@code short[]}; float16 and bfloat16 as their bits. */
    SHORT(2),
    /** {@code int[]}. */
    INT(4),
    /** {@code long[]}. */
    LONG(8),
    /** {@code float[]}; two to a complex64, real then imaginary. */
    FLOAT(4),
    /** {@code double[]}; two to a complex128, real then imaginary. */
    DOUBLE(8),
    /** {@code String[]}; stored as code points of four bytes, as many for each element, padded with zeros. */
    UTF32(4),
    /** {@code String[]}; stored as UTF-8. */
    STRING(0),
    /** {@code byte[][]}. */
    BYTES(0);

    private final int wordSize;

    Carrier(int wordSize) {
        this.wordSize = wordSize;
    }

    /** The bytes of one word (one array element in Java), as stored; 0 if it varies. Byte order applies to words. */
    public int wordSize() {
        return wordSize;
    }

    /** Whether elements vary in size. */
    public boolean isVariable() {
        return wordSize == 0;
    }
}
