package dev.shardkit.codec.ffm;

import dev.shardkit.spi.error.UnsupportedException;
import io.airlift.compress.v3.deflate.DeflateNativeCompressor;
import io.airlift.compress.v3.deflate.DeflateNativeDecompressor;
import io.airlift.compress.v3.lz4.Lz4NativeCompressor;
import io.airlift.compress.v3.snappy.SnappyNativeCompressor;
import io.airlift.compress.v3.zstd.ZstdNativeCompressor;
import org.jspecify.annotations.Nullable;

/** Says whether the native libraries can be loaded. Tests each library once, when this class is initialized. */
final class NativeAvailability {
    private static final @Nullable Throwable FAILURE = failure();

    private NativeAvailability() {}

    /**
     * Returns normally if the native libraries work.
     *
     * @throws UnsupportedException if they do not; the message contains the reason
     */
    static void check() {
        if (FAILURE != null) {
            // Without a cause: the list of plug-ins would show the root cause in place of this message.
            throw new UnsupportedException(message(FAILURE));
        }
    }

    private static String message(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return "native codecs cannot be loaded (" + cause + "); the pure-Java ones are used";
    }

    /** Calls each native library once, and returns the failure; null if all work. */
    private static @Nullable Throwable failure() {
        try {
            byte[] one = new byte[1];
            byte[] out = new byte[256];
            int outputBytes = new ZstdNativeCompressor().compress(one, 0, 1, out, 0, out.length)
                    + new Lz4NativeCompressor().compress(one, 0, 1, out, 0, out.length)
                    + new SnappyNativeCompressor().compress(one, 0, 1, out, 0, out.length);
            int deflated = new DeflateNativeCompressor().compress(one, 0, 1, out, 0, out.length);
            outputBytes += new DeflateNativeDecompressor().decompress(out, 0, deflated, one, 0, 1);
            return outputBytes > 0 ? null : new IllegalStateException("the native compressors produced no output");
        } catch (LinkageError | RuntimeException e) {
            System.getLogger("dev.shardkit").log(System.Logger.Level.WARNING, message(e));
            return e;
        }
    }
}
