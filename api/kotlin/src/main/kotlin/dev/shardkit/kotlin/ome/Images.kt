package dev.shardkit.kotlin.ome

import dev.shardkit.ZarrGroup
import dev.shardkit.ZarrView
import dev.shardkit.kotlin.select
import dev.shardkit.ome.OmeImage
import dev.shardkit.ome.OmeLevel
import dev.shardkit.ome.OmePlate
import dev.shardkit.ome.OmeWell
import dev.shardkit.ome.metadata.OmeMetadata

/** The OME-Zarr metadata of this group; see [OmeMetadata.of]. */
public val ZarrGroup.ome: OmeMetadata
    get() = OmeMetadata.of(this)

/** A level of the image; 0 is the finest. */
public operator fun OmeImage.get(level: Int): OmeLevel = level(level)

/** A field of view of the well. */
public operator fun OmeWell.get(field: Int): OmeImage = field(field)

/** A well of the plate, by its path, such as `A/1`. */
public operator fun OmePlate.get(path: String): OmeWell = well(path)

/** Selects elements by the names of axes: `level.select("c" to 1, "y" to 0L..511L)`. See [ZarrView.select]. */
public fun OmeLevel.select(vararg selections: Pair<String, Any>): ZarrView = view().select(*selections)
