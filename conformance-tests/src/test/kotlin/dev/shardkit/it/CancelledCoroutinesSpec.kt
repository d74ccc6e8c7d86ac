package dev.shardkit.it

import dev.shardkit.ArraySpec
import dev.shardkit.CancelledCallsTest
import dev.shardkit.IfExists
import dev.shardkit.NdArray
import dev.shardkit.SliceOptions
import dev.shardkit.SliceWriter
import dev.shardkit.Zarr
import dev.shardkit.ZarrArray
import dev.shardkit.ZarrOptions
import dev.shardkit.javaarray.JavaArrayAdapters
import dev.shardkit.kotlin.awaitRead
import dev.shardkit.kotlin.awaitWrite
import dev.shardkit.spi.array.Feed
import dev.shardkit.spi.array.Target
import dev.shardkit.spi.error.ZarrException
import dev.shardkit.spi.json.Json
import dev.shardkit.store.Store
import dev.shardkit.testkit.internal.Rounds
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.shouldBe
import java.nio.file.Files
import java.util.Random
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit
import kotlin.io.path.createDirectories
import kotlin.time.Duration.Companion.microseconds
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull

private const val LENGTH = 1024

/** What memory holds after a call, and no array may. */
private const val POISON = 99

/** A Java array of primitives as the memory of a caller. All numbers fit into a byte. */
private class Memory(val type: Class<*>, value: Int) {
    val array: Any = java.lang.reflect.Array.newInstance(type, LENGTH).also { fill(it, value) }

    fun poison() = fill(array, POISON)

    private fun fill(array: Any, value: Int) {
        for (i in 0 until LENGTH) {
            when (array) {
                is BooleanArray -> array[i] = value != POISON
                else -> java.lang.reflect.Array.setByte(array, i, value.toByte())
            }
        }
    }
}

/**
 * Returns the different elements; a boolean that is true is any number, as the booleans of all values but the poison.
 */
private fun elements(array: Any): Set<Int> =
    (0 until LENGTH)
        .map { java.lang.reflect.Array.get(array, it) }
        .map { if (it is Boolean) if (it) 1 else POISON else (it as Number).toInt() }
        .toSet()

private fun asStored(type: Class<*>, value: Int) = if (type == Boolean::class.javaPrimitiveType) 1 else value

private val TYPES =
    mapOf<Class<*>, String>(
        BooleanArray::class.java to "bool",
        ByteArray::class.java to "int8",
        ShortArray::class.java to "int16",
        IntArray::class.java to "int32",
        LongArray::class.java to "int64",
        FloatArray::class.java to "float32",
        DoubleArray::class.java to "float64",
    )

/** The array and the memory of a call. */
private class Call(val array: ZarrArray, val memory: Memory) {
    private val shape = longArrayOf(LENGTH.toLong())
    private val opened = mutableListOf<SliceWriter>()

    fun all() = array.domain()

    fun values(): NdArray = NdArray.of(array.dataType(), shape, memory.array)

    fun feed(): Feed = JavaArrayAdapters.feed(array.dataType(), shape, memory.array, 0)

    fun target(): Target = JavaArrayAdapters.target(array.dataType(), shape, memory.array, 0)

    fun slices(): SliceWriter =
        array.slices(0, SliceOptions.defaults().withGrowth(SliceOptions.Growth.FIXED)).also { opened += it }

    /** Closes what the call has opened. A stream that was cancelled fails when it is closed. */
    fun close() {
        for (slices in opened) {
            try {
                slices.close()
            } catch (e: ZarrException) {
                e.message.isNullOrEmpty() shouldBe false
            } catch (e: IllegalStateException) {
                e.message.isNullOrEmpty() shouldBe false
            }
        }
    }
}

