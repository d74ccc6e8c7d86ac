package dev.shardkit.codec.support;

/**
 * Whether {@code sun.misc.Unsafe} may be used, on which aircompressor is built: JVMs from 24 on warn of it, and deny it
 * when told to. Nothing of it is needed: where it is denied, kernels of our own are used. Stateless.
 */
public enum UnsafeAccess {
  /** As ever. */
  QUIET,
  /** It works, and the JVM says so once: for what is much better with it. */
  WARNED,
  /** It fails. */
  DENIED;

  private static final int FIRST_TO_WARN = 24;

  /** What this JVM does; looked up once. */
  public static UnsafeAccess ofThisJvm() {
    return Found.ACCESS;
  }

  private static final class Found {
    private static final UnsafeAccess ACCESS =
        Runtime.version().feature() < FIRST_TO_WARN ? QUIET : works() ? WARNED : DENIED;

    private static boolean works() {
      try {
        return new io.airlift.compress.zstd.ZstdCompressor().compress(new byte[1], 0, 1, new byte[64], 0, 64) > 0;
      } catch (LinkageError | RuntimeException e) {
        return false;
      }
    }
  }
}
