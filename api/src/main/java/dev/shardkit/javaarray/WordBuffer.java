package dev.shardkit.javaarray;

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
     * Copies {@code count} words of the buffer, from {@code word} with step {@code wordStep}, to the array, from
     * {@code index} with step {@code indexStep}.
     */
    abstract void loadStrided(int word, int wordStep, int index, int indexStep, int count);

    /**
     * Copies {@code count} words of the array, from {@code index} with step {@code indexStep}, to the buffer, from
     * {@code word} with step {@code wordStep}.
     */
    abstract void storeStrided(int index, int indexStep, int word, int wordStep, int count);
}