/** The suspending functions that take memory, by their parameters. */
private val CALLS =
    mapOf<String, suspend (Call) -> Unit>(
        "awaitRead(ZarrArray, Box, Target)" to { it.array.awaitRead(it.all(), it.target()) },
        "awaitWrite(ZarrArray, Box, NdArray)" to { it.array.awaitWrite(it.all(), it.values()) },
        "awaitWrite(ZarrArray, Box, Feed)" to { it.array.awaitWrite(it.all(), it.feed()) },
        "awaitWrite(ZarrView, NdArray)" to { it.array.view().awaitWrite(it.values()) },
        "awaitWrite(ZarrPoints, NdArray)" to
            {
                val points = Array(LENGTH) { i -> longArrayOf(i.toLong()) }
                it.array.view().points(*points).awaitWrite(it.values())
            },
        "awaitWrite(SliceWriter, NdArray)" to { it.slices().awaitWrite(it.values()) },
        "awaitWrite(ZarrArray, boolean[])" to { it.array.awaitWrite(it.memory.array as BooleanArray) },
        "awaitWrite(ZarrArray, byte[])" to { it.array.awaitWrite(it.memory.array as ByteArray) },
        "awaitWrite(ZarrArray, short[])" to { it.array.awaitWrite(it.memory.array as ShortArray) },
        "awaitWrite(ZarrArray, int[])" to { it.array.awaitWrite(it.memory.array as IntArray) },
        "awaitWrite(ZarrArray, long[])" to { it.array.awaitWrite(it.memory.array as LongArray) },
        "awaitWrite(ZarrArray, float[])" to { it.array.awaitWrite(it.memory.array as FloatArray) },
        "awaitWrite(ZarrArray, double[])" to { it.array.awaitWrite(it.memory.array as DoubleArray) },
        "awaitWrite(ZarrArray, Box, boolean[])" to
            {
                it.array.awaitWrite(it.all(), it.memory.array as BooleanArray)
            },
        "awaitWrite(ZarrArray, Box, byte[])" to { it.array.awaitWrite(it.all(), it.memory.array as ByteArray) },
        "awaitWrite(ZarrArray, Box, short[])" to { it.array.awaitWrite(it.all(), it.memory.array as ShortArray) },
        "awaitWrite(ZarrArray, Box, int[])" to { it.array.awaitWrite(it.all(), it.memory.array as IntArray) },
        "awaitWrite(ZarrArray, Box, long[])" to { it.array.awaitWrite(it.all(), it.memory.array as LongArray) },
        "awaitWrite(ZarrArray, Box, float[])" to { it.array.awaitWrite(it.all(), it.memory.array as FloatArray) },
        "awaitWrite(ZarrArray, Box, double[])" to { it.array.awaitWrite(it.all(), it.memory.array as DoubleArray) },
    )

/** Returns the class of the memory of a call: that of its last parameter, or of the elements of the other classes. */
private fun memoryOf(call: String): Class<*> =
    TYPES.keys.firstOrNull { call.endsWith(" ${it.simpleName})") } ?: IntArray::class.java

/**
 * A coroutine that was cancelled, whose time is over or whose sibling failed resumes when its call touches neither its
 * memory nor the store any more; a write that begins then wins. The system property {@code shardkit.rounds} sets the
 * number of rounds of each call on each kind of store.
 */
