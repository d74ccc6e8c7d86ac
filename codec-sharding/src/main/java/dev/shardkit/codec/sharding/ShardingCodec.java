package dev.shardkit.codec.sharding;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.List;

/**
 * The {@code sharding_indexed} codec: a chunk (the shard) is cut into inner chunks of one shape, each encoded by a
 * chain of its own and stored one after the other, with an index of their byte ranges at the start or the end. Inner
 * chunks that hold nothing but the fill value need not be stored.
 *
 * <p>Shards nest: a chain of inner chunks may hold this codec again. What is read or changed of a shard is its index
 * and the inner chunks touched, never the whole, unless a bytes-to-bytes codec lies around it.
 *
 * <p>Not for the order in which inner chunks are stored or how a shard is changed: that is
 * {@link dev.shardkit.spi.codec.WritePolicy} at run time and never enters the metadata.
 *
 * <p>Where the specification is silent: an index entry with only one number 2^64-1, one that reaches past the end of
 * the shard and one that reaches into the index are corrupt; entries may overlap; an entry of 0 bytes is given to the
 * codecs; a shard with only empty entries reads as the fill value; an inner chunk that is missing stays so until it is
 * written. Bytes that no entry names (gaps, foreign headers and footers) are legal to read. When a shard is written
 * anew, gaps between inner chunks are left out, and a foreign header or footer is treated as the policy says; a shard
 * that a write covers whole is replaced without a look at what is there.
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
     * A codec that cuts shards into inner chunks of {@code chunkShape}.
     *
     * @param codecs the chain of the inner chunks
     * @param indexCodecs the chain of the index; none of them may be of variable size
     */
    public static ShardingCodec of(
            long[] chunkShape, CodecChain codecs, CodecChain indexCodecs, IndexLocation indexLocation) {
        return new ShardingCodec(chunkShape.clone(), codecs, indexCodecs, indexLocation);
    }

    @Override
    public String name() {
        return NAME;
    }

    /** All members, the default of {@code index_location} included. */
    @Override
    public Json.Obj configuration() {
        return Json.object()
                .with("chunk_shape", Json.of(chunkShape))
                .with("codecs", list(codecs))
                .with("index_codecs", list(indexCodecs))
                .with("index_location", Json.of(indexLocation.word()));
    }

    /** The chain as metadata writes it: the long form, which every reader understands. */
    static Json list(CodecChain chain) {
        List<Json> items = chain.codecs().stream().map(ShardingCodec::named).toList();
        return new Json.Arr(items);
    }

    private static Json named(Codec codec) {
        Json.Obj named = Json.object().with("name", Json.of(codec.name()));
        return codec.configuration().members().isEmpty() ? named : named.with("configuration", codec.configuration());
    }

    /** The shape of the inner chunks. */
    public long[] chunkShape() {
        return chunkShape.clone();
    }

    /** The chain of the inner chunks. */
    public CodecChain codecs() {
        return codecs;
    }

    /** The chain of the index. */
    public CodecChain indexCodecs() {
        return indexCodecs;
    }

    /** Where the index lies. */
    public IndexLocation indexLocation() {
        return indexLocation;
    }

    @Override
    public ChunkCodec bind(ChunkType type, Limits limits) {
        Cells cells = Cells.of(type.shape(), chunkShape);
        IndexFormat index = IndexFormat.of(cells.counts(), indexCodecs, indexLocation, limits);
        ChunkCodec inner = codecs.bind(type.withShape(chunkShape), limits);
        return new BoundSharding(type, cells, inner, index.above(inner));
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
