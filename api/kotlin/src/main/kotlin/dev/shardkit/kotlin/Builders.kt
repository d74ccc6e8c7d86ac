package dev.shardkit.kotlin

import dev.shardkit.ArraySpec
import dev.shardkit.Codecs
import dev.shardkit.IfExists
import dev.shardkit.Zarr
import dev.shardkit.ZarrArray
import dev.shardkit.ZarrOptions
import dev.shardkit.spi.codec.IndexLocation
import dev.shardkit.spi.json.Json
import dev.shardkit.store.Store
import java.util.Optional

/** Marks the receivers of the DSL for [ArraySpec], so that nested blocks do not call functions of outer ones. */
@DslMarker public annotation class ArrayDsl

/** Builds an [ArraySpec], which documents the defaults. */
@ArrayDsl
public sealed class ArraySpecBuilder(private var spec: ArraySpec) {
    /** Sets the chunk shape. If there are shards, it is the shape of the inner chunks. */
    public fun chunkShape(vararg shape: Long) {
        spec = spec.withChunkShape(*shape)
    }

    /** Packs inner chunks into shards of this shape, a multiple of the chunk shape. */
    public fun shardShape(vararg shape: Long) {
        spec = spec.withShardShape(*shape)
    }

    /**
     * Sets a chunk grid other than the regular one, such as `rectilinear`, in the form of the metadata. With a chunk
     * shape, the grid divides the array into shards, and the shards hold inner chunks of that shape. A grid excludes a
     * shard shape.
     */
    public fun chunkGrid(grid: Json) {
        spec = spec.withChunkGrid(grid)
    }

    /** Sets the chunk key encoding, in the form of the metadata. */
    public fun chunkKeyEncoding(encoding: Json) {
        spec = spec.withChunkKeyEncoding(encoding)
    }

    /** Sets the storage transformers, in the form of the metadata. The first one is nearest to the chunks. */
    public fun storageTransformers(vararg transformers: Json) {
        spec = spec.withStorageTransformers(*transformers)
    }

    /** Sets the codecs of the chunks. If there are shards, they are those of the inner chunks. See [Codecs]. */
    public fun codecs(vararg codecs: Json) {
        spec = spec.withCodecs(*codecs)
    }

    /** Sets the codecs of the shard index. */
    public fun indexCodecs(vararg codecs: Json) {
        spec = spec.withIndexCodecs(*codecs)
    }

    /** Sets the position of the index in a shard. */
    public fun indexLocation(location: IndexLocation) {
        spec = spec.withIndexLocation(location)
    }

    /** Sets the fill value of a number type. */
    public fun fillValue(fill: Number) {
        spec = spec.withFillValue(fill)
    }

    /** Sets the fill value, in the form of the metadata. */
    public fun fillValue(fill: Json) {
        spec = spec.withFillValue(fill)
    }

    /** Sets the names of all dimensions. */
    public fun dimensionNames(vararg names: String) {
        spec = spec.withDimensionNames(*names)
    }

    /** Sets the names of the dimensions. `null` leaves a dimension without a name. */
    public fun dimensionNames(names: List<String?>) {
        spec = spec.withDimensionNames(names.map { Optional.ofNullable(it) })
    }

    /** Sets the attributes. */
    public fun attributes(attributes: Json.Obj) {
        spec = spec.withAttributes(attributes)
    }

    /** Sets the attributes to the members of an object, such as a data class or a map. */
    public fun attributes(attributes: Any) {
        spec = spec.withAttributes(attributes)
    }

    internal fun build(): ArraySpec = spec
}

/** The only subclass of [ArraySpecBuilder]; private, so that only [arraySpec] creates builders. */
private class NewArraySpecBuilder(start: ArraySpec) : ArraySpecBuilder(start)

/** Describes a new array: `arraySpec("uint16", 4096, 4096) { chunkShape(64, 64); codecs(Codecs.zstd(3)) }`. */
public fun arraySpec(dataType: String, vararg shape: Long, describe: ArraySpecBuilder.() -> Unit = {}): ArraySpec =
    NewArraySpecBuilder(ArraySpec.of(dataType, *shape)).apply(describe).build()

/** Describes a new array whose data type has a configuration, in the form of the metadata. */
public fun arraySpec(dataType: Json, vararg shape: Long, describe: ArraySpecBuilder.() -> Unit = {}): ArraySpec =
    NewArraySpecBuilder(ArraySpec.of(dataType, *shape)).apply(describe).build()

/** Creates an array at [path] of [store]; see [arraySpec]. */
public fun createZarrArray(
    store: Store,
    path: String,
    spec: ArraySpec,
    existing: IfExists = IfExists.REFUSE,
    options: ZarrOptions = ZarrOptions.defaults(),
): ZarrArray = Zarr.createArray(store, path, spec, existing, options)

/**
 * Returns a JSON object with these members: `jsonOf("unit" to "micrometre", "scale" to listOf(0.25, 0.25, 1))`.
 *
 * Values are strings, finite numbers, booleans, null, lists, maps with string keys, and [Json]. Other values throw
 * [IllegalArgumentException]. NaN in attributes is `Json.Num("NaN")`.
 */
public fun jsonOf(vararg members: Pair<String, Any?>): Json.Obj = Json.of(mapOf(*members))
