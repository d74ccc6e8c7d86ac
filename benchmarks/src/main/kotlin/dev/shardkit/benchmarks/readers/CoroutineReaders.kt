package dev.shardkit.benchmarks.readers

import dev.shardkit.ZarrArray
import dev.shardkit.kotlin.awaitRead
import kotlin.random.Random
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.runBlocking

/** Reads with coroutines, for [ManyReaders]. Kotlin, because Java cannot call suspending functions. */
public object CoroutineReaders {
    /** Reads random inner chunks of [array] with [count] coroutines for [seconds]; returns the latencies of each. */
    @JvmStatic
    public fun run(array: ZarrArray, sample: Sample, count: Int, seconds: Double): List<Latencies> =
        runBlocking(Dispatchers.Default) {
            val end = System.nanoTime() + (seconds * 1e9).toLong()
            List(count) { seed -> async { read(array, sample, Random(seed), end) } }.awaitAll()
        }

    private suspend fun read(array: ZarrArray, sample: Sample, random: Random, end: Long): Latencies {
        val own = Latencies()
        while (System.nanoTime() < end) {
            val number = random.nextInt(sample.count())
            val begun = System.nanoTime()
            val read = array.awaitRead(sample.box(number))
            own.add(begun)
            sample.check(number, read)
        }
        return own
    }
}
