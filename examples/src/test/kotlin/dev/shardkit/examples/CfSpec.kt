package dev.shardkit.examples

import dev.shardkit.IfExists
import dev.shardkit.Zarr
import dev.shardkit.ZarrGroup
import dev.shardkit.ZarrOptions
import dev.shardkit.cf.CfDataset
import dev.shardkit.cf.CfMatch
import dev.shardkit.dataframe.toDataFrame
import dev.shardkit.kotlin.arraySpec
import dev.shardkit.kotlin.cf.awaitRead
import dev.shardkit.kotlin.cf.get
import dev.shardkit.kotlin.cf.sel
import dev.shardkit.spi.json.Json
import io.kotest.core.spec.style.StringSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import org.jetbrains.kotlinx.dataframe.api.filter

private fun ZarrGroup.add(name: String, values: IntArray, units: String, shape: LongArray, vararg dimensions: String) {
    val spec =
        arraySpec("int32", *shape) { chunkShape(*shape) }
            .withDimensionNames(*dimensions)
            .withAttributes(Json.of(mapOf("units" to units)))
    createArray(name, spec, IfExists.REFUSE).use { it.write(it.domain(), values, 0) }
}

/** The Kotlin snippets of docs/guide/cf.md. */
class CfSpec :
    StringSpec({
        "selection" {
            val location = tempdir().toPath().resolve("data.zarr").toString()
            Zarr.createGroup(location, Json.`object`(), IfExists.REFUSE, ZarrOptions.defaults()).use {
                it.add("time", intArrayOf(0, 6), "hours since 2020-03-01", longArrayOf(2), "time")
                it.add("lat", intArrayOf(54, 53, 52), "degrees_north", longArrayOf(3), "lat")
                it.add("lon", intArrayOf(13, 14), "degrees_east", longArrayOf(2), "lon")
                it.add("t2m", IntArray(12) { i -> 270 + i }, "K", longArrayOf(2, 3, 2), "time", "lat", "lon")
            }
            var kelvin = 0.0
            var shape = longArrayOf()
            // example: sel
            CfDataset.open(location).use { dataset ->
                val box = dataset["t2m"].sel("time" to "2020-03", "lat" to 52.0..55.0)
                shape = box.awaitRead().shape() // dimensions time, lat and lon
                val point =
                    dataset["t2m"]
                        .sel("time" to "2020-03-01T06:00")
                        .sel("lat" to 52.5, "lon" to 13.4, match = CfMatch.NEAREST)
                kelvin = point.awaitRead().doubleAt()
            }
            // end
            var warm = emptyList<Any?>()
            // example: frame
            CfDataset.open(location).use { dataset ->
                val frame = dataset["t2m"].sel("time" to "2020-03", "lat" to 52.0..53.0).toDataFrame()
                warm = frame.filter { it["t2m"] as Int > 280 }["lon"].toList() // columns time, lat, lon, t2m
            }
            // end
            warm shouldBe listOf(14)
            shape shouldBe longArrayOf(2, 3, 2)
            kelvin shouldBe 278.0
        }
    })
