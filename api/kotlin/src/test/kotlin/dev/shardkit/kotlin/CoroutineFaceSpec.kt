package dev.shardkit.kotlin

import dev.shardkit.Codecs
import dev.shardkit.NdArray
import dev.shardkit.PlainArrays
import dev.shardkit.Zarr
import dev.shardkit.ZarrArray
import dev.shardkit.engine.run.LocalStore
import dev.shardkit.engine.run.RemoteStore
import dev.shardkit.spi.array.Box
import dev.shardkit.spi.array.Elements
import dev.shardkit.spi.array.FillValue
import dev.shardkit.spi.array.Target
import dev.shardkit.spi.json.Json
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.StringSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeSameInstanceAs
import java.io.IOException
import java.util.concurrent.CountDownLatch
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.collect
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runInterruptible
import kotlinx.coroutines.withTimeoutOrNull

/** Copies what a local store holds of a plain array into a remote one. */
private fun remote(local: LocalStore): RemoteStore =
    RemoteStore().apply {
        for (key in listOf("zarr.json") + (0..7).flatMap { i -> (0..7).map { "c/$i/$it" } }) {
            local.get(key).ifPresent { with(key, it) }
        }
    }

/** An array of one row of 640 chunks, all stored. */
private fun wide(store: LocalStore): ZarrArray {
    val spec =
        arraySpec("int32", 8, 5120) {
            chunkShape(8, 8)
            codecs(Codecs.named("plain", Json.`object`()))
        }
    return createZarrArray(store, "", spec, options = PlainArrays.options()).apply {
        write(domain(), IntArray(8 * 5120) { 1 }, 0)
    }
}

private suspend fun RemoteStore.next(): RemoteStore.Pending = runInterruptible(Dispatchers.IO) { pending.take() }

class CoroutineFaceSpec :
    StringSpec({
        val local = LocalStore()
        PlainArrays.create(local).let { it.write(it.domain(), PlainArrays.counting(), 0) }

        "cancelling a coroutine reaches the store" {
            val store = remote(local)
            val array = awaitOpenArray(store, options = PlainArrays.options())
            store.answersAtOnce = false
            coroutineScope {
                val reading = launch { array.awaitRead() }
                val pending = store.next()
                reading.cancelAndJoin()
                shouldThrow<CancellationException> { pending.future().get() }
            }
        }

        "cancelling a coroutine that opens an array reaches the store" {
            val store = remote(local).asking()
            coroutineScope {
                val opening = launch { awaitOpenArray(store, options = PlainArrays.options()) }
                val pending = store.next()
                opening.cancelAndJoin()
                pending.future().isCancelled shouldBe true
            }
        }

        "cancelling a coroutine that opens a group reaches the store" {
            val store = RemoteStore().asking()
            coroutineScope {
                val opening = launch { awaitOpenGroup(store, options = PlainArrays.options()) }
                val pending = store.next()
                opening.cancelAndJoin()
                pending.future().isCancelled shouldBe true
            }
        }

        "a timeout around a flow reaches the store" {
            val store = remote(local)
            val array = awaitOpenArray(store, options = PlainArrays.options())
            store.answersAtOnce = false
            withTimeoutOrNull(1) { array.innerChunkFlow().collect() } shouldBe null
            store.pending.all { it.future().isCancelled } shouldBe true
        }

        "a collector that stops after three chunks has caused one batch of reads" {
            val store = LocalStore()
            val array = wide(store)
            val opened = store.opened.get()
            array.innerChunkFlow().take(3).toList().map { it.box() } shouldBe
                (0L..2).map { Box.of(longArrayOf(0, 8 * it), longArrayOf(8, 8)) }
            store.opened.get() - opened shouldBe 64
            store.closed.get() shouldBe store.opened.get()
        }

        "the next batch is read when the collector has taken the one before" {
            val store = LocalStore()
            val array = wide(store)
            val opened = store.opened.get()
            var taken = 0
            array.innerChunkFlow().collect {
                taken++
                store.opened.get() - opened shouldBe (taken + 63) / 64 * 64
            }
            taken shouldBe 640
        }

        "nothing is read before a flow is collected, and all of it when it is" {
            val store = remote(local)
            val array = awaitOpenArray(store, options = PlainArrays.options())
            val before = store.requests()
            val flow = array.innerChunkFlow(region(4L..19, 0L..63))
            store.requests() shouldBe before
            val chunks = flow.toList()
            chunks.size shouldBe 3 * 8
            chunks.sumOf { it.values().count() } shouldBe 16 * 64
            chunks.forEach { it.values().integerAt(0, 0).toInt() shouldBe it.box().origin(0) * 64 + it.box().origin(1) }
        }

        "a coroutine writes, and what it wrote is read" {
            val store = LocalStore()
            val array = PlainArrays.create(store)
            val values = NdArray.of(array.dataType(), longArrayOf(2, 64), IntArray(128) { it })
            array.awaitWrite(region(3L..4, 0L..63), values)
            array.awaitRead(region(3L..4, 0L..63)) shouldBe values
        }

        "cancelling a coroutine that waits for a lock ends the wait" {
            val store = LocalStore()
            val array = PlainArrays.create(store)
            val waiting = CountDownLatch(1)
            val ended = CountDownLatch(1)
            store.onLock = LocalStore.Hook {
                waiting.countDown()
                try {
                    CountDownLatch(1).await()
                } catch (e: InterruptedException) {
                    ended.countDown()
                    throw IOException("interrupted", e)
                }
            }
            coroutineScope {
                val writing = launch {
                    array.awaitWrite(
                        region(0L..0, 0L..0),
                        NdArray.of(array.dataType(), longArrayOf(1, 1), IntArray(1) { 5 }),
                    )
                }
                runInterruptible(Dispatchers.IO) { waiting.await() }
                writing.cancelAndJoin()
                runInterruptible(Dispatchers.IO) { ended.await() }
            }
            array.read().ints().all { it == 0 } shouldBe true
        }

        "a checked exception of a caller's own target reaches him as it is" {
            val own = IOException("the caller's disk is full")
            val target =
                object : Target {
                    override fun put(from: Elements, offset: Long, strides: LongArray, at: Box) = throw own

                    override fun fill(value: FillValue, at: Box) = throw own
                }
            val array = Zarr.openArray(local, "", PlainArrays.options())
            shouldThrow<IOException> { array.read(array.domain(), target) } shouldBeSameInstanceAs own
            shouldThrow<IOException> { array.awaitRead(array.domain(), target) }.message shouldBe own.message
        }

        "many coroutines read one array" {
            val array = awaitOpenArray(remote(local), options = PlainArrays.options())
            coroutineScope {
                List(200) { i -> async(Dispatchers.Default) { array.awaitRead(region(i % 64L..i % 64L, 0L..63)) } }
                    .forEachIndexed { i, read -> read.await().ints()[63] shouldBe i % 64 * 64 + 63 }
            }
        }
    })
