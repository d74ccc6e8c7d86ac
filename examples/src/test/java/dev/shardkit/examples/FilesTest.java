package dev.shardkit.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.files.Export;
import dev.shardkit.files.FileFormat;
import dev.shardkit.files.ImportSource;
import dev.shardkit.spi.array.Box;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The snippets of docs/guide/files.md. */
class FilesTest {
    @TempDir
    Path folder;

    @Test
    void export_andImport() throws IOException {
        String image = folder.resolve("image.zarr").toString();
        short[] values = new short[512 * 512];
        for (int i = 0; i < values.length; i++) {
            values[i] = (short) i;
        }
        try (ZarrArray array = Zarr.createArray(image, ArraySpec.of("uint16", 512, 512))) {
            array.write(array.domain(), values, 0);
        }
        // example: files
        try (ZarrArray array = Zarr.openArray(image)) {
            Export.of(array).within(Box.of(new long[] {64, 512})).to(folder.resolve("rows.npy"), FileFormat.NPY);
        }
        try (ImportSource source = ImportSource.npy(folder.resolve("rows.npy"));
                ZarrArray copy = Zarr.createArray(
                        folder.resolve("rows.zarr").toString(), ArraySpec.of(source.dataType(), source.shape()))) {
            source.writeTo(copy, copy.domain(), (path, done, total) -> {});
        }
        // end
        try (ZarrArray copy = Zarr.openArray(folder.resolve("rows.zarr").toString())) {
            assertArrayEquals(Arrays.copyOf(values, 64 * 512), copy.read().shorts());
        }
    }
}
