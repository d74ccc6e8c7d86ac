package dev.shardkit.codec.sharding;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.IndexEncoding;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardingLayout;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.Optional;

/**
 * The {@code sharding_indexed} codec. It divides a chunk (the shard) into inner chunks of equal shape, and encodes each
 * by a codec chain of its own. The shard contains the encoded inner chunks and an index of their byte ranges, at the
 * start or the end. Inner chunks in which every element equals the fill value need not be stored.
 *
 * <p>Shards can be nested: the chain of the inner chunks may contain this codec again. Reads and writes touch only the
 * index and the inner chunks that they need, unless a bytes-to-bytes codec encodes the whole shard.
 *
 * <p>The order of inner chunks and the way of changing a shard are not part of this codec or the metadata: see
 * {@link dev.shardkit.spi.codec.ShardWritePolicy}.
 *
 * <p>Where the specification is silent, this codec decides as follows:
 *
 * <ul>
 *   <li>An index entry is corrupt if only one of its numbers is 2^64-1, or if it extends past the end of the shard or
 *       into the index.
 *   <li>Entries may overlap. The codecs receive an entry of 0 bytes like any other.
 *   <li>A shard with only empty entries reads as the fill value. A missing inner chunk stays missing until it is
 *       written.
 *   <li>Bytes that no entry refers to (gaps, foreign headers and footers) are valid. A rewrite drops gaps between inner
 *       chunks; the policy decides about a foreign header or footer. A write that covers the whole shard replaces it
 *       without reading it.
 * </ul>
 *
 * <p>Immutable and thread-safe; a value, equal if the configuration is.
 */
public final class ShardingCodec implements ArrayToBytesCodec {
    /** The name in the metadata. */
    public static final String NAME = "sharding_indexed";

    private final long[] chunkShape;
    private final CodecChain codecs;
    private final CodecChain indexCodecs;
    private final IndexLocation indexLocation;

    private ShardingCodec(long[] chunkShape, CodecChain codecs, CodecChain indexCodecs, IndexLocation indexLocation) {
        this.chunkShape = chunkShape;
        this.codecs = codecs;
        this.indexCodecs = indexCodecs;
        this.indexLocation = indexLocation;
    }

    /**
     * Creates a codec that divides shards into inner chunks of {@code chunkShape}.
     *
     * @param codecs the codec chain of the inner chunks
     * @param indexCodecs the codec chain of the index; their output must have a fixed size
     */
    public static ShardingCodec of(
            long[] chunkShape, CodecChain codecs, CodecChain indexCodecs, IndexLocation indexLocation) {
        return new ShardingCodec(chunkShape.clone(), codecs, indexCodecs, indexLocation);
    }

    @Override
    public String name() {
        return NAME;
    }

    /** Returns all members, including the default of {@code index_location}. */
    @Override
    public Json.Obj configuration() {
        return Json.object()
                .with("chunk_shape", Json.of(chunkShape))
                .with("codecs", new Json.Arr(codecs.json()))
                .with("index_codecs", new Json.Arr(indexCodecs.json()))
                .with("index_location", Json.of(indexLocation.word()));
    }

    /** Returns the shape of the inner chunks. */
    public long[] chunkShape() {
        return chunkShape.clone();
    }

    /** Returns the codec chain of the inner chunks. */
    public CodecChain codecs() {
        return codecs;
    }

    /** Returns the codec chain of the index. */
    public CodecChain indexCodecs() {
        return indexCodecs;
    }

    /** Returns the location of the index. */
    public IndexLocation indexLocation() {
        return indexLocation;
    }

    @Override
    public ArrayToBytesCodec forType(ChunkType type) {
        return new ShardingCodec(chunkShape, codecs.forType(type.withShape(chunkShape)), indexCodecs, indexLocation);
    }

    @Override
    public ChunkCodec bind(ChunkType type, Limits limits) {
        InnerChunkGrid cells = InnerChunkGrid.of(type.shape(), chunkShape);
        IndexFormat index = IndexFormat.of(cells.counts(), indexCodecs, indexLocation, limits);
        ChunkCodec inner = codecs.bind(type.withShape(chunkShape), limits);
        return new BoundSharding(type, cells, inner, index.forInner(inner));
    }

    @Override
    public Optional<ShardingLayout> sharding() {
        IndexEncoding index = new IndexEncoding(indexCodecs.json(), indexLocation);
        return Optional.of(new ShardingLayout(chunkShape, codecs, index));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ShardingCodec c && configuration().equals(c.configuration());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(chunkShape);
    }

    @Override
    public String toString() {
        return NAME + configuration();
    }
}
