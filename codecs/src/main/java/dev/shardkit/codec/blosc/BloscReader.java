package dev.shardkit.codec.blosc;

import static dev.shardkit.codec.blosc.BloscHeader.corrupt;
import static dev.shardkit.codec.blosc.BloscHeader.int32;

import dev.shardkit.spi.plan.Scratch;

/** Decodes a frame whose header is known, into memory that the caller has found to be enough for it. */
final class BloscReader {
  private static final byte[] NONE = {};

  private final BloscHeader header;
  private final byte[] in;
  private final int at;
  private final int end;

  /** Makes a reader of the frame that begins at {@code at}. */
  BloscReader(BloscHeader header, byte[] in, int at) {
    this.header = header;
    this.in = in;
    this.at = at;
    this.end = at + header.cbytes();
  }

  /**
   * Walks over all streams without expanding any: they must lie inside the frame, share no bytes, and be long enough
   * for what they claim to hold. After it the decoded size may be allocated.
   */
  void check() {
    if (header.memcpyed()) {
      return;
    }
    long used = BloscHeader.SIZE + 4L * header.blocks();
    for (int block = 0; block < header.blocks(); block++) {
      int size = header.sizeOf(block);
      int streams = streams(size);
      int from = start(block);
      for (int s = 0; s < streams; s++) {
        int length = streamLength(from, block);
        if (length != size / streams && !header.format().canExpand(length, size / streams)) {
          throw corrupt("at most what " + length + " bytes expand to", "a stream of " + size / streams + " bytes");
        }
        used += 4L + length;
        from += 4 + length;
      }
    }
    if (used > header.cbytes()) {
      throw corrupt("streams that share no bytes", used + " bytes of streams in " + header.cbytes());
    }
  }

  /** Decodes the whole frame. */
  void decode(byte[] out, int outAt, Streams streams, Scratch scratch) {
    if (header.memcpyed()) {
      System.arraycopy(in, at + BloscHeader.SIZE, out, outAt, header.nbytes());
      return;
    }
    Shuffle shuffle = header.shuffle();
    int mark = scratch.mark();
    byte[] filtered = shuffle == Shuffle.NOSHUFFLE ? NONE : scratch.borrow(header.blocksize());
    byte[] planes = shuffle == Shuffle.BITSHUFFLE ? scratch.borrow(header.blocksize()) : NONE;
    for (int block = 0; block < header.blocks(); block++) {
      decodeBlock(block, out, outAt + block * header.blocksize(), filtered, planes, streams);
    }
    scratch.reset(mark);
  }

  private void decodeBlock(int block, byte[] out, int outAt, byte[] filtered, byte[] planes, Streams streams) {
    int size = header.sizeOf(block);
    Shuffle shuffle = header.shuffle().forBlock(header.typesize(), size);
    if (shuffle == Shuffle.NOSHUFFLE) {
      expandBlock(block, size, out, outAt, streams);
      return;
    }
    expandBlock(block, size, filtered, 0, streams);
    if (shuffle == Shuffle.SHUFFLE) {
      ByteShuffle.unshuffle(header.typesize(), size, filtered, 0, out, outAt);
    } else {
      BitShuffle.unshuffle(header.typesize(), size, filtered, 0, planes, out, outAt);
    }
  }

  private void expandBlock(int block, int size, byte[] out, int outAt, Streams streams) {
    int count = streams(size);
    int part = size / count;
    int from = start(block);
    for (int s = 0; s < count; s++) {
      int length = streamLength(from, block);
      from += 4;
      if (length == part) {
        System.arraycopy(in, from, out, outAt + s * part, part);
      } else {
        streams.expand(header.format(), in, from, length, out, outAt + s * part, part);
      }
      from += length;
    }
  }

  private int streams(int size) {
    int streams = header.streams(size);
    if (size % streams != 0) {
      throw corrupt("blocks of whole elements of " + header.typesize() + " bytes", size + " bytes");
    }
    return streams;
  }

  private int start(int block) {
    int first = BloscHeader.SIZE + 4 * header.blocks();
    int start = int32(in, at + BloscHeader.SIZE + 4 * block);
    if (start < first || start >= header.cbytes()) {
      throw corrupt("block " + block + " to start in " + first + " to " + header.cbytes(), Integer.toString(start));
    }
    return at + start;
  }

  private int streamLength(int from, int block) {
    int length = end - from < 4 ? -1 : int32(in, from);
    if (length <= 0 || length > end - from - 4) {
      throw corrupt("a stream of block " + block + " inside the frame", length + " bytes at " + (from - at));
    }
    return length;
  }
}
