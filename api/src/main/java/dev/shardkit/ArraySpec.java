package dev.shardkit;

import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
    /** Where a shard's index lies (the sharding codec's {@code index_location}). */
    public enum IndexLocation {
        /** Before the inner chunks. */
        START,
        /** Behind the inner chunks. */
        END
    }

    private final Map<String, Object> said;

    private ArraySpec(Map<String, Object> said) {
        this.said = said;
    }

    private ArraySpec with(String what, Object value) {
        Map<String, Object> copy = new LinkedHashMap<>(said);
        copy.put(what, value);
        return new ArraySpec(copy);
    }

    private <T> Optional<T> get(String what, Class<T> type) {
        return Optional.ofNullable(said.get(what)).map(type::cast);
    }

    /** An array of {@code shape}, of a data type known by its name ("uint16", "r24", "string" ...). */
    public static ArraySpec of(String dataType, long... shape) {
        return of(Json.of(dataType), shape);
    }

    /** An array of {@code shape}, of a data type given as in metadata, with a configuration. */
    public static ArraySpec of(Json dataType, long... shape) {
        return new ArraySpec(Map.of()).with("data_type", dataType).with("shape", shape.clone());
    }

    /** The shape of chunks; with a shard shape, that of the inner chunks. */
    public ArraySpec chunkShape(long... shape) {
        return with("chunk_shape", shape.clone());
    }

    /** Packs inner chunks into shards of this shape, a multiple of the chunk shape. */
    public ArraySpec shardShape(long... shape) {
        return with("shard_shape", shape.clone());
    }

    /**
     * Cuts the array by a chunk grid given as in metadata, such as a {@code rectilinear} one. With a chunk shape its
     * chunks are shards of such inner chunks; there is no shard shape then.
     */
    public ArraySpec chunkGrid(Json grid) {
        return with("chunk_grid", grid);
    }

    /** The codecs of the chunks (of the inner chunks, with a shard shape), as in metadata; see {@link Codecs}. */
    public ArraySpec codecs(Json... codecs) {
        return with("codecs", List.of(codecs));
    }

    /** The codecs of the shard index. */
    public ArraySpec indexCodecs(Json... codecs) {
        return with("index_codecs", List.of(codecs));
    }

    /** Where the shard index lies. */
    public ArraySpec indexLocation(IndexLocation location) {
        return with("index_location", location);
    }

    /** The fill value, in its JSON form. */
    public ArraySpec fillValue(Json fill) {
        return with("fill_value", fill);
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

    /** Separates chunk keys by {@code .} or {@code /} as the default encoding does ({@code c/0/1}). */
    public ArraySpec chunkKeyEncoding(Json encoding) {
        return with("chunk_key_encoding", encoding);
    }

    /** The names of the dimensions; {@code Optional.empty()} leaves one unnamed. */
    public ArraySpec dimensionNames(List<Optional<String>> names) {
        return with("dimension_names", List.copyOf(names));
    }

    /** The names of all dimensions. */
    public ArraySpec dimensionNames(String... names) {
        return dimensionNames(Arrays.stream(names).map(Optional::of).toList());
    }

    /** The attributes. */
    public ArraySpec attributes(Json.Obj attributes) {
        return with("attributes", attributes);
    }

    /** The shape. */
    public long[] shape() {
        return get("shape", long[].class).orElseThrow().clone();
    }

    /** The data type, as in metadata. */
    public Json dataType() {
        return get("data_type", Json.class).orElseThrow();
    }

    Optional<long[]> chunkShape() {
        return get("chunk_shape", long[].class).map(long[]::clone);
    }

    Optional<long[]> shardShape() {
        return get("shard_shape", long[].class).map(long[]::clone);
    }

    Optional<Json> chunkGrid() {
        return get("chunk_grid", Json.class);
    }

    @SuppressWarnings("unchecked")
    Optional<List<Json>> codecs() {
        return Optional.ofNullable((List<Json>) said.get("codecs"));
    }

    @SuppressWarnings("unchecked")
    Optional<List<Json>> indexCodecs() {
        return Optional.ofNullable((List<Json>) said.get("index_codecs"));
    }

    Optional<IndexLocation> indexLocation() {
        return get("index_location", IndexLocation.class);
    }

    Optional<Json> fillValue() {
        return get("fill_value", Json.class);
    }

    Optional<Json> chunkKeyEncoding() {
        return get("chunk_key_encoding", Json.class);
    }

    Optional<Json.Obj> attributes() {
        return get("attributes", Json.Obj.class);
    }

    @SuppressWarnings("unchecked")
    Optional<Json> dimensionNamesJson() {
        return Optional.ofNullable((List<Optional<String>>) said.get("dimension_names"))
                .map(names -> {
                    List<Json> items = new ArrayList<>();
                    names.forEach(n -> items.add(n.map(Json::of).orElseGet(Json.Null::new)));
                    return new Json.Arr(items);
                });
    }
}
