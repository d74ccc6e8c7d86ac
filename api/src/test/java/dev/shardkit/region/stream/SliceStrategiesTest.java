package dev.shardkit.region.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceWriter;
import dev.shardkit.ZarrArray;
import dev.shardkit.slices.SliceStrategy;
import dev.shardkit.testing.Log;
import dev.shardkit.testing.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written for slices that arrive one by one, into a shard 64 slices deep, where the store can patch. */
@Timeout(120)
class SliceStrategiesTest {
    private static final int DEPTH = 64;
    private static final int DEEP_SLICE = 64 * 64 * 2;

    @TempDir
    Path dir;

    private final Log log = new Log();

    private static void stream(SliceWriter slices, short[] all) {
        for (int z = 0; z < DEPTH; z++) {
            slices.write(all, z * DEEP_SLICE / 2, 1);
        }
    }

    /** One shard 64 slices deep, of slices of 8 KiB. */
    private ZarrArray deep(long inner, boolean compressed) {
        ArraySpec spec = ArraySpec.of("uint16", DEPTH, 64, 64)
                .withShardShape(DEPTH, 64, 64)
                .withChunkShape(inner, 32, 32);
        ZarrArray array = log.array(
                dir,
                compressed
                        ? spec.withCodecs(Codecs.bytesLittleEndian(), Codecs.zstd(3))
                        : spec.withCodecs(Codecs.bytesLittleEndian()));
        log.clear();
        return array;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void inPlace_writesTheSlicesAlone_intoAShardWithRoomForAll(int inner) throws IOException {
        ZarrArray array = deep(inner, false);
        short[] all = Values.noise(array, 1);
        try (SliceWriter slices = array.slices(0, SliceOptions.defaults().withBudgetBytes(4 * DEEP_SLICE))) {
            assertEquals(SliceStrategy.IN_PLACE, slices.strategy());
            stream(slices, all);
        }
        long index = DEPTH / inner * 4 * 16 + 4;
        assertEquals(DEPTH * (long) DEEP_SLICE + index, Files.size(dir.resolve("a/c/0/0/0")));
        assertEquals(DEPTH / inner, log.of("write").size());
        List<String> patches = log.of("IN_PLACE");
        assertEquals(
                DEPTH / inner - 1,
                patches.size(),
                () -> "all but the first: "
                        + log.of("fallback").stream().distinct().toList());
        assertEquals(
                List.of("IN_PLACE a/c/0/0/0 " + inner * DEEP_SLICE),
                patches.stream().distinct().toList());
        assertArrayEquals(all, array.read().shorts());
    }

    @ParameterizedTest
    @CsvSource({"1, false", "1, true", "4, true"})
    void append_writesTheSlicesAndAnIndex_inTheOrderInWhichTheyArrive(int inner, boolean compressed)
            throws IOException {
        ZarrArray array = deep(inner, compressed);
        short[] all = Values.noise(array, 1);
        SliceOptions options = SliceOptions.defaults()
                .withStrategy(compressed ? SliceStrategy.AUTO : SliceStrategy.APPEND)
                .withBudgetBytes(4 * DEEP_SLICE);
        try (SliceWriter slices = array.slices(0, options)) {
            assertEquals(SliceStrategy.APPEND, slices.strategy());
            stream(slices, all);
        }
        assertEquals(
                DEPTH / inner - 1,
                log.of("APPEND").size(),
                () -> "all but the first: "
                        + log.of("fallback").stream().distinct().toList());
        assertEquals(1, log.of("REWRITE").size());
        long written = Stream.concat(log.of("APPEND").stream(), log.of("REWRITE").stream())
                .mapToLong(l -> Long.parseLong(l.substring(l.lastIndexOf(' ') + 1)))
                .sum();
        assertEquals(written, Files.size(dir.resolve("a/c/0/0/0")), "each byte once");
        long index = DEPTH / inner * 4 * 16 + 4;
        long most = (long) DEPTH * DEEP_SLICE * 11 / 10 + DEPTH / inner * index;
        assertTrue(written <= most, written + " bytes, expected at most " + most);
        assertArrayEquals(all, array.read().shorts());
    }
}
