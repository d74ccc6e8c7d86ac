package dev.shardkit.maintenance.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.type.StructType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a copy says while it runs. */
class CopyProgressTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    private final MemoryStore from = MemoryStore.create();
    private final List<Long> told = Collections.synchronizedList(new ArrayList<>());
    private final List<Long> totals = Collections.synchronizedList(new ArrayList<>());
    private final Progress progress = new Progress() {
        @Override
        public void at(String array, long done, long total) {}

        @Override
        public void bytes(long done, long total) {
            told.add(done);
            totals.add(total);
        }
    };

    private void array(String path, long... shape) {
        ArraySpec spec = ArraySpec.of("uint16", shape);
        ZarrArray array = Zarr.createArray(
                from,
                path,
                shape.length == 2 ? spec.withShardShape(64, 64).withChunkShape(8, 8) : spec,
                IfExists.REFUSE,
                OPTIONS);
        short[] values = new short[(int) Shapes.count(shape)];
        Arrays.fill(values, (short) 7);
        array.write(array.domain(), values, 0);
    }

    private void expect(long total) {
        assertEquals(List.of(total), totals.stream().distinct().toList(), told::toString);
        assertEquals(total, Collections.max(told), told::toString);
    }

    @Test
    void aShardThatIsEncodedAgain_isCountedWithinTheShard() {
        array("a", 64, 64);
        Copy.of(Zarr.openArray(from, "a", OPTIONS))
                .withCodecs(Codecs.gzip(1))
                .withProgress(progress)
                .to(MemoryStore.create(), OPTIONS);
        expect(2 * 64 * 64);
        assertTrue(
                told.stream().filter(n -> n > 0 && n < 2 * 64 * 64).distinct().count() > 3, told::toString);
    }

    @Test
    void aTree_isCountedAsAWhole() {
        Zarr.createGroup(from, "", Json.object(), IfExists.REFUSE, OPTIONS);
        array("a", 64, 64);
        array("b", 128, 64);
        array("c", 10);
        Copy.of(Zarr.openGroup(from, "", OPTIONS)).withProgress(progress).to(MemoryStore.create(), OPTIONS);
        expect(2 * (64 * 64 + 128 * 64 + 10));
        // Small arrays are copied at once, so any of them may be counted first.
        assertEquals(told.stream().sorted().toList(), told);
        assertTrue(told.stream().filter(n -> n > 0).distinct().count() >= 3, told::toString);
    }

    @Test
    void records_areNamed() {
        Zarr.createArray(
                from,
                "r",
                ArraySpec.of(
                        StructType.of("x", CoreTypes.FLOAT32)
                                .with("y", CoreTypes.FLOAT64)
                                .json(),
                        4),
                IfExists.REFUSE,
                OPTIONS);
        List<String> notes = new ArrayList<>();
        Copy.of(Zarr.openArray(from, "r", OPTIONS))
                .withNotes((path, how) -> notes.add(path + how))
                .to(MemoryStore.create(), OPTIONS);
        assertEquals(List.of("has the data type struct, which zarr-python 3.1 cannot read"), notes);
    }
}
