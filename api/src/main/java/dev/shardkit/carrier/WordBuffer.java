package dev.shardkit.carrier;

/**
 * A buffer of stored words that are copied to and from Java arrays of one primitive type. Indices count words. Bulk
 * copies work with any array of the type. Copies with steps copy word by word, to and from the array that this object
 * was created with. Not thread-safe.
 */
abstract class WordBuffer {
    /** The array for copies with steps. */
    final Object stridedArray;

    WordBuffer(Object stridedArray) {
        this.stridedArray = stridedArray;
    }

    /** Copies words from the buffer into an array of the type. */
    abstract void load(int word, Object target, int offset, int count);

    /** Copies words from an array of the type into the buffer. */
    abstract void store(Object source, int offset, int word, int count);

    /**
     * Copies {@code count} words of the buffer, from {@code a} with step {@code aStep}, to the array, from {@code b}
     * with step {@code bStep}.
     */
    abstract void loadStrided(int a, int aStep, int b, int bStep, int count);

    /**
     * Copies {@code count} words of the array, from {@code a} with step {@code aStep}, to the buffer, from {@code b}
     * with step {@code bStep}.
     */
    abstract void storeStrided(int a, int aStep, int b, int bStep, int count);
}
