package dev.shardkit;

import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static dev.shardkit.testing.Values.range;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.type.NumpyTimeType;
import dev.shardkit.type.NumpyTimeType.Kind;
import dev.shardkit.type.NumpyTimeType.Unit;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays of unusual shapes and types, and callers' mistakes. */
@Timeout(120)
class ArraysTest {
    @TempDir
    Path dir;

    private Store store(String kind) {
        return kind.equals("file") ? FileStore.at(dir) : MemoryStore.create();
    }

    private static ZarrArray create(Store store, ArraySpec spec) {
        return Zarr.createArray(store, "x", spec, IfExists.REFUSE, ZarrOptions.defaults());
    }

    private static ZarrArray again(Store store) {
        return Zarr.openArray(store, "x", ZarrOptions.defaults());
    }

    @Test
    void arrays_ofTypesWithOtherUnits_areNotEqual() {
        long[] counts = {1, 2};
        long[] shape = {2};
        NdArray seconds = NdArray.of(new NumpyTimeType(Kind.DATETIME64, Unit.SECOND, 1), shape, counts);
        NdArray hours = NdArray.of(new NumpyTimeType(Kind.DATETIME64, Unit.HOUR, 1), shape, counts);
        assertNotEquals(seconds, hours);
        NdArray same = NdArray.of(new NumpyTimeType(Kind.DATETIME64, Unit.SECOND, 1), shape, counts.clone());
        assertEquals(seconds, same);
        assertEquals(seconds.hashCode(), same.hashCode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "memory"})
    void zeroDimensions(String kind) {
        ArraySpec plain = ArraySpec.of("float64");
        for (ArraySpec spec : new ArraySpec[] {plain, plain.withChunkShape().withShardShape()}) {
            Store store = store(kind);
            ZarrArray array = Zarr.createArray(
                    store, "x", spec.withFillValue(Double.NaN), IfExists.OVERWRITE, ZarrOptions.defaults());
            assertTrue(Double.isNaN(array.read().doubleAt()));
            array.write(array.domain(), new double[] {2.5}, 0);
            assertEquals(2.5, again(store).read().doubleAt());
            assertEquals(1, again(store).innerChunks(array.domain()).count());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "memory"})
    void noElements(String kind) {
        Store store = store(kind);
        ZarrArray array =
                create(store, ArraySpec.of("int16", 0, 5).withChunkShape(2, 2).withShardShape(4, 4));
        array.write(array.domain(), new short[0], 0);
        assertEquals(0, again(store).read().count());
        assertArrayEquals(at(0, 5), again(store).read().shape());
        assertEquals(0, array.innerChunks(array.domain()).count());
        assertThrows(IndexOutOfBoundsException.class, () -> array.read(box(at(0, 0), 1, 5)));
    }

    @Test
    void regionsWithoutElements() {
        ZarrArray array = create(
                MemoryStore.create(),
                ArraySpec.of("int16", 10, 10).withChunkShape(2, 2).withShardShape(4, 4));
        array.write(box(at(3, 3), 0, 4), new short[0], 0);
        Box[] empty = {box(at(0, 0), 0, 0), box(at(10, 10), 0, 0), box(at(3, 3), 0, 4), box(at(3, 3), 4, 0)};
        for (Box region : empty) {
            assertArrayEquals(region.shape(), array.read(region).shape());
            assertArrayEquals(region.shape(), array.readAsync(region).join().shape());
            assertEquals(0, array.innerChunks(region).count());
        }
        assertThrows(IndexOutOfBoundsException.class, () -> array.read(box(at(11, 0), 0, 0)));
    }

