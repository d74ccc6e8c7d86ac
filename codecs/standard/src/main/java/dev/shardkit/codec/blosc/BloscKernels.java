package dev.shardkit.codec.blosc;

/**
 * Alternative kernels for the streams in blosc frames, such as faster native ones: see {@link BloscCodec#withKernels}.
 * The codec still processes the frame, its shuffles and its checks. If a kernel declines or fails, the codec uses its
 * own implementation, so limits and errors are the same with and without kernels. State of one worker; not thread-safe.
 */
public interface BloscKernels extends AutoCloseable {
    /** The result of {@link #compress} if the stream is larger than the capacity. */
    int NO_ROOM = -1;

    /** The result of {@link #compress} if the kernels do not support the compressor. */
    int DECLINED = -2;

    /**
     * Expands one stream into exactly {@code size} bytes. Returns false if that failed; the destination may then
     * contain any bytes.
     *
     * @param format the format of the stream; {@code LZ4} also for lz4hc
     */
    boolean expand(BloscCompressor format, byte[] in, int inOffset, int length, byte[] out, int outOffset, int size);

    /** Compresses into one stream of at most {@code capacity} bytes. Returns its size or one of the constants above. */
    int compress(
            BloscCompressor cname,
            int level,
            byte[] in,
            int inOffset,
            int length,
            byte[] out,
            int outOffset,
            int capacity);

    /** Frees the kernels' memory. */
    @Override
    void close();
}
