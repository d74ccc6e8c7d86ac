package dev.shardkit.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.compare.Comparison;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.store.Store;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The snippets of docs/guide/formats.md. */
class FormatsTest {
    @TempDir
    Path folder;

    @Test
    void copy_makesShardedZarr_withTheSameElements() {
        String source = "n5:" + folder.resolve("data.n5");
        String target = folder.resolve("data.zarr").toString();
        ArraySpec spec = ArraySpec.of("int32", 200, 100).withChunkShape(64, 64);
        try (ZarrArray array = Zarr.createArray(source, spec)) {
            array.write(array.domain(), IntStream.range(0, 20_000).toArray(), 0);
        }
        List<Comparison.Difference> differences = new ArrayList<>();
        // example: copy
        ZarrOptions options = ZarrOptions.defaults();
        try (ZarrArray from = Zarr.openArray(source); // such as n5:data.n5/a or hdf5:data.h5!air
                Store to = Zarr.openStore(target, options)) {
            Copy.of(from)
                    .withChunkShape(32, 32)
                    .withShardShape(128, 128)
                    .withCodecs(Codecs.zstd(3))
                    .to(to, options);
            try (ZarrArray copy = Zarr.openArray(target)) {
                Comparison.of(from, copy).ignoringLayout().run(differences::add);
            }
        }
        // end
        assertEquals(List.of(), differences);
        try (ZarrArray copy = Zarr.openArray(target)) {
            assertTrue(copy.isSharded());
        }
    }
}
