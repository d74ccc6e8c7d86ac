package dev.shardkit.kotlin

import com.fasterxml.jackson.annotation.JsonProperty
import dev.shardkit.IfExists
import dev.shardkit.Zarr
import dev.shardkit.ZarrOptions
import dev.shardkit.spi.error.MetadataException
import dev.shardkit.spi.json.Json
import dev.shardkit.store.memory.MemoryStore
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.time.Duration
import java.time.Instant
import java.util.Optional

/** Attributes as data classes and plain values, read and written. */
class AttributesSpec :
    FunSpec({
        data class Channel(val name: String, val limits: List<Double> = listOf(0.0, 1.0))

        data class Image(
            val unit: String,
            val channels: List<Channel>,
            @JsonProperty("voxel-size") val voxelSize: Double,
            val comment: String? = null,
        )

        val image = Image("micrometre", listOf(Channel("DAPI"), Channel("GFP", listOf(0.5, 2.0))), 0.25)

        fun array() =
            Zarr.createArray(
                MemoryStore.create(),
                "a",
                arraySpec("uint8", 4),
                IfExists.REFUSE,
                ZarrOptions.defaults(),
            )

        test("a data class is written and read") {
            array().use {
                val changed = it.replaceAttributes(image)
                changed.attributes<Image>() shouldBe image
                changed.attributes().get("voxel-size").get() shouldBe Json.of(0.25)
            }
        }

        test("a new array is described with a data class") {
            Zarr.createArray(
                    MemoryStore.create(),
                    "a",
                    arraySpec("uint8", 4) { attributes(image) },
                    IfExists.REFUSE,
                    ZarrOptions.defaults(),
                )
                .use { it.attributes<Image>() shouldBe image }
        }

        test("unknown members are ignored, defaults are used, other missing members are errors") {
            array().use {
                val changed =
                    it.replaceAttributes(
                        jsonOf("unit" to "m", "voxel-size" to 1, "channels" to listOf<Any>(), "x" to 1)
                    )
                changed.attributes<Image>() shouldBe Image("m", listOf(), 1.0)
                val missing = it.replaceAttributes(jsonOf("channels" to listOf<Any>(), "voxel-size" to 1))
                shouldThrow<MetadataException> { missing.attributes<Image>() }.message!! shouldContain "unit"
            }
        }

        test("optional members of data classes may be missing, null or of Java's types; others may not") {
            data class Maybe(
                val note: String?,
                val gain: Double?,
                val binning: Int = 1,
                val start: Instant? = null,
                val exposure: Optional<Duration>,
            )
            data class Strict(val count: Int, val flag: Boolean)
            array().use {
                it.attributes<Maybe>() shouldBe Maybe(null, null, 1, null, Optional.empty())
                val nulls =
                    it.replaceAttributes(mapOf("note" to null, "gain" to null, "start" to null, "exposure" to null))
                nulls.attributes<Maybe>() shouldBe Maybe(null, null, 1, null, Optional.empty())
                val all = Maybe("a", 0.5, 4, Instant.EPOCH, Optional.of(Duration.ofSeconds(2)))
                it.replaceAttributes(all).attributes<Maybe>() shouldBe all
                it.replaceAttributes(all).attributes().get("exposure").get() shouldBe Json.of("PT2S")
                val wrongs =
                    listOf<Map<String, Any?>>(
                        mapOf("count" to 1),
                        mapOf("flag" to true),
                        mapOf("count" to null, "flag" to true),
                    )
                for (wrong in wrongs) {
                    val changed = it.replaceAttributes(wrong)
                    val message = shouldThrow<MetadataException> { changed.attributes<Strict>() }.message
                    message shouldContain "expected a "
                    message shouldNotContain "ackson"
                    message shouldContain if ("flag" in wrong) "/attributes/count" else "/attributes/flag"
                }
            }
        }

        test("maps are attributes, other values are not") {
            array().use {
                it.replaceAttributes(mapOf("a" to listOf(1, 2.5, null, true))).attributes().toString() shouldBe
                    """{"a":[1,2.5,null,true]}"""
                shouldThrow<IllegalArgumentException> { it.replaceAttributes(listOf(1)) }
                it.replaceAttributes(mapOf("a" to Double.NaN)).attributes().toString() shouldBe """{"a":NaN}"""
                shouldThrow<IllegalArgumentException> { jsonOf("a" to Double.NaN) }
                shouldThrow<IllegalArgumentException> { Json.of(mapOf("a" to Any())) }
            }
        }
    })
