package dev.shardkit;

import dev.shardkit.attributes.AttributeMapper;
import dev.shardkit.metadata.creation.ChunkEncoding;
import dev.shardkit.metadata.creation.Chunking;
import dev.shardkit.metadata.creation.FillAndLabels;
import dev.shardkit.metadata.creation.NewArrayDocument;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Describes an array to be created. Immutable; start with {@link #of} and change what differs from the defaults.
 *
 * <pre>{@code
 * ArraySpec.of("uint16", 4096, 4096)
 *     .withChunkShape(64, 64)       // of the inner chunks, because there is a shard shape
 *     .withShardShape(1024, 1024)
 *     .withCodecs(Codecs.zstd(3))   // of the inner chunks; "bytes" is implied
 *     .withFillValue(Json.of(7));
 * }</pre>
 *
 * <p>The defaults: chunks of about one megabyte, no shards, zstd, little-endian, fill value zero, chunk keys such as
 * {@code c/0/0}. Shards have their index at the end, with a crc32c checksum.
 */
public final class ArraySpec {
    private final Json dataType;
    private final long[] shape;
    private final Chunking chunking;
    private final ChunkEncoding encoding;
    private final FillAndLabels labels;

    private ArraySpec(Json dataType, long[] shape, Chunking chunking, ChunkEncoding encoding, FillAndLabels labels) {
        this.dataType = dataType;
        this.shape = shape;
        this.chunking = chunking;
        this.encoding = encoding;
        this.labels = labels;
    }

    private ArraySpec with(Chunking other) {
        return new ArraySpec(dataType, shape, other, encoding, labels);
    }

    private ArraySpec with(ChunkEncoding other) {
        return new ArraySpec(dataType, shape, chunking, other, labels);
    }

    private ArraySpec with(FillAndLabels other) {
        return new ArraySpec(dataType, shape, chunking, encoding, other);
    }

    /** Describes an array of {@code shape} whose data type has a name only ("uint16", "r24", "string" ...). */
    public static ArraySpec of(String dataType, long... shape) {
        return of(Json.of(dataType), shape);
    }

    /** Describes an array of {@code shape} whose data type has a configuration, in the form of the metadata. */
    public static ArraySpec of(Json dataType, long... shape) {
        return new ArraySpec(
                dataType,
                shape.clone(),
                new Chunking(null, null, null, null, List.of()), // null stands for the default
                new ChunkEncoding(null, null, null),
                new FillAndLabels(null, null, Json.object()));
    }

    /** Returns this description with the chunk shape. If there are shards, it is the shape of the inner chunks. */
    public ArraySpec withChunkShape(long... shape) {
        Chunking c = chunking;
        return with(new Chunking(shape.clone(), c.shard(), c.grid(), c.keys(), c.transformers()));
    }

    /**
     * Packs inner chunks into shards of this shape, a multiple of the chunk shape. Without a chunk shape, the longest
     * lengths of the shard are divided by 2, 3, 5 or 7 until an inner chunk has at most a 16th of the shard; this limit
     * is at least 64 KiB and at most 1 MiB. Lengths without these divisors stay whole.
     */
    public ArraySpec withShardShape(long... shape) {
        Chunking c = chunking;
        return with(new Chunking(c.chunk(), shape.clone(), c.grid(), c.keys(), c.transformers()));
    }

    /**
     * Returns this description with a chunk grid other than the regular one, such as {@code rectilinear}, in the form
     * of the metadata. If there is also a chunk shape, the grid divides the array into shards, and the shards hold
     * inner chunks of that shape. A grid excludes a shard shape.
     */
    public ArraySpec withChunkGrid(Json grid) {
        Chunking c = chunking;
        return with(new Chunking(c.chunk(), c.shard(), grid, c.keys(), c.transformers()));
    }

    /**
     * Returns this description with the chunk key encoding, in the form of the metadata. The default makes keys such as
     * {@code c/0/1}.
     */
    public ArraySpec withChunkKeyEncoding(Json keys) {
        Chunking c = chunking;
        return with(new Chunking(c.chunk(), c.shard(), c.grid(), keys, c.transformers()));
    }

    /**
     * Returns this description with the storage transformers, in the form of the metadata. The first one is nearest to
     * the chunks.
     */
    public ArraySpec withStorageTransformers(Json... transformers) {
        Chunking c = chunking;
        return with(new Chunking(c.chunk(), c.shard(), c.grid(), c.keys(), List.of(transformers)));
    }

    /**
     * Returns this description with the codecs of the chunks. If there are shards, they are those of the inner chunks.
     * See {@link Codecs}.
     */
    public ArraySpec withCodecs(Json... codecs) {
        return with(new ChunkEncoding(List.of(codecs), encoding.indexCodecs(), encoding.indexLocation()));
    }

    /** Returns this description with the codecs of the shard index. */
    public ArraySpec withIndexCodecs(Json... codecs) {
        return with(new ChunkEncoding(encoding.codecs(), List.of(codecs), encoding.indexLocation()));
    }

    /** Returns this description with the position of the index in a shard. */
    public ArraySpec withIndexLocation(IndexLocation location) {
        return with(new ChunkEncoding(encoding.codecs(), encoding.indexCodecs(), location));
    }

    /** Returns this description with the fill value, in the form of the metadata. */
    public ArraySpec withFillValue(Json fill) {
        return with(new FillAndLabels(fill, labels.dimensions(), labels.attributes()));
    }

    /** Returns this description with the fill value of a number type. NaN and infinities are allowed. */
    public ArraySpec withFillValue(Number fill) {
        if (fill instanceof Double || fill instanceof Float) {
            double d = fill.doubleValue();
            return withFillValue(
                    Double.isNaN(d) || Double.isInfinite(d)
                            ? Json.of(Double.toString(d))
                            : new Json.Num(fill.toString()));
        }
        return withFillValue(new Json.Num(fill.toString()));
    }

    /**
     * Returns this description with names of the dimensions. {@code Optional.empty()} leaves a dimension without a
     * name.
     */
    public ArraySpec withDimensionNames(List<Optional<String>> names) {
        return with(new FillAndLabels(labels.fill(), List.copyOf(names), labels.attributes()));
    }

    /** Returns this description with the names of all dimensions. */
    public ArraySpec withDimensionNames(String... names) {
        return withDimensionNames(Arrays.stream(names).map(Optional::of).toList());
    }

    /**
     * Returns this description with the attributes. Numbers may be NaN or infinite, which strict readers refuse: see
     * {@link ZarrNode#replaceAttributes(Object)}.
     */
    public ArraySpec withAttributes(Json.Obj attributes) {
        return with(new FillAndLabels(labels.fill(), labels.dimensions(), attributes));
    }

    /**
     * Returns this description with the members of an object as attributes; see
     * {@link ZarrNode#replaceAttributes(Object)}.
     */
    public ArraySpec withAttributes(Object attributes) {
        return withAttributes(AttributeMapper.attributes(attributes));
    }

    /** Returns the shape. */
    public long[] shape() {
        return shape.clone();
    }

    /** Returns the data type, in the form of the metadata. */
    public Json dataType() {
        return dataType;
    }

    /** Returns the chunk shape; empty if it is chosen automatically. */
    public Optional<long[]> chunkShape() {
        return Optional.ofNullable(chunking.chunk()).map(long[]::clone);
    }

    /** Returns the shard shape; empty if there is none. */
    public Optional<long[]> shardShape() {
        return Optional.ofNullable(chunking.shard()).map(long[]::clone);
    }

    /** Returns the chunk grid; empty for the regular one. */
    public Optional<Json> chunkGrid() {
        return Optional.ofNullable(chunking.grid());
    }

    /** Returns the chunk key encoding; empty for the default. */
    public Optional<Json> chunkKeyEncoding() {
        return Optional.ofNullable(chunking.keys());
    }

    /** Returns the storage transformers. */
    public List<Json> storageTransformers() {
        return chunking.transformers();
    }

    /** Returns the codecs of the (inner) chunks; empty for the default. */
    public Optional<List<Json>> codecs() {
        return Optional.ofNullable(encoding.codecs());
    }

    /** Returns the codecs of the shard index; empty for the default. */
    public Optional<List<Json>> indexCodecs() {
        return Optional.ofNullable(encoding.indexCodecs());
    }

    /** Returns the position of the index in a shard; empty for the default. */
    public Optional<IndexLocation> indexLocation() {
        return Optional.ofNullable(encoding.indexLocation());
    }

    /** Returns the fill value, in the form of the metadata; empty for the default of the data type. */
    public Optional<Json> fillValue() {
        return Optional.ofNullable(labels.fill());
    }

    /** Returns the names of the dimensions; empty if they have none. */
    public Optional<List<Optional<String>>> dimensionNames() {
        return Optional.ofNullable(labels.dimensions());
    }

    /** Returns the attributes. */
    public Json.Obj attributes() {
        return labels.attributes();
    }

    /** Returns the metadata document, with all defaults. */
    Json.Obj document(Registry registry) {
        return new NewArrayDocument(dataType, shape, chunking, encoding, labels, registry).json();
    }
}
