package dev.shardkit.examples

import dev.shardkit.IfExists
import dev.shardkit.Zarr
import dev.shardkit.ZarrOptions
import dev.shardkit.dataframe.toDataFrame
import dev.shardkit.dataframe.write
import dev.shardkit.spi.json.Json
import io.kotest.core.spec.style.StringSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import org.jetbrains.kotlinx.dataframe.api.columnOf
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.filter
import org.jetbrains.kotlinx.dataframe.api.named
import org.jetbrains.kotlinx.dataframe.api.sortByDesc

/** The snippet of Kotlin DataFrame in docs/guide/bridges.md. */
class FrameSpec :
    StringSpec({
        "arrays become a data frame and back" {
            val folder = tempdir().toPath()
            val location = folder.resolve("cells.zarr").toString()
            val copied = folder.resolve("large.zarr").toString()
            Zarr.createGroup(location, Json.`object`(), IfExists.REFUSE, ZarrOptions.defaults()).use {
                it.write(dataFrameOf(columnOf(7, 8, 9) named "label", columnOf(12.5, 3.0, 20.0) named "area"))
            }
            // example: frame
            Zarr.openGroup(location).use { group ->
                val cells = group.toDataFrame("label", "area") // or all columns: group.toDataFrame()
                val large = cells.filter { it["area"] as Double > 10 }.sortByDesc("area")
                Zarr.createGroup(copied, Json.`object`(), IfExists.REFUSE, ZarrOptions.defaults()).use {
                    it.write(large)
                }
            }
            // end
            Zarr.openGroup(copied).use { it.toDataFrame()["label"].toList() shouldBe listOf(9, 7) }
        }
    })
