package dev.shardkit.kotlin.cf

import dev.shardkit.cf.CfDataset
import dev.shardkit.cf.CfDateTime
import dev.shardkit.cf.CfMatch
import dev.shardkit.cf.CfSelection
import dev.shardkit.cf.CfValues
import dev.shardkit.cf.CfVariable
import dev.shardkit.kotlin.awaitEnd

/** The variable of this name; see [CfDataset.variable]. */
public operator fun CfDataset.get(name: String): CfVariable = variable(name)

/**
 * Selects elements by labels of coordinates, such as `sel("time" to "2020-03", "lat" to 47.0..55.0)`; see
 * [CfSelection.sel].
 */
public fun CfVariable.sel(
    vararg labels: Pair<String, Any>,
    match: CfMatch = CfMatch.EXACT,
): CfSelection = select().sel(*labels, match = match)

/**
 * Narrows this selection by labels of further coordinates.
 *
 * A closed range selects the labels between its ends, a list selects the labels in it, and any other value selects one
 * label. A text for times may name a period, such as `2020-03`, and selects all times of this period. [match] says
 * which label is taken for a single label or an entry of a list: the equal one, or the nearest.
 */
public fun CfSelection.sel(
    vararg labels: Pair<String, Any>,
    match: CfMatch = CfMatch.EXACT,
): CfSelection =
    labels.fold(this) { selection, (coordinate, label) ->
        when (label) {
            is ClosedRange<*> -> selection.range(coordinate, label.start, label.endInclusive)
            is List<*> -> selection.labels(coordinate, label.filterNotNull(), match)
            else -> selection.sel(coordinate, label, match)
        }
    }

/**
 * Reads and decodes the selected elements; see [CfSelection.readAsync]. No thread waits for the store. Cancelling the
 * coroutine stops the requests.
 *
 * @throws IllegalArgumentException if a label does not exist
 */
public suspend fun CfSelection.awaitRead(): CfValues = readAsync().awaitEnd()

/** Reads and decodes all elements, as [CfSelection.awaitRead] does. */
public suspend fun CfVariable.awaitRead(): CfValues = readAsync().awaitEnd()

/** The number at an index; NaN if it is missing. See [CfValues.doubleAt]. */
public operator fun CfValues.get(vararg index: Long): Double = doubleAt(*index)

/** The times in C order; null for missing ones. See [CfValues.times]. */
public val CfValues.timesOrNull: List<CfDateTime?>
    get() = times().map { it.orElse(null) }
