package dev.shardkit.examples

import dev.shardkit.Zarr
import dev.shardkit.ZarrOptions
import dev.shardkit.kotlin.arraySpec
import dev.shardkit.kotlin.ome.get
import dev.shardkit.kotlin.ome.select
import dev.shardkit.ome.OmeImage
import dev.shardkit.ome.pyramid.Pyramid
import dev.shardkit.ome.pyramid.Reducer
import io.kotest.core.spec.style.StringSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe

/** The Kotlin snippets of docs/guide/ome.md. */
class OmeSpec :
    StringSpec({
        "pyramid and read" {
            val folder = tempdir().toPath()
            val labels = folder.resolve("labels.zarr").toString()
            val location = folder.resolve("labels.ome.zarr").toString()
            Zarr.createArray(labels, arraySpec("uint32", 8, 64, 64) { chunkShape(8, 16, 16) }).close()
            // example: pyramid
            Zarr.openArray(labels).use { array ->
                Zarr.openStore(location, ZarrOptions.defaults()).use { target ->
                    Pyramid.of(array)
                        .withReducer(Reducer.MODE)
                        .withProgress { level, done, total -> println("level $level: $done of $total shards") }
                        .to(target, ZarrOptions.defaults())
                }
            }
            // end
            // example: read
            OmeImage.open(location).use { image ->
                val plane = image[1].select("z" to 0, "y" to 0L..31L).read()
                println("${image.axes().map { it.name() }}: ${plane.max()}")
            }
            // end
            OmeImage.open(location).use { image ->
                image.levels().size shouldBe 3
                image[1].select("z" to 0, "y" to 0L..9L).read().shape() shouldBe longArrayOf(10, 32)
            }
        }
    })
