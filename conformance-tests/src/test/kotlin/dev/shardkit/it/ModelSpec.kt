package dev.shardkit.it

import dev.shardkit.ArraySpec
import dev.shardkit.Codecs
import dev.shardkit.IfExists
import dev.shardkit.NdArray
import dev.shardkit.Zarr
import dev.shardkit.ZarrArray
import dev.shardkit.ZarrOptions
import dev.shardkit.spi.array.Box
import dev.shardkit.spi.array.DataType
import dev.shardkit.spi.codec.IndexLocation
import dev.shardkit.spi.codec.ShardWritePolicy
import dev.shardkit.spi.codec.ShardWritePolicy.EmptyChunks
import dev.shardkit.spi.json.Json
import dev.shardkit.store.Store
import dev.shardkit.store.file.FileStore
import dev.shardkit.store.memory.MemoryStore
import dev.shardkit.store.policy.Durability
import dev.shardkit.testkit.internal.Rounds
import dev.shardkit.testkit.store.RemoteAdapter
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.property.Arb
import io.kotest.property.arbitrary.long
import io.kotest.property.checkAll
import java.util.Random

/** Arrays of any configuration, written and read in parts, against a model that is one Java array. */
class ModelSpec :
    FunSpec({
        val folder = tempdir().toPath()

        test("arrays hold what was written") {
            var number = 0
            checkAll(Rounds.of(25), Arb.long()) { seed ->
                val random = Random(seed)
                val store: Store =
                    when (random.nextInt(4)) {
                        0 -> FileStore.at(folder.resolve("${number++}"))
                        1 -> RemoteAdapter.of(MemoryStore.conditional("remote"))
                        else -> MemoryStore.create()
                    }
                Trial(random, store).run()
            }
        }
    })

private val TYPES =
    listOf("bool", "int8", "uint16", "int32", "uint64", "float32", "float64", "complex64", "r16", "string", "bytes")

/** One array and what it must hold: small numbers, which [carrier] turns into elements. */
private class Trial(val random: Random, val store: Store) {
    val rank = random.nextInt(4)
    val type = TYPES[random.nextInt(TYPES.size)]
    val fill = random.nextInt(3)
    val inner = LongArray(rank) { 1L + random.nextInt(3) }
    val levels = random.nextInt(3)
    val shapes =
        generateSequence(inner) { below -> LongArray(rank) { below[it] * (1 + random.nextInt(3)) } }
            .take(levels + 1)
            .toList()
    val shape = LongArray(rank) { random.nextInt((shapes.last()[it] * 2 + 2).toInt()).toLong() }
    val domain: Box = Box.of(shape)
    val model = IntArray(domain.count().toInt()) { fill }
    val options: ZarrOptions =
        ZarrOptions.defaults()
            .withDurability(Durability.ATOMIC)
            .withParallelism(1 + random.nextInt(2))
            .withWritePolicy(
                ShardWritePolicy.defaults()
                    .withEmptyChunks(if (random.nextBoolean()) EmptyChunks.DROP else EmptyChunks.KEEP)
            )
            .withCacheBytes(if (random.nextBoolean()) 1L shl 20 else 0)

    fun run() {
        var array = Zarr.createArray(store, "a", spec(), IfExists.REFUSE, options)
        repeat(12) {
            if (random.nextInt(4) == 0) {
                array = Zarr.openArray(store, "a", options)
            }
            if (random.nextBoolean()) write(array) else read(array, region())
        }
        read(Zarr.openArray(store, "a", options), domain)
        Zarr.openArray(store, "a", options).innerChunks(domain).forEach {
            it.values() shouldBe values(array.dataType(), it.box())
        }
    }

    private fun region(): Box {
        if (random.nextInt(4) == 0) {
            return domain
        }
        val origin = LongArray(rank) { random.nextInt(shape[it].toInt() + 1).toLong() }
        return Box.of(origin, LongArray(rank) { random.nextInt((shape[it] - origin[it]).toInt() + 1).toLong() })
    }

    private fun write(array: ZarrArray) {
        val region = region()
        val onlyFill = random.nextInt(3) == 0
        for (i in 0 until region.count()) {
            model[index(region.at(i))] = if (onlyFill) fill else random.nextInt(4)
        }
        array.write(region, values(array.dataType(), region))
    }

