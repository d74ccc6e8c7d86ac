package dev.shardkit.codec.support;

/**
 * Whether {@code sun.misc.Unsafe} may be used, on which aircompressor is built, the peer of many tests: JVMs from 24 on
 * warn of it, and deny it when told to. Stateless.
 */
public enum UnsafeAccess {
    /** It works, with or without a warning. */
    ALLOWED,
    /** It fails. */
    DENIED;

    /** What this JVM does; looked up once. */
    public static UnsafeAccess ofThisJvm() {
        return Found.ACCESS;
    }

    private static final class Found {
        private static final UnsafeAccess ACCESS = works() ? ALLOWED : DENIED;

        private static boolean works() {
            try {
                return new io.airlift.compress.zstd.ZstdCompressor().compress(new byte[1], 0, 1, new byte[64], 0, 64)
                        > 0;
            } catch (LinkageError | RuntimeException e) {
                return false;
            }
        }
    }
}