class CancelledCoroutinesSpec :
    FunSpec({
        val rounds = Rounds.of(1)
        val seed = java.lang.Long.getLong("shardkit.cancel.seed", System.nanoTime())
        val random = Random(seed)

        test("every suspending function that takes memory is tried") {
            val memory = TYPES.keys + setOf(NdArray::class.java, Feed::class.java, Target::class.java)
            Class.forName("dev.shardkit.kotlin.SuspendingKt")
                .methods
                .filter { method -> method.parameterTypes.any { it in memory } }
                .filter { it.name != "awaitResize" && it.name != "awaitExists" } // of which it is a shape and a cell
                .map { method ->
                    method.name + method.parameterTypes.dropLast(1).joinToString(", ", "(", ")") { it.simpleName }
                }
                .toSet() shouldBe CALLS.keys
        }

        fun passTime() {
            val end = System.nanoTime() + random.nextInt(if (random.nextBoolean()) 200_000 else 3_000_000)
            while (System.nanoTime() < end) {
                Thread.onSpinWait()
            }
        }

        /** Ends a call at a random moment, and waits for its coroutine alone. */
        suspend fun endEarly(call: suspend (Call) -> Unit, made: Call) {
            when (random.nextInt(3)) {
                0 -> withTimeoutOrNull(random.nextInt(3000).microseconds) { call(made) }
                1 ->
                    withContext(Dispatchers.Default) {
                        val running = launch { call(made) }
                        passTime()
                        running.cancelAndJoin()
                    }
                else ->
                    try {
                        coroutineScope {
                            launch(Dispatchers.Default) { call(made) }
                            launch(Dispatchers.Default) {
                                passTime()
                                error("the sibling failed")
                            }
                        }
                    } catch (e: IllegalStateException) {
                        e.message shouldBe "the sibling failed"
                    }
            }
        }

        fun create(store: Store, path: String, memory: Class<*>, options: ZarrOptions): ZarrArray {
            val plain = ArraySpec.of(TYPES.getValue(memory), LENGTH.toLong()).withChunkShape(16).withShardShape(64)
            val fill = if (memory == BooleanArray::class.java) Json.of(true) else Json.of(1)
            return Zarr.createArray(store, path, plain.withFillValue(fill), IfExists.REFUSE, options)
        }

        suspend fun rounds(kind: CancelledCallsTest.Kind, call: String, store: Store, threads: ExecutorService) {
            val type = memoryOf(call)
            val options = kind.options(threads)
            val element = type.componentType
            val arrays = mutableMapOf<Int, ZarrArray>()
            val before = mutableMapOf<Int, Int>()
            for (round in 0 until rounds) {
                val at = if (kind.writesAgain()) round % 4 else round
                val array = arrays.getOrPut(at) { create(store, "a$at", type, options) }
                val value = 3 + 2 * (round % 40)
                val made = Call(array, Memory(element, value))
                endEarly(CALLS.getValue(call), made)
                made.memory.poison()
                made.close()
                if (kind.writesAgain()) {
                    elements(array.read().array()).forEach {
                        it shouldBeIn setOf(asStored(element, before[at] ?: 1), asStored(element, value))
                    }
                    val later = Call(array, Memory(element, value + 1))
                    array.write(later.all(), later.values())
                    elements(array.read().array()) shouldBe setOf(asStored(element, value + 1))
                    elements(made.memory.array) shouldBe setOf(POISON)
                    before[at] = value + 1
                }
            }
            before.forEach { (at, value) ->
                elements(arrays.getValue(at).read().array()) shouldBe setOf(asStored(element, value))
            }
        }

        for (kind in CancelledCallsTest.Kind.values()) {
            test("$kind: nothing is touched afterwards") {
                val folder = Files.createTempDirectory("cancelled")
                val threads = Executors.newFixedThreadPool(3)
                try {
                    for ((number, call) in CALLS.keys.withIndex()) {
                        withClue("$call, -Dshardkit.cancel.seed=$seed") {
                            val own = folder.resolve("$number").createDirectories()
                            kind.store(own, threads).use { rounds(kind, call, it, threads) }
                            if (!kind.writesAgain()) { // an archive shows its elements when it is opened again
                                kind.store(own, threads).use { store ->
                                    for (round in 0 until rounds) {
                                        val array = Zarr.openArray(store, "a$round", ZarrOptions.defaults())
                                        val element = memoryOf(call).componentType
                                        elements(array.read().array()).forEach {
                                            it shouldBeIn setOf(1, asStored(element, 3 + 2 * (round % 40)))
                                        }
                                    }
                                }
                            }
                        }
                    }
                } finally {
                    threads.shutdown()
                    threads.awaitTermination(60, TimeUnit.SECONDS)
                    folder.toFile().deleteRecursively()
                }
            }
        }
    })
