package dev.shardkit.codec.ffm;

import dev.shardkit.spi.error.UnsupportedException;
import io.airlift.compress.v3.deflate.DeflateNativeCompressor;
import io.airlift.compress.v3.deflate.DeflateNativeDecompressor;
import io.airlift.compress.v3.lz4.Lz4NativeCompressor;
import io.airlift.compress.v3.snappy.SnappyNativeCompressor;
import io.airlift.compress.v3.zstd.ZstdNativeCompressor;
import java.util.Optional;

/** Whether the native libraries can be loaded; tried once. Stateless. */
final class Natives {
    private static final Optional<Throwable> FAILURE = failure();

    private Natives() {}

    /**
     * Returns normally if the native libraries work.
     *
     * @throws UnsupportedException if they do not; the message contains the reason
     */
    static void check() {
        FAILURE.ifPresent(e -> {
            throw new UnsupportedException(message(e)); // the list of plug-ins shows a failed one with its first cause
        });
    }

    private static String message(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return "native codecs cannot be loaded (" + cause + "); the pure-Java ones are used";
    }

    private static Optional<Throwable> failure() {
        try {
            byte[] one = new byte[1];
            byte[] out = new byte[256];
            int n = new ZstdNativeCompressor().compress(one, 0, 1, out, 0, out.length)
                    + new Lz4NativeCompressor().compress(one, 0, 1, out, 0, out.length)
                    + new SnappyNativeCompressor().compress(one, 0, 1, out, 0, out.length);
            int deflated = new DeflateNativeCompressor().compress(one, 0, 1, out, 0, out.length);
            n += new DeflateNativeDecompressor().decompress(out, 0, deflated, one, 0, 1);
            return n > 0
                    ? Optional.empty()
                    : Optional.of(new IllegalStateException("the native compressors produced no output"));
        } catch (LinkageError | RuntimeException e) {
            System.getLogger("dev.shardkit").log(System.Logger.Level.WARNING, message(e));
            return Optional.of(e);
        }
    }
}
