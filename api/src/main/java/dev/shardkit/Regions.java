package dev.shardkit;

import dev.shardkit.spi.array.Box;
import java.util.Arrays;

/** Refuses regions that cannot be meant. Without state, so thread-safe. */
final class Regions {
  private Regions() {}

  /** {@code region}, which must lie in an array of {@code shape}. */
  static Box in(long[] shape, Box region) {
    if (region.rank() != shape.length || !Box.of(shape).contains(region)) {
      throw new IndexOutOfBoundsException("region " + region + " reaches outside the array " + Box.of(shape));
    }
    return region;
  }

  /** {@code values}, which must have the shape of {@code region}. */
  static NdArray filling(Box region, NdArray values) {
    if (!Arrays.equals(region.shape(), values.shape())) {
      throw new IllegalArgumentException("region " + region + " is overwritten by values of its own shape, found "
          + Arrays.toString(values.shape()));
    }
    return values;
  }
}
