package dev.shardkit.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.check.Finding;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.layout.ShardLayout;
import dev.shardkit.maintenance.relayout.Relayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java examples of layouts; the marked lines are shown in the documents. */
class LayoutTest {
    @TempDir
    private Path folder;

    @Test
    void nestedShards() {
        String url = folder.resolve("nested.zarr").toString();
        // example: nested
        ArraySpec nested = ArraySpec.of("uint8", 4096, 4096)
                .withShardShape(1024, 1024) // one stored object
                .withChunkShape(256, 256) // its inner chunks are shards themselves
                .withCodecs(Codecs.sharding(new long[] {32, 32}, Codecs.bytesLittleEndian(), Codecs.zstd(3)));
        // end
        try (ZarrArray array = Zarr.createArray(url, nested)) {
            array.write(array.domain(), new byte[4096 * 4096], 0);
            assertArrayEquals(new long[] {1024, 1024}, array.storedChunkShape());
        }
    }

    @Test
    void reshard_movesEncodedChunks() {
        String url = folder.resolve("scan.zarr").toString();
        try (ZarrArray array =
                Zarr.createArray(url, ArraySpec.of("uint16", 64, 64).withChunkShape(8, 8))) {
            array.write(array.domain(), new short[64 * 64], 0);
        }
        // example: reshard
        try (ZarrNode node = Zarr.open(url, ZarrOptions.defaults())) {
            Relayout relayout = Relayout.of(node, ShardLayout.chunksPerShard(4, 4));
            relayout.run(
                    Mode.DRY_RUN,
                    change -> System.out.println("/" + change.array() + " " + change.outcome() + " "
                            + change.reason().orElse("")));
            relayout.run(Mode.APPLY, change -> {}); // run the same call again to resume it
        }
        // end
        try (ZarrArray array = Zarr.openArray(url)) {
            assertArrayEquals(new long[] {32, 32}, array.storedChunkShape());
            assertTrue(array.isSharded());
        }
    }

    @Test
    void verification_listsFindings() {
        String url = folder.resolve("scan.zarr").toString();
        Zarr.createArray(
                        url, ArraySpec.of("uint16", 64, 64).withChunkShape(8, 8).withShardShape(32, 32))
                .close();
        // example: verify
        List<Finding> findings = new ArrayList<>();
        try (ZarrNode node = Zarr.open(url, ZarrOptions.defaults())) {
            Verification.of(node).run(findings::add);
        }
        // end
        assertEquals(List.of(), findings);
    }
}