    private fun read(array: ZarrArray, region: Box) {
        val found = if (random.nextBoolean()) array.read(region) else array.readAsync(region).join()
        found shouldBe values(array.dataType(), region)
    }

    private fun index(at: LongArray): Int = at.foldIndexed(0L) { d, sum, a -> sum * shape[d] + a }.toInt()

    private fun values(dataType: DataType, region: Box): NdArray {
        val numbers = IntArray(region.count().toInt()) { model[index(region.at(it.toLong()))] }
        return NdArray.of(dataType, region.shape(), carrier(numbers))
    }

    private fun carrier(v: IntArray): Any =
        when (type) {
            "bool" -> BooleanArray(v.size) { v[it] % 2 == 1 }
            "int8" -> ByteArray(v.size) { (-v[it]).toByte() }
            "uint16" -> ShortArray(v.size) { v[it].toShort() }
            "int32" -> v
            "uint64" -> LongArray(v.size) { v[it].toLong() }
            "float32" -> FloatArray(v.size) { v[it] + 0.5f }
            "float64" -> DoubleArray(v.size) { v[it] + 0.5 }
            "complex64" -> FloatArray(2 * v.size) { (v[it / 2] + it % 2).toFloat() }
            "r16" -> ByteArray(2 * v.size) { (v[it / 2] + it % 2).toByte() }
            "string" -> Array(v.size) { "\u00e9".repeat(v[it]) }
            else -> Array(v.size) { ByteArray(v[it]) { 7 } }
        }

    private fun fillJson(): Json =
        when (type) {
            "bool" -> Json.of(fill % 2 == 1)
            "int8" -> Json.of(-fill.toLong())
            "float32",
            "float64" -> Json.Num("${fill + 0.5}")
            "complex64",
            "r16" -> Json.Arr(listOf(Json.of(fill.toLong()), Json.of(fill + 1L)))
            "string" -> Json.of("\u00e9".repeat(fill))
            "bytes" -> Json.Arr(List(fill) { Json.of(7L) })
            else -> Json.of(fill.toLong())
        }

    private fun spec(): ArraySpec {
        val spec =
            ArraySpec.of(type, *shape)
                .withFillValue(fillJson())
                .withChunkShape(*shapes[if (levels == 0) 0 else levels - 1])
        if (levels == 0) {
            return spec.withCodecs(*codecs())
        }
        val outer =
            spec
                .withShardShape(*shapes[levels])
                .withIndexCodecs(*indexCodecs())
                .withIndexLocation(IndexLocation.entries[random.nextInt(2)])
        return if (levels == 1) outer.withCodecs(*codecs()) else outer.withCodecs(sharding())
    }

    /** The inner shards of an array whose shards are nested. */
    private fun sharding(): Json =
        Codecs.named(
            "sharding_indexed",
            Json.`object`()
                .with("chunk_shape", Json.of(inner))
                .with("codecs", Json.Arr(codecs().asList()))
                .with("index_codecs", Json.Arr(indexCodecs().asList()))
                .with("index_location", Json.of(if (random.nextBoolean()) "start" else "end")),
        )

    private fun indexCodecs(): Array<Json> {
        val bytes = if (random.nextBoolean()) Codecs.bytesLittleEndian() else Codecs.bytesBigEndian()
        return if (random.nextBoolean()) arrayOf(bytes, Codecs.crc32c()) else arrayOf(bytes)
    }

    private fun codecs(): Array<Json> {
        val chain = mutableListOf<Json>()
        if (rank > 1 && random.nextInt(3) == 0) {
            chain += Codecs.transpose(*(0L until rank).shuffled(random).toLongArray())
        }
        chain +=
            when (type) {
                "string" -> Codecs.named("vlen-utf8", Json.`object`())
                "bytes" -> Codecs.named("vlen-bytes", Json.`object`())
                else -> if (random.nextBoolean()) Codecs.bytesLittleEndian() else Codecs.bytesBigEndian()
            }
        when (random.nextInt(5)) {
            0 -> chain += Codecs.gzip(random.nextInt(10))
            1 -> chain += Codecs.zstd(3)
            2 -> chain += listOf(Codecs.crc32c(), Codecs.zstd(1), Codecs.crc32c())
            3 -> chain += Codecs.blosc("lz4", 5, 2)
        }
        return chain.toTypedArray()
    }
}
