package dev.shardkit.examples;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.pictures.Preview;
import dev.shardkit.pictures.Report;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The snippets of docs/guide/pictures.md. */
class PicturesTest {
    @TempDir
    Path folder;

    @Test
    void pictures() throws IOException {
        String image = folder.resolve("image.zarr").toString();
        Zarr.createArray(image, ArraySpec.of("uint16", 64, 64)).close();
        // example: pictures
        try (ZarrArray array = Zarr.openArray(image);
                OutputStream png = Files.newOutputStream(folder.resolve("image.png"))) {
            Preview.of(array).withColours("viridis").write(png);
            Files.writeString(folder.resolve("report.html"), Report.of(array));
        }
        // end
        assertTrue(Files.size(folder.resolve("image.png")) > 0);
    }
}
