package dev.shardkit.kotlin

import dev.shardkit.NdArray
import dev.shardkit.ZarrArray
import dev.shardkit.ZarrView
import dev.shardkit.spi.array.DataType
import java.util.Optional

/** The shape. */
public val ZarrArray.shape: LongArray
    get() = shape()

/** The data type. */
public val ZarrArray.dataType: DataType
    get() = dataType()

/** The name of each dimension; `null` for a dimension without a name. */
public val ZarrArray.dimensionNames: List<String?>
    get() = names(shape().size, dimensionNames())

/** The shape of the selected elements. */
public val ZarrView.shape: LongArray
    get() = shape()

/** The data type. */
public val ZarrView.dataType: DataType
    get() = dataType()

/** The name of each dimension of the view; `null` for a dimension without a name. */
public val ZarrView.dimensionNames: List<String?>
    get() = names(shape().size, dimensionNames())

/** The shape. */
public val NdArray.shape: LongArray
    get() = shape()

/** The data type. */
public val NdArray.dataType: DataType
    get() = dataType()

private fun names(rank: Int, stated: Optional<List<Optional<String>>>): List<String?> =
    stated.map { names -> names.map { it.orElse(null) } }.orElse(List(rank) { null })
