package dev.shardkit.codec.blosc;

/**
 * Other kernels for the streams inside of blosc frames, faster ones say: see {@link BloscCodec#withKernels}. The frame
 * itself, its shuffles and its checks stay the codec's. What a kernel declines, and what it fails at, the codec does by
 * its own, so limits and errors are the same with and without. State of one worker; not for two threads at a time.
 */
public interface BloscKernels extends AutoCloseable {
    /** What {@link #compress} gives when the stream is larger than the room for it. */
    int NO_ROOM = -1;

    /** What {@link #compress} gives when it has nothing for that compressor. */
    int DECLINED = -2;

    /**
     * Expands one stream into exactly {@code size} bytes and says that it did; otherwise the bytes there may be
     * anything.
     *
     * @param format the stream's format; {@code LZ4} for lz4hc too
     */
    boolean expand(Cname format, byte[] in, int inAt, int length, byte[] out, int outAt, int size);

    /** Compresses into one stream of at most {@code room} bytes, and gives its size or one of the numbers above. */
    int compress(Cname cname, int level, byte[] in, int inAt, int length, byte[] out, int outAt, int room);

    /** Frees what is kept. */
    @Override
    void close();
}
