package dev.shardkit.codec.deflate;

/**
 * Chooses the decoder of each stream. The JDK's Inflater is native and fast from the first stream on.
 * {@link DeflateDecoder} is mostly 1.2 times as fast or more, but only after the JVM has compiled it: alone from the
 * start, it was behind by up to 0.2 s of one core, and level after about 0.5 GB.
 *
 * <p>So the Inflater decodes the first {@link #FIRST} encoded bytes of a process, and short programs never wait for
 * compilers. Then our decoder gets one byte for each {@link #SHARE} of the Inflater, until it has decoded
 * {@link #LEARNING} compressed bytes; then it gets everything. Compressed bytes count because they are its work: blocks
 * of zeros or without compression hardly run its loop. A JVM compiles a method once for all threads, so all workers
 * share the counts. A JVM that does not compile keeps the Inflater. Thread-safe: concurrent streams may lose counts,
 * which only delays a switch.
 */
final class DecoderChoice {
    /** The choice of this process. */
    static final DecoderChoice OF_PROCESS = new DecoderChoice(compiles());

    /** How many encoded bytes the Inflater gets before any other decoder. */
    static final long FIRST = 8L << 20;

    /** Then it gets this many bytes for each one of our decoder. */
    static final int SHARE = 8;

    /** An estimate, from noisy {@code uint16} data, of the compressed bytes after which our decoder is compiled. */
    static final long LEARNING = 4L << 20;

    private final boolean compiles;
    private volatile long inflated;
    private volatile long own;
    private volatile long learned;

    /** Begins with a JVM that has decoded nothing; {@code compiles} says whether it compiles methods at all. */
    DecoderChoice(boolean compiles) {
        this.compiles = compiles;
    }

    private static boolean compiles() {
        return !System.getProperty("java.vm.info", "").contains("interpreted mode");
    }

    /** Whether our decoder gets the next stream. */
    boolean isOwn() {
        return isWarm() || compiles && inflated - FIRST > SHARE * own;
    }

    /** Counts a stream of the Inflater. */
    void inflated(long encoded) {
        if (!isWarm()) {
            inflated = inflated + encoded;
        }
    }

    /** Counts a stream of our decoder; {@code compressed} are its bytes outside of stored blocks. */
    void decoded(long encoded, long compressed) {
        if (!isWarm()) {
            own = own + encoded;
            learned = learned + compressed;
        }
    }

    private boolean isWarm() {
        return learned >= LEARNING;
    }
}
