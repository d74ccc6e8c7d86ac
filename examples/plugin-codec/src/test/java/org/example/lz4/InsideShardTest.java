package org.example.lz4;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plug-in is found by its services line and used inside a shard. */
class InsideShardTest {
    @Test
    void array_withTheCodecInItsShards_isReadBack(@TempDir Path folder) {
        ArraySpec spec = ArraySpec.of("int32", 64, 64)
                .withChunkShape(8, 8)
                .withShardShape(32, 32)
                .withCodecs(Codecs.named("numcodecs.lz4", Json.object().with("acceleration", Json.of(1))));
        int[] values = IntStream.range(0, 64 * 64).toArray();
        String location = folder.resolve("array").toString();
        try (ZarrArray array = Zarr.createArray(location, spec)) {
            array.write(array.domain(), values, 0);
        }
        try (ZarrArray array = Zarr.openArray(location)) {
            assertArrayEquals(values, array.read().ints());
            assertEquals(
                    9 * 64 + 9,
                    array.read(Box.of(new long[] {9, 9}, new long[] {1, 1})).ints()[0]);
        }
    }
}
