package dev.shardkit.codec.bytes;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.OptionalLong;

/** The {@code bytes} codec for chunks of one type: decoding hands the encoded buffer on, without a copy. */
final class BoundBytes implements ChunkCodec {
  private final ChunkType type;
  private final ByteOrder order;
  private final long[] shape;
  private final long[] strides;
  private final int size;

  BoundBytes(ChunkType type, ByteOrder order) {
    this.type = type;
    this.order = order;
    this.shape = type.shape();
    this.strides = Shapes.strides(shape);
    this.size = Math.toIntExact(type.decodedSize().orElseThrow());
  }

  @Override
  public ChunkType type() {
    return type;
  }

  @Override
  public OptionalLong encodedSize() {
    return OptionalLong.of(size);
  }

  @Override
  public long maxEncodedSize() {
    return size;
  }

  @Override
  public Optional<Bytes> encode(Feed chunk, WritePolicy policy, Scratch scratch) {
    byte[] bytes = new byte[size];
    Elements elements = Elements.Fixed.of(type.dataType(), ByteBuffer.wrap(bytes), order);
    chunk.get(type.box(), elements, 0, strides);
    boolean drops = policy.emptyChunks() == WritePolicy.EmptyChunks.DROP;
    return drops && DenseChunk.of(type, elements).isFill() ? Optional.empty() : Optional.of(Bytes.of(bytes));
  }

  @Override
  public void decode(Bytes encoded, Box part, Target out, Scratch scratch) {
    if (encoded.size() != size) {
      throw new CorruptDataException("codec bytes: expected " + size + " bytes for a chunk of " + type + ", found "
          + encoded.size());
    }
    Elements elements = type.dataType().canonical(Elements.Fixed.of(type.dataType(), encoded.buffer(), order));
    type.dataType().check(elements);
    out.put(elements, Shapes.ravel(part.origin(), shape), strides, Box.of(part.shape()));
  }
}
