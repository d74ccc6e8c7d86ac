package dev.shardkit

import dev.shardkit.spi.codec.IndexLocation
import dev.shardkit.spi.json.Json
import dev.shardkit.store.Store
import java.util.Optional

/** Marks the receivers of the DSL that describes an array to be created. */
@DslMarker public annotation class ArrayDsl

/** Describes an array to be created; what is left alone has the defaults that [ArraySpec] names. */
@ArrayDsl
public sealed class ArraySpecBuilder(private var spec: ArraySpec) {
    /** The shape of chunks; with a shard shape, that of the inner chunks. */
    public fun chunkShape(vararg shape: Long) {
        spec = spec.withChunkShape(*shape)
    }

    /** Packs inner chunks into shards of this shape, a multiple of the chunk shape. */
    public fun shardShape(vararg shape: Long) {
        spec = spec.withShardShape(*shape)
    }

    /**
     * Cuts the array by a chunk grid given as in metadata, such as a `rectilinear` one. With a chunk shape its chunks
     * are shards of such inner chunks; there is no shard shape then.
     */
    public fun chunkGrid(grid: Json) {
        spec = spec.withChunkGrid(grid)
    }

    /** The chunk key encoding, as in metadata. */
    public fun chunkKeyEncoding(encoding: Json) {
        spec = spec.withChunkKeyEncoding(encoding)
    }

    /** The storage transformers, as in metadata, the first nearest to the chunks. */
    public fun storageTransformers(vararg transformers: Json) {
        spec = spec.withStorageTransformers(*transformers)
    }

    /** The codecs of the chunks (of the inner chunks, with a shard shape); see [Codecs]. */
    public fun codecs(vararg codecs: Json) {
        spec = spec.withCodecs(*codecs)
    }

    /** The codecs of the shard index. */
    public fun indexCodecs(vararg codecs: Json) {
        spec = spec.withIndexCodecs(*codecs)
    }

    /** Where the shard index lies. */
    public fun indexLocation(location: IndexLocation) {
        spec = spec.withIndexLocation(location)
    }

    /** The fill value of a number type. */
    public fun fillValue(fill: Number) {
        spec = spec.withFillValue(fill)
    }

    /** The fill value, in its JSON form. */
    public fun fillValue(fill: Json) {
        spec = spec.withFillValue(fill)
    }

    /** The names of all dimensions. */
    public fun dimensionNames(vararg names: String) {
        spec = spec.withDimensionNames(*names)
    }

    /** The names of the dimensions; `null` leaves one unnamed. */
    public fun dimensionNames(names: List<String?>) {
        spec = spec.withDimensionNames(names.map { Optional.ofNullable(it) })
    }

    /** The attributes. */
    public fun attributes(attributes: Json.Obj) {
        spec = spec.withAttributes(attributes)
    }

    internal fun build(): ArraySpec = spec
}

/** The one builder; its class keeps the constructor from others. */
private class Describing(start: ArraySpec) : ArraySpecBuilder(start)

/**
 * What an array to be created looks like: `arraySpec("uint16", 4096, 4096) { chunkShape(64, 64); codecs(Codecs.zstd(3))
 * }`.
 */
public fun arraySpec(dataType: String, vararg shape: Long, describe: ArraySpecBuilder.() -> Unit = {}): ArraySpec =
    Describing(ArraySpec.of(dataType, *shape)).apply(describe).build()

/** The same of a data type given as in metadata, with a configuration. */
public fun arraySpec(dataType: Json, vararg shape: Long, describe: ArraySpecBuilder.() -> Unit = {}): ArraySpec =
    Describing(ArraySpec.of(dataType, *shape)).apply(describe).build()

/** Creates an array at [path] of [store]; see [arraySpec]. */
public fun createZarrArray(
    store: Store,
    path: String,
    spec: ArraySpec,
    existing: Zarr.Existing = Zarr.Existing.REFUSE,
    options: ZarrOptions = ZarrOptions.defaults(),
): ZarrArray = Zarr.createArray(store, path, spec, existing, options)
