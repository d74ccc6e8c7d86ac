package dev.shardkit

import dev.shardkit.spi.json.Json
import dev.shardkit.store.Store

/** Marks the receivers of the DSL that describes an array to be created. */
@DslMarker public annotation class ArrayDsl

/** Describes an array to be created; what is left alone has the defaults that [ArraySpec] names. */
@ArrayDsl
public class ArraySpecBuilder internal constructor(private var spec: ArraySpec) {
    /** The shape of chunks; with a shard shape, that of the inner chunks. */
    public fun chunkShape(vararg shape: Long) {
        spec = spec.chunkShape(*shape)
    }

    /** Packs inner chunks into shards of this shape, a multiple of the chunk shape. */
    public fun shardShape(vararg shape: Long) {
        spec = spec.shardShape(*shape)
    }

    /** The codecs of the chunks (of the inner chunks, with a shard shape); see [Codecs]. */
    public fun codecs(vararg codecs: Json) {
        spec = spec.codecs(*codecs)
    }

    /** The codecs of the shard index. */
    public fun indexCodecs(vararg codecs: Json) {
        spec = spec.indexCodecs(*codecs)
    }

    /** Where the shard index lies. */
    public fun indexLocation(location: ArraySpec.IndexLocation) {
        spec = spec.indexLocation(location)
    }

    /** The fill value of a number type. */
    public fun fillValue(fill: Number) {
        spec = spec.fillValue(fill)
    }

    /** The fill value, in its JSON form. */
    public fun fillValue(fill: Json) {
        spec = spec.fillValue(fill)
    }

    /** The names of all dimensions. */
    public fun dimensionNames(vararg names: String) {
        spec = spec.dimensionNames(*names)
    }

    /** The attributes. */
    public fun attributes(attributes: Json.Obj) {
        spec = spec.attributes(attributes)
    }

    internal fun build(): ArraySpec = spec
}

/**
 * What an array to be created looks like: `arraySpec("uint16", 4096, 4096) { chunkShape(64, 64); codecs(Codecs.zstd(3))
 * }`.
 */
public fun arraySpec(dataType: String, vararg shape: Long, describe: ArraySpecBuilder.() -> Unit = {}): ArraySpec =
    ArraySpecBuilder(ArraySpec.of(dataType, *shape)).apply(describe).build()

/** Creates an array at [path] of [store]; see [arraySpec]. */
public fun createZarrArray(
    store: Store,
    path: String,
    spec: ArraySpec,
    existing: Zarr.Existing = Zarr.Existing.REFUSE,
    options: ZarrOptions = ZarrOptions.defaults(),
): ZarrArray = Zarr.createArray(store, path, spec, existing, options)
