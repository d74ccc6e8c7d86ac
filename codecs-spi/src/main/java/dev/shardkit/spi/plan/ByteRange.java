package dev.shardkit.spi.plan;

/** Which bytes of an object are wanted. Offsets and lengths are in bytes, 64-bit. */
public sealed interface ByteRange {
  /** {@code length} bytes from {@code offset}. */
  record Slice(long offset, long length) implements ByteRange {
    /** Refuses negative numbers and an end beyond 2^63-1. */
    public Slice {
      if (offset < 0 || length < 0 || offset + length < 0) {
        throw new IllegalArgumentException("not a byte range: offset " + offset + ", length " + length);
      }
    }

    /** The first offset behind it. */
    public long end() {
      return offset + length;
    }

    @Override
    public String toString() {
      return "bytes " + offset + " to " + end();
    }
  }

  /** The last {@code length} bytes; of a shorter object, all of it. */
  record Suffix(long length) implements ByteRange {
    /** Refuses negative numbers. */
    public Suffix {
      if (length < 0) {
        throw new IllegalArgumentException("not a byte range: the last " + length);
      }
    }

    @Override
    public String toString() {
      return "the last " + length + " bytes";
    }
  }

  /** The whole object. */
  record Whole() implements ByteRange {
    @Override
    public String toString() {
      return "all bytes";
    }
  }

  /** The whole object. */
  static ByteRange whole() {
    return new Whole();
  }
}
