package dev.shardkit.it

import dev.shardkit.ArraySpec
import dev.shardkit.Codecs
import dev.shardkit.NdArray
import dev.shardkit.Zarr
import dev.shardkit.ZarrOptions
import dev.shardkit.http.Served
import dev.shardkit.kotlin.arraySpec
import dev.shardkit.kotlin.asFlow
import dev.shardkit.kotlin.attributes
import dev.shardkit.kotlin.awaitBitmap
import dev.shardkit.kotlin.awaitCreateArray
import dev.shardkit.kotlin.awaitCreateGroup
import dev.shardkit.kotlin.awaitExists
import dev.shardkit.kotlin.awaitOpenArray
import dev.shardkit.kotlin.awaitOpenGroup
import dev.shardkit.kotlin.awaitRead
import dev.shardkit.kotlin.awaitWrite
import dev.shardkit.kotlin.createZarrArray
import dev.shardkit.kotlin.get
import dev.shardkit.kotlin.innerChunkFlow
import dev.shardkit.kotlin.jsonOf
import dev.shardkit.kotlin.region
import dev.shardkit.kotlin.set
import dev.shardkit.spi.array.Elements
import dev.shardkit.spi.array.Feed
import dev.shardkit.spi.codec.IndexLocation
import dev.shardkit.spi.error.MetadataException
import dev.shardkit.spi.error.StoreException
import dev.shardkit.spi.json.Json
import dev.shardkit.store.file.FileStore
import dev.shardkit.store.memory.MemoryStore
import dev.shardkit.testing.Values
import dev.shardkit.testkit.store.RemoteAdapter
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.comparables.shouldBeLessThan
import io.kotest.matchers.shouldBe
import java.lang.reflect.Modifier
import java.util.Optional
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runInterruptible

