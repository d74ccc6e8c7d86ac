package dev.shardkit.examples

import dev.shardkit.AcquisitionOptions
import dev.shardkit.Codecs
import dev.shardkit.FrameOrderException
import dev.shardkit.NdArray
import dev.shardkit.ResizePolicy
import dev.shardkit.ShardMargins
import dev.shardkit.SliceOptions
import dev.shardkit.Zarr
import dev.shardkit.ZarrArray
import dev.shardkit.ZarrOptions
import dev.shardkit.kotlin.Frame
import dev.shardkit.kotlin.arraySpec
import dev.shardkit.kotlin.awaitCommit
import dev.shardkit.kotlin.awaitCreateArray
import dev.shardkit.kotlin.awaitCreateGroup
import dev.shardkit.kotlin.awaitErase
import dev.shardkit.kotlin.awaitFlush
import dev.shardkit.kotlin.awaitOpenGroup
import dev.shardkit.kotlin.awaitResize
import dev.shardkit.kotlin.awaitWrite
import dev.shardkit.kotlin.region
import dev.shardkit.kotlin.write
import dev.shardkit.kotlin.writeTo
import dev.shardkit.spi.array.Box
import dev.shardkit.spi.array.Elements
import dev.shardkit.spi.array.Feed
import dev.shardkit.spi.codec.ShardWritePolicy
import dev.shardkit.store.policy.Durability
import dev.shardkit.store.policy.WriteOwnership
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.StringSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.asFlow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.merge
import kotlinx.coroutines.launch

