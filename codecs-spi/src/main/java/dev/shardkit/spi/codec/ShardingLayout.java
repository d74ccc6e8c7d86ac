package dev.shardkit.spi.codec;

/**
 * How a codec divides a chunk into inner chunks, one level deep: {@code codecs} may divide the inner chunks again.
 * {@link ArrayToBytesCodec#sharding} returns it, so that callers need not read the codec's configuration. Immutable.
 *
 * @param innerShape the shape of the inner chunks
 * @param codecs the codecs of the inner chunks
 * @param index the encoding of the index
 */
public record ShardingLayout(long[] innerShape, CodecChain codecs, IndexEncoding index) {
    /** Copies {@code innerShape}. */
    public ShardingLayout {
        innerShape = innerShape.clone();
    }

    /** Returns a copy of the shape of the inner chunks. */
    @Override
    public long[] innerShape() {
        return innerShape.clone();
    }
}
