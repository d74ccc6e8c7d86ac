package dev.shardkit.codec.deflate;

/**
 * Chooses the decoder of each stream. The JDK's Inflater is native and fast from the first stream on.
 * {@link DeflateDecoder} is mostly 1.2 times as fast or more, but only after the JVM has compiled it: alone from the
 * start, it was behind by up to 0.2 s of one core, and level after about 0.5 GB.
 *
 * <p>So the Inflater decodes the first {@link #FIRST} bytes of a process, and short programs never wait for compilers.
 * Then our decoder gets one byte for each {@link #SHARE} of the Inflater, and after {@link #LEARNING} bytes all of
 * them. The counts concern the JVM, so all workers share them. Thread-safe: concurrent streams may lose counts, which
 * only delays a switch.
 */
final class DecoderChoice {
    /** The choice of this process. */
    static final DecoderChoice OF_PROCESS = new DecoderChoice();

    /** How many decoded bytes the Inflater gets before any other decoder. */
    static final long FIRST = 16L << 20;

    /** Then it gets this many bytes for each one of our decoder. */
    static final int SHARE = 8;

    /** How many decoded bytes it takes until the JVM has compiled our decoder. */
    static final long LEARNING = 8L << 20;

    private volatile long inflated;
    private volatile long own;

    /** Whether our decoder gets the next stream. */
    boolean isOwn() {
        return isWarm() || inflated - FIRST > SHARE * own;
    }

    /** Counts decoded bytes. */
    void count(boolean byOwn, int bytes) {
        if (isWarm()) {
            return;
        }
        if (byOwn) {
            own = own + bytes;
        } else {
            inflated = inflated + bytes;
        }
    }

    private boolean isWarm() {
        return own >= LEARNING;
    }
}
