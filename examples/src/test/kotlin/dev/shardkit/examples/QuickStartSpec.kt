package dev.shardkit.examples

import dev.shardkit.Codecs
import dev.shardkit.NdArray
import dev.shardkit.Zarr
import dev.shardkit.ZarrArray
import dev.shardkit.kotlin.arraySpec
import dev.shardkit.kotlin.attributes
import dev.shardkit.kotlin.awaitOpenArray
import dev.shardkit.kotlin.awaitRead
import dev.shardkit.kotlin.get
import dev.shardkit.kotlin.innerChunkFlow
import dev.shardkit.kotlin.region
import dev.shardkit.kotlin.set
import dev.shardkit.store.http.HttpStore
import dev.shardkit.testkit.server.RangeServer
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList

/** The Kotlin examples of the documents; the marked lines are shown there. */
class QuickStartSpec :
    FunSpec({
        val folder: Path = tempdir().toPath()

        test("the example of the README reads what it wrote") {
            val location = folder.resolve("front.zarr").toString()
            val plane = ShortArray(512 * 512).also { it[7] = 42 }
            // example: front
            val spec =
                arraySpec("uint16", 512, 512, 512) {
                    chunkShape(32, 32, 32) // inner chunks: the smallest unit of a read
                    shardShape(256, 256, 256) // shards: one stored object each
                    codecs(Codecs.zstd(3))
                }
            Zarr.createArray(location, spec).use { array ->
                array[100L..100, 0L..511, 0L..511] = NdArray.of(array.dataType(), longArrayOf(1, 512, 512), plane)
                val region = array[90L..109, 0L..29, 0L..39]
                println(region.longAt(10, 0, 7))
            }
            // end
            Zarr.openArray(location).use { array -> array[100L..100, 0L..0, 7L..7].longAt(0, 0, 0) shouldBe 42 }
        }

        test("write and read") {
            // example: write
            val spec =
                arraySpec("uint16", 512, 512, 512) {
                    chunkShape(32, 32, 32) // inner chunks: the smallest unit of a read
                    shardShape(256, 256, 256) // shards: one stored object each
                    codecs(Codecs.zstd(3))
                }
            Zarr.createArray(folder.resolve("image.zarr").toString(), spec).use { array ->
                val plane = ShortArray(512 * 512).also { it[7] = 42 }
                array[100L..100, 0L..511, 0L..511] = NdArray.of(array.dataType(), longArrayOf(1, 512, 512), plane)
            }
            // end
            // example: read
            Zarr.openArray(folder.resolve("image.zarr").toString()).use { array ->
                val region = array[90L..109, 0L..29, 0L..39]

                val elements = region.shorts() // C order, not copied
                val value = region.longAt(10, 0, 7)
                println("${elements.size} elements, one of them is $value")
            }
            // end
            Zarr.openArray(folder.resolve("image.zarr").toString()).use { array ->
                array[100L..100, 0L..0, 7L..7].longAt(0, 0, 0) shouldBe 42
            }
        }

        test("suspending reads over HTTP, and a flow of inner chunks") {
            RangeServer.over(folder.resolve("image.zarr")).use { server ->
                val uri = server.uri()
                // example: http
                HttpStore.builder(uri)
                    .bearerToken { "secret" }
                    .build()
                    .use { store ->
                        val array = awaitOpenArray(store)
                        val chunk =
                            array.awaitRead(region(96L..127, 0L..31, 0L..31)) // suspends; cancellation ends the request
                        // end
                        chunk.longAt(4, 0, 7) shouldBe 42
                        flow(array).sum() shouldBe 42
                    }
            }
        }

        test("attributes") {
            // example: attributes
            data class Voxel(val x: Double, val unit: String = "metre", val note: String? = null)

            val array =
                Zarr.openArray(folder.resolve("image.zarr").toString()).replaceAttributes(Voxel(0.25, "micrometre"))
            val voxel = array.attributes<Voxel>()
            // end
            voxel shouldBe Voxel(0.25, "micrometre")
        }
    })

private suspend fun flow(array: ZarrArray): List<Long> =
    // example: chunks
    array
        .innerChunkFlow(region(96L..127, 0L..63, 0L..63)) // cold, with backpressure
        .map { chunk -> chunk.values().longAt(4, 0, 7) }
        .toList()
  // end
