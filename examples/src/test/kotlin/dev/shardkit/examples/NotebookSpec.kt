package dev.shardkit.examples

import dev.shardkit.Zarr
import dev.shardkit.kotlin.arraySpec
import dev.shardkit.pictures.HeatMap
import dev.shardkit.pictures.Preview
import dev.shardkit.pictures.Report
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.awt.image.BufferedImage
import java.io.ByteArrayInputStream
import java.io.ByteArrayOutputStream
import javax.imageio.ImageIO

/** The examples of notebooks and pictures; the marked lines are shown in the documents. */
class NotebookSpec :
    FunSpec({
        val location = tempdir().toPath().resolve("image.zarr").toString()

        test("a notebook shows arrays") {
            Zarr.createArray(location, arraySpec("uint8", 64, 96) { chunkShape(16, 16) }).close()
            // example: frame
            // A page as an element of a notebook, with styles of its own.
            fun frame(page: String): String =
                "<iframe style=\"width: 100%; height: 600px; border: 0\" srcdoc=\"" +
                    page.replace("&", "&amp;").replace("\"", "&quot;") +
                    "\"></iframe>"
            // end
            // example: notebook
            val array = Zarr.openArray(location)
            val report = frame(Report.of(array)) // a picture, the layout and advice; Report.of(group) too
            val map = frame(HeatMap.of(array).page()) // which shards and inner chunks are stored
            // end
            report shouldContain "srcdoc=\"<"
            report.count { it == '"' } shouldBe 4
            map shouldContain "</iframe>"
            // example: image
            val png = ByteArrayOutputStream()
            Preview.of(array).write(png)
            val picture: BufferedImage = ImageIO.read(ByteArrayInputStream(png.toByteArray()))
            // end
            picture.width * 64 shouldBe picture.height * 96
            array.close()
        }
    })
