package dev.shardkit.carrier;

/**
 * A buffer of stored words that are copied to and from Java arrays of one primitive type. Indices count words. Bulk
 * copies work with any array of the type. Copies with steps copy word by word, to and from the array that this object
 * was created with. Not thread-safe.
 */
abstract class WordBuffer {
    /** The array for copies with steps. */
    final Object own;

    WordBuffer(Object own) {
        this.own = own;
    }

    /** Copies words from the buffer into an array of the type. */
    abstract void load(int word, Object into, int at, int n);

    /** Copies words from an array of the type into the buffer. */
    abstract void store(Object from, int at, int word, int n);

    /**
     * Copies {@code n} words of the buffer, from {@code a} with step {@code as}, to the own array, from {@code b} with
     * step {@code bs}.
     */
    abstract void take(int a, int as, int b, int bs, int n);

    /**
     * Copies {@code n} words of the own array, from {@code a} with step {@code as}, to the buffer, from {@code b} with
     * step {@code bs}.
     */
    abstract void give(int a, int as, int b, int bs, int n);
}