/** The Kotlin face over real stores. */
class KotlinFaceSpec :
    FunSpec({
        data class Scale(val unit: String, val factors: List<Double>, val note: String? = null)

        fun numbers(count: Int) = ShortArray(count) { (it + 1).toShort() }

        test("DSL, index syntax and attributes") {
            val spec =
                arraySpec("int16", 6, 10) {
                    chunkShape(2, 2)
                    shardShape(4, 4)
                    codecs(Codecs.gzip(1), Codecs.crc32c())
                    indexLocation(IndexLocation.START)
                    fillValue(-1)
                    dimensionNames("y", "x")
                    attributes(jsonOf("unit" to "m", "factors" to listOf(0.5, 2)))
                }
            val array = createZarrArray(MemoryStore.create(), "a", spec)
            array[1L..2, 3L..5] = NdArray.of(array.dataType(), longArrayOf(2, 3), numbers(6))
            array[1L..1, 2L..6].shorts() shouldBe shortArrayOf(-1, 1, 2, 3, -1)
            array[2L..1, 0L..9].shape() shouldBe longArrayOf(0, 10)
            array.attributes<Scale>() shouldBe Scale("m", listOf(0.5, 2.0))
            shouldThrow<IndexOutOfBoundsException> { array[0L..6, 0L..9] }
            shouldThrow<MetadataException> { array.replaceAttributes(jsonOf("factors" to 1)).attributes<Scale>() }
            array.metadata().dimensionNames().get().map { it.get() } shouldBe listOf("y", "x")
        }

        test("the DSL has all that a specification has") {
            val grid = Codecs.named("regular", jsonOf("chunk_shape" to listOf(4, 4)))
            val keys = Codecs.named("v2", jsonOf("separator" to "."))
            val sharding =
                Codecs.named(
                    "sharding",
                    jsonOf("chunks_per_shard" to listOf(2, 2)),
                )
            val byDsl =
                arraySpec(Json.of("int16"), 6, 10) {
                    chunkGrid(grid)
                    chunkKeyEncoding(keys)
                    dimensionNames(listOf("y", null))
                }
            val metadata = Zarr.describe(byDsl, ZarrOptions.defaults())
            metadata.chunkKeyEncoding().name() shouldBe "v2"
            metadata.chunkGrid().chunk(longArrayOf(0, 0)).shape() shouldBe longArrayOf(4, 4)
            metadata.dimensionNames().get() shouldBe listOf(Optional.of("y"), Optional.empty())

            val array =
                createZarrArray(
                    MemoryStore.create(),
                    "a",
                    arraySpec("int16", 8, 8) {
                        chunkShape(2, 2)
                        storageTransformers(sharding)
                    },
                )
            array[3L..4, 1L..2] = NdArray.of(array.dataType(), longArrayOf(2, 2), numbers(4))
            array.metadata().storageTransformers().size shouldBe 1
            array[4L..4, 0L..3].shorts() shouldBe shortArrayOf(0, 3, 4, 0)
            // ArraySpec.withX is x in the builder
            fun names(c: Class<*>) =
                c.declaredMethods
                    .filter {
                        it.parameterCount > 0 && Modifier.isPublic(it.modifiers) && !Modifier.isStatic(it.modifiers)
                    }
                    .map { it.name.removePrefix("with").replaceFirstChar(Char::lowercase) }
                    .toSortedSet()
            names(Class.forName("dev.shardkit.kotlin.ArraySpecBuilder")) shouldBe names(ArraySpec::class.java)
        }

        test("suspending calls, many at once, over HTTP") {
            Served.noise(ArraySpec.of("uint16", 256, 256).withChunkShape(16, 16).withShardShape(64, 64)).use { served ->
                val array = awaitOpenArray(served.store { it }, Served.PATH)
                val values = Values.noise(served.written(), 1)
                coroutineScope {
                    (0L until 64)
                        .map { i ->
                            async {
                                val part = region(i * 4..i * 4 + 3, i..i + 100)
                                array.awaitRead(part).shorts() shouldBe Values.cut(served.written(), values, part)
                            }
                        }
                        .awaitAll()
                }
                array.awaitRead().shorts() shouldBe values
            }
            val local =
                createZarrArray(
                    MemoryStore.create(),
                    "a",
                    arraySpec("int16", 9) {
                        chunkShape(2)
                        shardShape(4)
                    },
                )
            local.awaitWrite(region(1L..8), NdArray.of(local.dataType(), longArrayOf(8), numbers(8)))
            local.awaitRead(region(0L..2)).shorts() shouldBe shortArrayOf(0, 1, 2)
        }

        test("the flow of inner chunks is in order, cold, and reads no further than it is collected") {
            Served.noise(ArraySpec.of("uint16", 512, 512).withChunkShape(8, 8).withShardShape(128, 128)).use { served ->
                val array = served.open(ZarrOptions.defaults())
                val values = Values.noise(served.written(), 1)
                val part = region(4L..200, 100L..300)
                val flow = array.innerChunkFlow(part)
                served.asked().size shouldBe 0
                val chunks = flow.toList()
                chunks.forEach { it.values().shorts() shouldBe Values.cut(served.written(), values, it.box()) }
                chunks.sumOf { it.box().count() } shouldBe part.count()
                chunks.map { it.box() } shouldBe array.innerChunks(part).map { it.box() }.toList()
                served.asked().all { it.startsWith("GET bytes") } shouldBe true

                val all = served.open(ZarrOptions.defaults())
                all.innerChunkFlow().take(3).toList().size shouldBe 3
                val few = served.asked().size
                few shouldBeLessThan 10
                var seen = 0
                all.innerChunkFlow().onEach { seen++ }.first { it.box().origin(0) == 8L }
                seen shouldBe 17 // a shard's first row of inner chunks, and one more
            }
        }

        test("chunks that exist as a flow, with backpressure") {
            val spec = ArraySpec.of("uint16", 4096).withChunkShape(1).withShardShape(8)
            Served.noise(spec).use { served ->
                val presence = served.open(ZarrOptions.defaults()).presence()
                presence.asFlow().first().cell() shouldBe longArrayOf(0)
                served.asked().size shouldBe 64
                presence.asFlow().take(700).toList().map { it.cell()[0] } shouldBe (0L until 700L).toList()
                presence.asFlow().toList().size shouldBe 4096
                served.asked().size shouldBe 512
                presence.awaitExists(17) shouldBe true
                presence.awaitBitmap().cardinality() shouldBe 4096
            }
        }

        test("cancelling a coroutine ends the exchange") {
            val spec =
                ArraySpec.of("uint16", 8 shl 20)
                    .withChunkShape(4 shl 20)
                    .withShardShape(8 shl 20)
                    .withCodecs(Codecs.bytesLittleEndian())
            Served.noise(spec).use { served ->
                val array = served.open(ZarrOptions.defaults()) { it.maxConcurrentRequests(1) }
                val hold = served.server().holdBodies()
                coroutineScope {
                    val reading = launch { array.awaitRead() }
                    runInterruptible(Dispatchers.IO) { hold.awaitReached() }
                    reading.cancelAndJoin()
                }
                hold.release()
                runInterruptible(Dispatchers.IO) { served.server().awaitAborted() }
                array.awaitRead(region(5L..9)).shorts() shouldBe
                    Values.cut(served.written(), Values.noise(served.written(), 1), region(5L..9))
            }
        }

        test("groups and arrays are created, opened and written by suspending calls") {
            val counting = Feed { part, to, offset, strides ->
                for (i in 0 until part.shape()[0]) {
                    (to as Elements.Fixed)
                        .bytes()
                        .put((offset + i * strides[0]).toInt(), (part.origin()[0] + i).toByte())
                }
            }
            val stores =
                listOf(
                    MemoryStore.create(),
                    FileStore.at(tempdir().toPath()),
                    RemoteAdapter.of(MemoryStore.conditional("remote")),
                )
            for (store in stores) {
                val root = awaitCreateGroup(store, attributes = jsonOf("unit" to "m"))
                root.awaitCreateGroup("g").attributes() shouldBe jsonOf()
                root.awaitCreateArray("g/b", arraySpec("uint8", 10) { chunkShape(3) })
                val array = awaitCreateArray(store, "a", arraySpec("uint8", 10) { chunkShape(3) })
                array.awaitWrite(region(2L..8), counting)
                val opened = awaitOpenGroup(store)
                opened.attributes() shouldBe jsonOf("unit" to "m")
                opened.array("a").awaitRead().bytes() shouldBe byteArrayOf(0, 0, 0, 1, 2, 3, 4, 5, 6, 0)
                opened.childNames() shouldBe setOf("a", "g")
                shouldThrow<StoreException> { awaitCreateArray(store, "a", arraySpec("uint8", 10)) }
                shouldThrow<MetadataException> { awaitOpenGroup(store, "a") }
            }
        }

        test("opening what is not there fails as it does in Java") {
            shouldThrow<MetadataException> { awaitOpenArray(MemoryStore.create(), "none") }
            shouldThrow<MetadataException> { Zarr.openArray(MemoryStore.create(), "none", ZarrOptions.defaults()) }
        }
    })
