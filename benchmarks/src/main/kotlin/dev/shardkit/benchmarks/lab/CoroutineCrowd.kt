package dev.shardkit.benchmarks.lab

import dev.shardkit.ZarrArray
import dev.shardkit.kotlin.awaitRead
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/** Runs the readers of a [Crowd] as coroutines. Kotlin, because Java cannot call suspending functions. */
internal object CoroutineCrowd {
    /** Reads all regions of the crowd with [readers] coroutines. */
    @JvmStatic
    fun run(crowd: Crowd, array: ZarrArray, readers: Int): Unit =
        runBlocking(Dispatchers.Default) { List(readers) { launch { read(crowd, array) } }.joinAll() }

    private suspend fun read(crowd: Crowd, array: ZarrArray) {
        var number = crowd.take()
        while (number >= 0) {
            val begun = System.nanoTime()
            crowd.arrived(number, array.awaitRead(crowd.box(number)), begun)
            number = crowd.take()
        }
    }
}