    @Test
    void stringsAndBytes() {
        Store store = MemoryStore.create();
        ZarrArray words = create(
                store,
                ArraySpec.of("string", 6, 6)
                        .withChunkShape(2, 2)
                        .withShardShape(4, 4)
                        .withFillValue(Json.of("none")));
        words.write(box(at(1, 1), 2, 2), new String[] {"a", "", "\u00e9\ud83d\ude00", "none"}, 0);
        assertArrayEquals(
                new String[] {"none", "none", "none", "none", "a", "", "none", "\u00e9\ud83d\ude00", "none"},
                again(store).read(box(at(0, 0), 3, 3)).strings());
        words.write(box(at(1, 1), 1, 1), new String[] {"other"}, 0);
        assertArrayEquals(
                new String[] {"other", ""},
                again(store).read(box(at(1, 1), 1, 2)).strings());
        assertEquals("none", words.read(box(at(5, 5), 1, 1)).strings()[0]);

        ZarrArray blobs = Zarr.createArray(
                store,
                "b",
                ArraySpec.of("bytes", 5).withChunkShape(2).withShardShape(4),
                IfExists.REFUSE,
                ZarrOptions.defaults());
        blobs.write(range(1, 4), new byte[][] {{1}, {}, {2, 3}}, 0);
        byte[][] read = blobs.read().byteArrays();
        assertArrayEquals(new byte[][] {{}, {1}, {}, {2, 3}, {}}, read);
    }

    @Test
    void unshardedStrings_andEveryOtherCarrier() {
        Store store = MemoryStore.create();
        Object[][] types = {
            {"bool", new boolean[] {true, false, true}},
            {"int8", new byte[] {-1, 2, 3}},
            {"uint16", new short[] {-1, 2, 3}},
            {"int32", new int[] {-1, 2, 3}},
            {"uint64", new long[] {-1, 2, 3}},
            {"float16", new short[] {0x3c00, 1, 2}},
            {"float32", new float[] {1, -0f, Float.NaN}},
            {"float64", new double[] {1, -0d, Double.NaN}},
            {"complex64", new float[] {1, 2, 3, 4, 5, 6}},
            {"complex128", new double[] {1, 2, 3, 4, 5, 6}},
            {"r16", new byte[] {1, 2, 3, 4, 5, 6}},
            {"string", new String[] {"x", "", "z"}},
            {"bytes", new byte[][] {{1}, {}, {2, 3}}}
        };
        for (Object[] t : types) {
            String name = (String) t[0];
            for (ArraySpec spec : new ArraySpec[] {
                ArraySpec.of(name, 3),
                ArraySpec.of(name, 3).withChunkShape(1).withShardShape(2),
                ArraySpec.of(name, 3).withChunkShape(2).withCodecs(Codecs.gzip(1), Codecs.crc32c())
            }) {
                ZarrArray array = Zarr.createArray(store, "t", spec, IfExists.OVERWRITE, ZarrOptions.defaults());
                array.write(array.domain(), t[1], 0);
                NdArray expected = NdArray.of(array.dataType(), array.shape(), t[1]);
                assertEquals(
                        expected,
                        Zarr.openArray(store, "t", ZarrOptions.defaults()).read(),
                        name);
            }
        }
    }

