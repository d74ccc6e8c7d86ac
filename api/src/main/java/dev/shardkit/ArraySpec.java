package dev.shardkit;

import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an array to be created looks like. Immutable; start from {@link #of} and add what you like.
 *
 * <pre>{@code
 * ArraySpec.of("uint16", 4096, 4096)
 *     .chunkShape(64, 64)       // with a shard shape: of the inner chunks
 *     .shardShape(1024, 1024)
 *     .codecs(Codecs.zstd(3))   // of the inner chunks; "bytes" is implied
 *     .fillValue(Json.of(7));
 * }</pre>
 *
 * <p>Where nothing is said: chunks of about a megabyte, no shards, zstd, little-endian, fill value zero, chunk keys
 * {@code c/0/0}, an index with crc32c at the end.
 */
public final class ArraySpec {
    /** How the array is cut and where its chunks go. */
    private record Chunking(
            long @Nullable [] chunk,
            long @Nullable [] shard,
            @Nullable Json grid,
            @Nullable Json keys,
            List<Json> transformers) {}

    /** How chunks are encoded. */
    private record Encoding(
            @Nullable List<Json> codecs,
            @Nullable List<Json> indexCodecs,
            @Nullable IndexLocation indexLocation) {}

    /** What the array says of its elements. */
    private record Labels(@Nullable Json fill, @Nullable List<Optional<String>> dimensions, Json.Obj attributes) {}

    private final Json dataType;
    private final long[] shape;
    private final Chunking chunking;
    private final Encoding encoding;
    private final Labels labels;

    private ArraySpec(Json dataType, long[] shape, Chunking chunking, Encoding encoding, Labels labels) {
        this.dataType = dataType;
        this.shape = shape;
        this.chunking = chunking;
        this.encoding = encoding;
        this.labels = labels;
    }

    private ArraySpec with(Chunking other) {
        return new ArraySpec(dataType, shape, other, encoding, labels);
    }

    private ArraySpec with(Encoding other) {
        return new ArraySpec(dataType, shape, chunking, other, labels);
    }

    private ArraySpec with(Labels other) {
        return new ArraySpec(dataType, shape, chunking, encoding, other);
    }

    /** An array of {@code shape}, of a data type known by its name ("uint16", "r24", "string" ...). */
    public static ArraySpec of(String dataType, long... shape) {
        return of(Json.of(dataType), shape);
    }

    /** An array of {@code shape}, of a data type given as in metadata, with a configuration. */
    public static ArraySpec of(Json dataType, long... shape) {
        return new ArraySpec(
                dataType,
                shape.clone(),
                new Chunking(null, null, null, null, List.of()),
                new Encoding(null, null, null),
                new Labels(null, null, Json.object()));
    }

    /** The shape of chunks; with a shard shape, that of the inner chunks. */
    public ArraySpec chunkShape(long... shape) {
        Chunking c = chunking;
        return with(new Chunking(shape.clone(), c.shard, c.grid, c.keys, c.transformers));
    }

    /** Packs inner chunks into shards of this shape, a multiple of the chunk shape. */
    public ArraySpec shardShape(long... shape) {
        Chunking c = chunking;
        return with(new Chunking(c.chunk, shape.clone(), c.grid, c.keys, c.transformers));
    }

    /**
     * Cuts the array by a chunk grid given as in metadata, such as a {@code rectilinear} one. With a chunk shape its
     * chunks are shards of such inner chunks; there is no shard shape then.
     */
    public ArraySpec chunkGrid(Json grid) {
        Chunking c = chunking;
        return with(new Chunking(c.chunk, c.shard, grid, c.keys, c.transformers));
    }

    /** The chunk key encoding, as in metadata; by default keys like {@code c/0/1} (Zarr v3, "default"). */
    public ArraySpec chunkKeyEncoding(Json keys) {
        Chunking c = chunking;
        return with(new Chunking(c.chunk, c.shard, c.grid, keys, c.transformers));
    }

    /** The storage transformers, as in metadata, the first nearest to the chunks; by default none. */
    public ArraySpec storageTransformers(Json... transformers) {
        Chunking c = chunking;
        return with(new Chunking(c.chunk, c.shard, c.grid, c.keys, List.of(transformers)));
    }

    /** The codecs of the chunks (of the inner chunks, with a shard shape), as in metadata; see {@link Codecs}. */
    public ArraySpec codecs(Json... codecs) {
        return with(new Encoding(List.of(codecs), encoding.indexCodecs, encoding.indexLocation));
    }

    /** The codecs of the shard index. */
    public ArraySpec indexCodecs(Json... codecs) {
        return with(new Encoding(encoding.codecs, List.of(codecs), encoding.indexLocation));
    }

    /** Where the shard index lies. */
    public ArraySpec indexLocation(IndexLocation location) {
        return with(new Encoding(encoding.codecs, encoding.indexCodecs, location));
    }

    /** The fill value, in its JSON form. */
    public ArraySpec fillValue(Json fill) {
        return with(new Labels(fill, labels.dimensions, labels.attributes));
    }

    /** The fill value of a number type; NaN and infinities too. */
    public ArraySpec fillValue(Number fill) {
        if (fill instanceof Double || fill instanceof Float) {
            double d = fill.doubleValue();
            return fillValue(
                    Double.isNaN(d) || Double.isInfinite(d)
                            ? Json.of(Double.toString(d))
                            : new Json.Num(fill.toString()));
        }
        return fillValue(new Json.Num(fill.toString()));
    }

    /** The names of the dimensions; {@code Optional.empty()} leaves one unnamed. */
    public ArraySpec dimensionNames(List<Optional<String>> names) {
        return with(new Labels(labels.fill, List.copyOf(names), labels.attributes));
    }

    /** The names of all dimensions. */
    public ArraySpec dimensionNames(String... names) {
        return dimensionNames(Arrays.stream(names).map(Optional::of).toList());
    }

    /** The attributes. */
    public ArraySpec attributes(Json.Obj attributes) {
        return with(new Labels(labels.fill, labels.dimensions, attributes));
    }

    /** The shape. */
    public long[] shape() {
        return shape.clone();
    }

    /** The data type, as in metadata. */
    public Json dataType() {
        return dataType;
    }

    Optional<long[]> chunkShape() {
        return Optional.ofNullable(chunking.chunk).map(long[]::clone);
    }

    Optional<long[]> shardShape() {
        return Optional.ofNullable(chunking.shard).map(long[]::clone);
    }

    Optional<Json> chunkGrid() {
        return Optional.ofNullable(chunking.grid);
    }

    Optional<Json> chunkKeyEncoding() {
        return Optional.ofNullable(chunking.keys);
    }

    List<Json> storageTransformers() {
        return chunking.transformers;
    }

    Optional<List<Json>> codecs() {
        return Optional.ofNullable(encoding.codecs);
    }

    Optional<List<Json>> indexCodecs() {
        return Optional.ofNullable(encoding.indexCodecs);
    }

    Optional<IndexLocation> indexLocation() {
        return Optional.ofNullable(encoding.indexLocation);
    }

    Optional<Json> fillValue() {
        return Optional.ofNullable(labels.fill);
    }

    Json.Obj attributes() {
        return labels.attributes;
    }

    Optional<Json> dimensionNamesJson() {
        return Optional.ofNullable(labels.dimensions)
                .map(names -> new Json.Arr(names.stream()
                        .map(n -> n.map(Json::of).orElseGet(Json.Null::new))
                        .toList()));
    }
}
