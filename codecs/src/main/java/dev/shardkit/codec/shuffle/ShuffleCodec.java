package dev.shardkit.codec.shuffle;

import dev.shardkit.codec.support.HeapBytes;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Byte k of every element goes to plane k: the shuffle of HDF5 and of numcodecs, known to zarr-python as
 * {@code numcodecs.shuffle}. Bytes past the last whole element stay where they are, as in HDF5. Changes no size.
 * Immutable and thread-safe.
 *
 * @param elementSize bytes in an element, 1 or more
 */
public record ShuffleCodec(int elementSize) implements BytesToBytesCodec {
  /** The name in the metadata. */
  public static final String NAME = "numcodecs.shuffle";

  /** Its member there. */
  static final String ELEMENT_SIZE = "elementsize";

  /** Refuses sizes below 1. */
  public ShuffleCodec {
    if (elementSize < 1) {
      throw new IllegalArgumentException("shuffle: expected elements of 1 byte or more, found " + elementSize);
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Json.Obj configuration() {
    return new Json.Obj(Map.of(ELEMENT_SIZE, Json.of(elementSize)));
  }

  @Override
  public Bytes encode(Bytes decoded, Scratch scratch) {
    HeapBytes in = HeapBytes.of(decoded, scratch, NAME);
    byte[] out = new byte[in.size()];
    int count = in.size() / elementSize;
    for (int k = 0; k < elementSize; k++) {
      int plane = k * count;
      for (int j = 0, from = in.from() + k; j < count; j++, from += elementSize) {
        out[plane + j] = in.array()[from];
      }
    }
    copyRest(in, count, out);
    return Bytes.of(out);
  }

  @Override
  public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
    expected.check(encoded.size(), "shuffle decoded");
    HeapBytes in = HeapBytes.of(encoded, scratch, NAME);
    byte[] out = scratch.borrow(in.size());
    int count = in.size() / elementSize;
    for (int k = 0; k < elementSize; k++) {
      int plane = in.from() + k * count;
      for (int j = 0, to = k; j < count; j++, to += elementSize) {
        out[to] = in.array()[plane + j];
      }
    }
    copyRest(in, count, out);
    return Bytes.of(out, 0, in.size());
  }

  private void copyRest(HeapBytes in, int count, byte[] out) {
    int whole = count * elementSize;
    System.arraycopy(in.array(), in.from() + whole, out, whole, in.size() - whole);
  }

  @Override
  public OptionalLong encodedSize(long decodedSize) {
    return OptionalLong.of(decodedSize);
  }
}
