package dev.shardkit.examples

import dev.shardkit.Zarr
import dev.shardkit.ZarrOptions
import dev.shardkit.kotlin.All
import dev.shardkit.kotlin.arraySpec
import dev.shardkit.kotlin.asFlow
import dev.shardkit.kotlin.awaitBitmap
import dev.shardkit.kotlin.awaitExists
import dev.shardkit.kotlin.awaitRead
import dev.shardkit.kotlin.dataType
import dev.shardkit.kotlin.dimensionNames
import dev.shardkit.kotlin.get
import dev.shardkit.kotlin.region
import dev.shardkit.kotlin.select
import dev.shardkit.kotlin.set
import dev.shardkit.kotlin.shape
import dev.shardkit.kotlin.ushorts
import io.kotest.core.spec.style.StringSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe

/** The Kotlin examples of reading; the marked lines are shown in the documents. */
class ReadingSpec :
    StringSpec({
        fun create(): String {
            val url = tempdir().toPath().resolve("image.zarr").toString()
            val spec =
                arraySpec("uint16", 64, 64, 64) {
                    chunkShape(16, 16, 16)
                    shardShape(32, 32, 32)
                    dimensionNames("z", "y", "x")
                }
            Zarr.createArray(url, spec).use { it.write(region(3L..3, 0L..0, 0L..0), shortArrayOf(42), 0) }
            return url
        }

        "options" {
            val url = create()
            // example: options
            val options =
                ZarrOptions.defaults()
                    .withParallelism(4) // threads of one call
                    .withCacheBytes(64L shl 20) // shard indexes kept between calls
                    .withImmutableObjects() // the objects never change: cached indexes are not checked
            Zarr.openArray(url, options).use { array ->
                val corner = array[0L..7, 0L..7, 0L..7]
                // end
                corner.longAt(3, 0, 0) shouldBe 42
            }
        }

        "views" {
            val url = create()
            // example: views
            Zarr.openArray(url).use { array ->
                val last = array.view().select(All, -1, 0..63 step 2) // last rows, every second column
                val corner = array.view().select("z" to 3, "y" to -10..-1).awaitRead()
                val thumbnail = array.view().select(0, 0..63 step 8, 63 downTo 0 step 8).read() // [::8, ::-8] of Python
                val first = thumbnail[0, 0] // a number
                array[3..3, 0..0, 0..1] = array[4..4, 0..0, 0..1]
                println("${array.dimensionNames}: ${array.shape.toList()}, ${array.dataType.name()}, $first")
                // end
                thumbnail.shape().toList() shouldBe listOf(8L, 8L)
                first shouldBe 0
                last.shape().toList() shouldBe listOf(64L, 32L)
                corner.shape().toList() shouldBe listOf(10L, 64L)
                array[3..3, 0..0, 0..0].shorts()[0] shouldBe 0
            }
        }

        "presence" {
            val url = create()
            // example: presence
            Zarr.openArray(url).use { array ->
                val stored = array.presence().awaitExists(0, 0, 0) // reads one shard index
                val corner = array.presence(region(0L..31, 0L..31, 0L..31)).awaitBitmap()
                // end
                stored shouldBe true
                corner.cardinality() shouldBe 1
            }
        }

        "present chunks" {
            val url = create()
            // example: present
            Zarr.openArray(url).use { array ->
                var bytes = 0L
                array.presence().asFlow().collect { chunk -> // reads the next indexes when it is asked for more
                    println("${chunk.cell.toList()}: ${chunk.size} bytes in ${chunk.key}")
                    bytes += chunk.size
                }
                val bitmap = array.presence().awaitBitmap()
                val stored = bitmap[0, 0, 0]
                val missing = bitmap.size() - bitmap.cardinality()
                // end
                stored shouldBe true
                missing shouldBe 4 * 4 * 4 - 1
                array.presence().map { it.extent.orElseThrow().size } shouldBe listOf(bytes)
            }
        }

        "unsigned elements" {
            val url = create()
            // example: unsigned
            Zarr.openArray(url).use { array ->
                val elements: UShortArray = array[3L..3, 0L..0, 0L..1].ushorts // a view, not a copy
                // end
                elements[0] shouldBe 42u
            }
        }
    })
