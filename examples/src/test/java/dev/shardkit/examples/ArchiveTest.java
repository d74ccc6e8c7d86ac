package dev.shardkit.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java example of ZIP archives; the marked lines are shown in the documents. */
class ArchiveTest {
    @Test
    void array_isWrittenIntoAnArchive(@TempDir Path folder) {
        ArraySpec spec = ArraySpec.of("int32", 64, 64).withChunkShape(8, 8).withShardShape(32, 32);
        int[] elements = IntStream.range(0, 64 * 64).toArray();
        // example: write
        String archive = folder.resolve("image.ozx").toString();
        try (ZarrArray array = Zarr.createArray(archive, spec)) {
            array.write(array.domain(), elements, 0);
        } // now the archive is complete
        // end
        try (ZarrArray array = Zarr.openArray(archive)) {
            assertArrayEquals(elements, array.read().ints());
        }
    }
}
