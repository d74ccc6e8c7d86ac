package dev.shardkit.examples

import dev.shardkit.NdArray
import dev.shardkit.Zarr
import dev.shardkit.kotlin.arraySpec
import dev.shardkit.kotlin.get
import dev.shardkit.kotlin.set
import dev.shardkit.multik.toMultik
import dev.shardkit.multik.toNdArray
import io.kotest.core.spec.style.StringSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import org.jetbrains.kotlinx.multik.ndarray.operations.times

/** The snippet of Multik in docs/guide/bridges.md. */
class MultikSpec :
    StringSpec({
        "elements become arrays of Multik and back" {
            val location = tempdir().toPath().resolve("image.zarr").toString()
            Zarr.createArray(location, arraySpec("uint16", 64, 32) { chunkShape(16, 16) }).use { array ->
                val row = ShortArray(32) { it.toShort() }
                array[0L..0L, 0L..31L] = NdArray.of(array.dataType(), longArrayOf(1, 32), row)
            }
            // example: multik
            Zarr.openArray(location).use { array -> // uint16, dimensions y, x
                val plane = array[0L..31L, 0L..31L].toMultik<Double>().asD2Array()
                val scaled = plane * 2.0
                array[32L..63L, 0L..31L] = scaled.transpose().toNdArray(array.dataType())
            }
            // end
            Zarr.openArray(location).use { array -> array.read().longAt(32 + 7, 0) shouldBe 14 }
        }
    })
