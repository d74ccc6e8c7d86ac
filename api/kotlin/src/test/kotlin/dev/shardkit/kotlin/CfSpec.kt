package dev.shardkit.kotlin

import dev.shardkit.ArraySpec
import dev.shardkit.IfExists
import dev.shardkit.Zarr
import dev.shardkit.ZarrGroup
import dev.shardkit.ZarrOptions
import dev.shardkit.cf.CfDataset
import dev.shardkit.cf.CfMatch
import dev.shardkit.kotlin.cf.awaitRead
import dev.shardkit.kotlin.cf.get
import dev.shardkit.kotlin.cf.sel
import dev.shardkit.kotlin.cf.timesOrNull
import dev.shardkit.spi.json.Json
import dev.shardkit.store.memory.MemoryStore
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.StringSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.async
import kotlinx.coroutines.cancel
import kotlinx.coroutines.coroutineScope

/** t(time, lat) holds 10 * time + lat: three days, latitudes 60, 50 and 40. */
private fun dataset(): CfDataset {
    val group =
        Zarr.createGroup(
            MemoryStore.create(),
            "",
            Json.`object`(),
            IfExists.REFUSE,
            ZarrOptions.defaults(),
        )
    group.add("time", intArrayOf(0, 1, 31), mapOf("units" to "days since 2020-03-01"), "time")
    group.add("lat", intArrayOf(60, 50, 40), mapOf("units" to "degrees_north"), "lat")
    group.add("t", IntArray(9) { it / 3 * 10 + it % 3 }, mapOf("units" to "K"), "time", "lat")
    return CfDataset.of(group)
}

private fun ZarrGroup.add(
    name: String,
    values: IntArray,
    attributes: Map<String, String>,
    vararg dimensions: String,
) {
    val shape = if (dimensions.size == 1) longArrayOf(3) else longArrayOf(3, 3)
    val spec = ArraySpec.of("int32", *shape).withDimensionNames(*dimensions).withAttributes(Json.of(attributes))
    val array = createArray(name, spec, IfExists.REFUSE)
    array.write(array.domain(), values, 0)
}

class CfSpec :
    StringSpec({
        "labels select elements" {
            val t = dataset()["t"]
            t.sel("time" to "2020-03-02T00:00", "lat" to 50).read().doubleAt() shouldBe 11.0
            t.sel("time" to "2020-03", "lat" to 45.0..65.0).read().doubles().toList() shouldContainExactly
                listOf(0.0, 1.0, 10.0, 11.0)
            t.sel("time" to "2020-03".."2020-04", "lat" to 40).awaitRead().doubles().toList() shouldContainExactly
                listOf(2.0, 12.0, 22.0)
            t.sel("lat" to listOf(41, 58), match = CfMatch.NEAREST)
                .sel("time" to "2020-04-01T00:00")
                .read()
                .doubles()
                .toList() shouldContainExactly listOf(22.0, 20.0)
        }

        "times are a list" {
            dataset()["time"].awaitRead().timesOrNull.map { it?.dayOfYear() } shouldContainExactly listOf(61, 62, 92)
        }

        "a label that does not exist is refused" {
            shouldThrow<IllegalArgumentException> { dataset()["t"].sel("lat" to 51).awaitRead() }
        }

        "a cancelled coroutine reads nothing" {
            shouldThrow<CancellationException> {
                coroutineScope {
                    cancel()
                    async { dataset()["t"].awaitRead() }.await()
                }
            }
        }
    })