    @Test
    void remoteRegions_ofAnArrayOfGreatSize() {
        Store store = FileStore.at(dir);
        long side = 1L << 33;
        ArraySpec spec = ArraySpec.of("uint8", side, 4)
                .withChunkShape(64, 2)
                .withShardShape(1 << 20, 4)
                .withFillValue(3);
        ZarrArray array = create(store, spec);
        Box far = box(at(side - 100, 1), 100, 2);
        byte[] values = new byte[200];
        new Random(1).nextBytes(values);
        array.write(far, values, 0);
        assertArrayEquals(values, again(store).read(far).bytes());
        byte[] fill = new byte[4000];
        Arrays.fill(fill, (byte) 3);
        assertArrayEquals(fill, again(store).read(box(at(side / 2, 0), 1000, 4)).bytes());
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, array::read);
        assertTrue(e.getMessage().contains(Long.toString(side)), e.getMessage());
        ZarrArray line = Zarr.createArray(
                store,
                "line",
                ArraySpec.of("int16", 8589934592L).withChunkShape(4).withShardShape(1L << 18),
                IfExists.REFUSE,
                ZarrOptions.defaults());
        line.write(range(8589934590L, 8589934592L), new short[] {7, 8}, 0);
        assertArrayEquals(
                new short[] {0, 7, 8},
                line.read(range(8589934589L, 8589934592L)).shorts());
        assertThrows(IndexOutOfBoundsException.class, () -> line.read(range(8589934590L, 8589934593L)));
    }

    @Test
    void callersArrays_areWrittenToFromAPlaceOn_andNowhereElse() {
        ZarrArray array = create(
                MemoryStore.create(),
                ArraySpec.of("int32", 8, 8).withChunkShape(2, 2).withShardShape(4, 4));
        int[] all = new int[64];
        Arrays.setAll(all, i -> i);
        array.write(array.domain(), all, 0);
        int[] mine = new int[20];
        Arrays.fill(mine, -7);
        array.readInto(mine, 3, box(at(2, 3), 3, 4));
        int[] expected = new int[20];
        Arrays.fill(expected, -7);
        for (int i = 0; i < 12; i++) {
            expected[3 + i] = (2 + i / 4) * 8 + 3 + i % 4;
        }
        assertArrayEquals(expected, mine);
        array.write(box(at(0, 0), 1, 2), mine, 3);
        assertArrayEquals(new int[] {19, 20}, array.read(box(at(0, 0), 1, 2)).ints());
        assertThrows(RuntimeException.class, () -> array.readInto(mine, 9, box(at(2, 3), 3, 4)));
        assertThrows(RuntimeException.class, () -> array.write(box(at(2, 3), 3, 4), mine, 9));
    }

    @Test
    void callersMistakes_areNamed() {
        ZarrArray array = create(
                MemoryStore.create(),
                ArraySpec.of("uint16", 8, 8).withChunkShape(2, 2).withShardShape(4, 4));
        for (Box wrong : new Box[] {
            box(at(0, 0), 9, 1),
            box(at(-1, 0), 2, 2),
            box(at(0), 1),
            box(at(0, 0, 0), 1, 1, 1),
            box(at(Long.MAX_VALUE - 1, 0), 1, 1)
        }) {
            assertThrows(IndexOutOfBoundsException.class, () -> array.read(wrong), wrong::toString);
            assertThrows(IndexOutOfBoundsException.class, () -> array.readAsync(wrong), wrong::toString);
            assertThrows(IndexOutOfBoundsException.class, () -> array.innerChunks(wrong), wrong::toString);
            assertThrows(
                    IndexOutOfBoundsException.class, () -> array.write(wrong, new short[1000], 0), wrong::toString);
        }
        for (Object carrier : new Object[] {new boolean[64], new byte[128], new Object(), new String[64]}) {
            assertThrows(IllegalArgumentException.class, () -> array.readInto(carrier, 0, array.domain()));
            assertThrows(IllegalArgumentException.class, () -> array.write(array.domain(), carrier, 0));
        }
        NdArray read = array.read();
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, read::bytes);
        assertTrue(e.getMessage().contains("uint16") && e.getMessage().contains("short[]"), e.getMessage());
        assertThrows(IllegalArgumentException.class, () -> array.write(box(at(0, 0), 2, 2), read));
        IllegalArgumentException multiple = assertThrows(
                IllegalArgumentException.class,
                () -> Zarr.createArray(
                        MemoryStore.create(),
                        "",
                        ArraySpec.of("int8", 100, 100).withChunkShape(8, 8).withShardShape(32, 30),
                        IfExists.REFUSE,
                        ZarrOptions.defaults()));
        assertTrue(
                multiple.getMessage().contains("dimension 1")
                        && multiple.getMessage().contains("24 or 32"),
                multiple.getMessage());
    }
}
