package dev.shardkit.carrier;

/**
 * Pairs a Java array of a primitive type with a buffer of stored words. Indices count words. Copies between the buffer
 * and any array of the type are bulk copies. Copies with steps go word by word and use the lane's own array. Not
 * thread-safe.
 */
abstract class Lane {
    /** The lane's own array. */
    final Object own;

    Lane(Object own) {
        this.own = own;
    }

    /** Copies words from the buffer into an array of the type. */
    abstract void load(int word, Object into, int at, int n);

    /** Copies words from an array of the type into the buffer. */
    abstract void store(Object from, int at, int word, int n);

    /**
     * Copies {@code n} words of the buffer, from {@code a} with step {@code as}, to the lane's array, from {@code b}
     * with step {@code bs}.
     */
    abstract void take(int a, int as, int b, int bs, int n);

    /**
     * Copies {@code n} words of the lane's array, from {@code a} with step {@code as}, to the buffer, from {@code b}
     * with step {@code bs}.
     */
    abstract void give(int a, int as, int b, int bs, int n);
}
