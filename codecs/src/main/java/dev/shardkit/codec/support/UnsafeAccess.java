package dev.shardkit.codec.support;

import dev.shardkit.spi.error.UnsupportedException;
import java.util.function.IntSupplier;

/**
 * Calls aircompressor, which reaches memory through {@code sun.misc.Unsafe}: newer JVMs deny that when told to, and
 * will by default. Nothing of it is touched before it is called, so that whatever needs none of it works. Stateless.
 */
public final class UnsafeAccess {
  private UnsafeAccess() {}

  /**
   * Gives what {@code call} does.
   *
   * @param what says what cannot be done without, for the message
   * @throws UnsupportedException if this JVM denies the access
   */
  public static int call(String what, IntSupplier call) {
    try {
      return call.getAsInt();
    } catch (LinkageError | UnsupportedOperationException e) {
      throw new UnsupportedException(what + " needs sun.misc.Unsafe, which this JVM denies;"
          + " it is allowed by --sun-misc-unsafe-memory-access=allow", e);
    }
  }
}