/** The Kotlin examples of writing; the marked lines are shown in the documents. */
class WritingSpec :
    StringSpec({
        fun create(): ZarrArray =
            Zarr.createArray(
                tempdir().toPath().resolve("image.zarr").toString(),
                arraySpec("uint16", 128, 64, 64) {
                    shardShape(64, 64, 64)
                    chunkShape(8, 32, 32)
                    codecs(Codecs.zstd(3))
                },
            )

        val feed = Feed { part, to, offset, strides ->
            val bytes = (to as Elements.Fixed).bytes()
            for (y in 0 until part.shape()[0]) {
                for (x in 0 until part.shape()[1]) {
                    bytes.put((offset + y * strides[0] + x * strides[1]).toInt(), 7)
                }
            }
        }

        fun values(box: Box) = ShortArray(box.count().toInt()) { 7 }

        fun frame(array: ZarrArray, number: Int) =
            NdArray.of(array.dataType(), longArrayOf(64, 64), ShortArray(64 * 64) { number.toShort() })

        "options for a handle" {
            create().use { array ->
                // example: with
                val appending = array.with {
                    it.withWritePolicy(ShardWritePolicy.defaults().withStrategy(ShardWritePolicy.Strategy.APPEND))
                        .withDurability(Durability.ATOMIC)
                }
                appending.write(region(0L..7, 0L..31, 0L..31), ShortArray(8 * 32 * 32), 0)
                // end
                appending.options().durability() shouldBe Durability.ATOMIC
            }
        }

        "header and footer of a shard" {
            create().use { array ->
                val header = "camera 7".encodeToByteArray()
                // example: margins
                array.write(region(0L..0, 0L..0, 0L..1), shortArrayOf(1, 2), 0)
                array.writeMargins(longArrayOf(0, 0, 0), ShardMargins(header, ByteArray(0)))

                array.write(region(5L..5, 0L..0, 0L..1), shortArrayOf(3, 4), 0)
                val found = array.readMargins(longArrayOf(0, 0, 0), 1 shl 10) // at most 1 KiB
                // end
                found.orElseThrow().header shouldBe header
            }
        }

        "a transaction" {
            create().use { array ->
                // example: transaction
                array.transaction(64L shl 20).use { writes -> // holds at most 64 MiB
                    for (z in 0L..63) {
                        writes.write(region(z..z, z..z, 0L..3), shortArrayOf(1, 2, 3, 4), 0)
                    }
                    writes.awaitCommit() // one shard, written once
                }
                // end
                array.read(region(9L..9, 9L..9, 2L..2)).longAt(0, 0, 0) shouldBe 3
            }
        }

        "a flow of slices" {
            create().use { array ->
                val frames = (0..99).asFlow().map { frame(array, it) }
                // example: flow
                val growing = SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW)
                array.slices(0, growing).use { slices ->
                    val count = frames.writeTo(slices) // a full budget slows the flow down
                    println("$count frames are stored")
                }
                // end
                array.refresh().read(region(227L..227, 0L..0, 0L..0)).longAt(0, 0, 0) shouldBe 99
            }
        }

        "frames of two channels" {
            val spec =
                arraySpec("uint8", 0, 2, 1, 2) {
                    shardShape(4, 1, 1, 2)
                    chunkShape(1, 1, 1, 2)
                    dimensionNames("t", "c", "y", "x")
                }
            Zarr.createArray(tempdir().toPath().resolve("channels.zarr").toString(), spec).use { array ->
                val growing = SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW)
                val options = AcquisitionOptions.defaults().withSlices(growing)
                val pixels = ByteBuffer.wrap(byteArrayOf(3, 4))
                // example: acquisition
                array.acquisition(options).use { acquisition ->
                    for (t in 0L..9) {
                        acquisition.write("t" to t, "c" to 1, frame = pixels)
                        acquisition.write("t" to t, "c" to 0, frame = pixels)
                    }
                }
                // end
                array.refresh().read(region(9L..9, 1L..1, 0L..0, 0L..1)).bytes() shouldBe byteArrayOf(3, 4)
                val cameras =
                    listOf(0L, 1L).map { camera ->
                        (10L..12).asFlow().map { t ->
                            val image = NdArray.of(array.dataType(), longArrayOf(1, 2), byteArrayOf(t.toByte(), 5))
                            Frame("t" to t, "c" to camera, pixels = image)
                        }
                    }
                array.acquisition(options).use { acquisition ->
                    // example: frames
                    val count = merge(cameras[0], cameras[1]).writeTo(acquisition) // as they come
                    println("$count frames are stored")
                    // end
                    count shouldBe 6
                    acquisition.committed() shouldBe 13
                    shouldThrow<FrameOrderException> {
                        acquisition.awaitWrite(
                            "t" to 3,
                            "c" to 1,
                            frame = NdArray.of(array.dataType(), longArrayOf(1, 2), ByteArray(2)),
                        )
                    }
                }
                array.refresh().read(region(12L..12, 1L..1, 0L..0, 0L..1)).bytes() shouldBe byteArrayOf(12, 5)
            }
        }

        "a flow that fails keeps the slices before it" {
            create().use { array ->
                val frames = flow {
                    emit(frame(array, 1))
                    emit(frame(array, 2))
                    error("the camera is gone")
                }
                array.slices(0, SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW)).use { slices ->
                    shouldThrow<IllegalStateException> { frames.writeTo(slices) }.message shouldBe "the camera is gone"
                    slices.position() shouldBe 130
                }
                array.refresh().shape() shouldBe longArrayOf(130, 64, 64)
            }
        }

        "slices" {
            create().use { array ->
                // example: slices
                val growing =
                    SliceOptions.defaults()
                        .withGrowth(SliceOptions.Growth.GROW) // append at the array's end
                        .withBudgetBytes(16L shl 20)
                array.slices(0, growing).use { slices ->
                    for (i in 0..99) {
                        slices.awaitWrite(frame(array, i))
                    }
                    slices.awaitFlush() // all slices so far are stored
                }
                // end
                array
                    .resize(longArrayOf(228, 64, 64), ResizePolicy.KEEP)
                    .read(region(227L..227, 0L..0, 0L..0))
                    .longAt(0, 0, 0) shouldBe 99
            }
        }

        "shards shared among coroutines" {
            create().use { array ->
                // example: split
                val own = array.with { it.withOwnership(WriteOwnership.OWNED) }
                coroutineScope {
                    for (part in array.shards().split(2)) { // parts share no shard, so no locks are needed
                        launch(Dispatchers.IO) {
                            for (shard in part) own.write(shard.box(), values(shard.box()), 0)
                        }
                    }
                }
                // end
                array.read(region(127L..127, 63L..63, 63L..63)).longAt(0, 0, 0) shouldBe 7
            }
        }

        "erase and resize" {
            create().use { array ->
                // example: erase
                array.awaitErase(region(0L..19, 0L..63, 0L..63))
                val shorter = array.awaitResize(50, 64, 64, outside = ResizePolicy.REMOVE)
                // end
                shorter.shape() shouldBe longArrayOf(50, 64, 64)
            }
        }

        "creating and writing by suspending calls" {
            Zarr.openStore(tempdir().toPath().toString(), ZarrOptions.defaults()).use { store ->
                // example: async
                val group = awaitCreateGroup(store)
                val array = group.awaitCreateArray("a", arraySpec("uint8", 64, 64) { chunkShape(32, 32) })
                array.awaitWrite(array.domain(), feed) // of any size
                // end
                awaitOpenGroup(store).array("a").read().longAt(63, 63) shouldBe 7
            }
        }
    })
