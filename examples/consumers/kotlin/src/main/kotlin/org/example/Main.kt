@file:JvmName("Main")

package org.example

import dev.shardkit.Codecs
import dev.shardkit.NdArray
import dev.shardkit.kotlin.arraySpec
import dev.shardkit.kotlin.attributes
import dev.shardkit.kotlin.awaitRead
import dev.shardkit.kotlin.awaitWrite
import dev.shardkit.kotlin.createZarrArray
import dev.shardkit.kotlin.get
import dev.shardkit.kotlin.innerChunkFlow
import dev.shardkit.kotlin.jsonOf
import dev.shardkit.kotlin.region
import dev.shardkit.store.file.FileStore
import kotlin.io.path.createTempDirectory
import kotlinx.coroutines.flow.count
import kotlinx.coroutines.runBlocking

data class Voxel(val size: Double, val unit: String = "micrometre")

/** A user's program in Kotlin that depends on single modules of shardkit, with versions from the bill of materials. */
fun main(): Unit = runBlocking {
    val spec =
        arraySpec("int32", 100, 100) {
            chunkShape(10, 10)
            shardShape(50, 50)
            codecs(Codecs.zstd(3))
            attributes(jsonOf("size" to 0.25))
        }
    FileStore.at(createTempDirectory("consumer")).use { store ->
        val array = createZarrArray(store, "image", spec)
        array.awaitWrite(array.domain(), NdArray.of(array.dataType(), longArrayOf(100, 100), IntArray(10_000) { it }))
        check(array.awaitRead(region(42L..42, 17L..17)).ints()[0] == 4217)
        check(array[42L..42, 17L..18].shape().contentEquals(longArrayOf(1, 2)))
        check(array.innerChunkFlow().count() == 100)
        check(array.attributes<Voxel>() == Voxel(0.25))
    }
    println("written and read from Kotlin ${KotlinVersion.CURRENT}")
}
