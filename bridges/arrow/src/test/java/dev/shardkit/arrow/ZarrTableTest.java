package dev.shardkit.arrow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.memory.MemoryStore;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Arrays as columns: types, batches, nulls, metadata, and groups that are no tables. */
class ZarrTableTest {
    private final BufferAllocator allocator = new RootAllocator();
    private final ZarrGroup group =
            Zarr.createGroup(MemoryStore.create(), "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());

    /** Fails if a reader kept memory. */
    @AfterEach
    void close() {
        group.close();
        allocator.close();
    }

    private void column(String name, ArraySpec spec, Object values) {
        try (ZarrArray array = group.createArray(name, spec, IfExists.REFUSE)) {
            array.write(array.domain(), values, 0);
        }
    }

    private static Json time(String name, String unit, int factor) {
        return Json.extension(name, Json.object().with("unit", Json.of(unit)).with("scale_factor", Json.of(factor)));
    }

    private String show(ZarrTable table) throws IOException {
        StringBuilder text = new StringBuilder();
        try (ArrowReader reader = table.reader(allocator)) {
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            while (reader.loadNextBatch()) {
                for (int i = 0; i < root.getRowCount(); i++) {
                    text.append(root.getVector(0).getObject(i)).append(' ');
                }
                text.append("| ");
            }
        }
        return text.toString().strip();
    }

    @Test
    void integers_keepSizeAndSign() throws IOException {
        column("a", ArraySpec.of("int8", 3), new byte[] {-1, 0, 7});
        column("b", ArraySpec.of("uint16", 3), new short[] {-1, 0, 7});
        column("c", ArraySpec.of("uint32", 3), new int[] {-1, 0, 7});
        column("d", ArraySpec.of("int64", 3), new long[] {Long.MIN_VALUE, 0, 7});
        assertEquals(
                "[a: Int(8, true) not null, b: Int(16, false) not null, c: Int(32, false) not null,"
                        + " d: Int(64, true) not null]",
                ZarrTable.of(group).schema().getFields().toString());
        assertEquals("-1 0 7 |", show(ZarrTable.of(group, "a")));
        assertEquals("\uffff \0 \7 |", show(ZarrTable.of(group, "b")));
        assertEquals("-9223372036854775808 0 7 |", show(ZarrTable.of(group, "d")));
    }

    @Test
    void otherTypes_areRead() throws IOException {
        column("bool", ArraySpec.of("bool", 3), new boolean[] {true, false, true});
        column("half", ArraySpec.of("float16", 3), new short[] {0x3c00, 0, 0});
        column("float", ArraySpec.of("float32", 3), new float[] {0.5f, Float.NaN, -1});
        column("text", ArraySpec.of("string", 3), new String[] {"a", "", "\u00fc\ud83d\ude00"});
        Json utf32 = Json.extension("fixed_length_utf32", Json.object().with("length_bytes", Json.of(12)));
        column("fixed", ArraySpec.of(utf32, 3), new String[] {"a", "", "\u00fc\ud83d\ude00"});
        column("raw", ArraySpec.of("r16", 3), new byte[] {1, 2, 3, 4, 5, 6});
        column("bytes", ArraySpec.of("variable_length_bytes", 3), new byte[][] {{1}, {}, {2, 3}});
        column("time", ArraySpec.of(time("numpy.datetime64", "ms", 1), 3), new long[] {1, Long.MIN_VALUE, -1});
        column("span", ArraySpec.of(time("numpy.timedelta64", "s", 1), 3), new long[] {1, Long.MIN_VALUE, -1});
        assertEquals("true false true |", show(ZarrTable.of(group, "bool")));
        assertEquals("0.5 NaN -1.0 |", show(ZarrTable.of(group, "float")));
        assertEquals("a  \u00fc\ud83d\ude00 |", show(ZarrTable.of(group, "text")));
        assertEquals("a  \u00fc\ud83d\ude00 |", show(ZarrTable.of(group, "fixed")));
        assertEquals("1970-01-01T00:00:00.001 null 1969-12-31T23:59:59.999 |", show(ZarrTable.of(group, "time")));
        assertEquals("PT1S null PT-1S |", show(ZarrTable.of(group, "span")));
        try (ArrowReader reader = ZarrTable.of(group, "raw", "bytes", "half").reader(allocator)) {
            assertTrue(reader.loadNextBatch());
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            assertArrayEquals(new byte[] {5, 6}, (byte[]) root.getVector("raw").getObject(2));
            assertArrayEquals(
                    new byte[] {2, 3}, (byte[]) root.getVector("bytes").getObject(2));
            assertEquals((short) 0x3c00, root.getVector("half").getObject(0));
            assertFalse(reader.loadNextBatch());
        }
    }

    @Test
    void batches_areShardsOrChosen() throws IOException {
        short[] values = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        column("a", ArraySpec.of("int16", 10).withChunkShape(2).withShardShape(4), values);
        assertEquals("0 1 2 3 | 4 5 6 7 | 8 9 |", show(ZarrTable.of(group)));
        assertEquals("0 1 2 3 4 5 6 | 7 8 9 |", show(ZarrTable.of(group).withBatchRows(7)));
        assertEquals(10, ZarrTable.of(group).rows());
        assertThrows(IllegalArgumentException.class, () -> ZarrTable.of(group).withBatchRows(0));
    }

    @Test
    void fillValues_areNullOnRequest() throws IOException {
        column("a", ArraySpec.of("int16", 5).withChunkShape(2).withFillValue(-1), new short[] {-1, 0, 5, -1, -1});
        column("b", ArraySpec.of("bool", 5), new boolean[] {true, false, true, true, true});
        column("c", ArraySpec.of("string", 5), new String[] {"", "x", "", "", ""});
        assertEquals("-1 0 | 5 -1 | -1 |", show(ZarrTable.of(group, "a")));
        assertEquals("null 0 | 5 null | null |", show(ZarrTable.of(group, "a").withNulls(Nulls.FILL_VALUE)));
        assertEquals("true null true true true |", show(ZarrTable.of(group, "b").withNulls(Nulls.FILL_VALUE)));
        assertEquals("null x null null null |", show(ZarrTable.of(group, "c").withNulls(Nulls.FILL_VALUE)));
        Field field =
                ZarrTable.of(group, "a").withNulls(Nulls.FILL_VALUE).schema().findField("a");
        assertTrue(field.isNullable());
    }

    @Test
    void stringAttributes_areMetadata() {
        ArraySpec spec = ArraySpec.of("int8", 1)
                .withAttributes(Json.object().with("units", Json.of("m")).with("scale", Json.of(2)));
        column("a", spec, new byte[1]);
        ZarrGroup titled = group.replaceAttributes(Json.object().with("title", Json.of("t")));
        ZarrTable table = ZarrTable.of(titled);
        assertEquals(Map.of("title", "t"), table.schema().getCustomMetadata());
        assertEquals(Map.of("units", "m"), table.schema().findField("a").getMetadata());
    }

    @Test
    void groupsThatAreNoTables_areRefused() {
        assertThrows(IllegalArgumentException.class, () -> ZarrTable.of(group));
        column("a", ArraySpec.of("int8", 3), new byte[3]);
        column("plane", ArraySpec.of("int8", 3, 3), new byte[9]);
        assertEquals(
                List.of("a"),
                ZarrTable.of(group).schema().getFields().stream()
                        .map(Field::getName)
                        .toList());
        String message = assertThrows(IllegalArgumentException.class, () -> ZarrTable.of(group, "a", "plane"))
                .getMessage();
        assertTrue(message.contains("expected a column of 3 rows, like a, found shape [3, 3]"), message);
        column("b", ArraySpec.of("int8", 4), new byte[4]);
        assertThrows(IllegalArgumentException.class, () -> ZarrTable.of(group));
        column("c", ArraySpec.of("complex64", 3), new float[6]);
        column("d", ArraySpec.of(time("numpy.datetime64", "ms", 5), 3), new long[3]);
        column("e", ArraySpec.of(time("numpy.datetime64", "D", 1), 3), new long[3]);
        column("f", ArraySpec.of("bfloat16", 3), new short[3]);
        for (String name : List.of("c", "d", "e", "f")) {
            UnsupportedException refused = assertThrows(UnsupportedException.class, () -> ZarrTable.of(group, name));
            assertTrue(refused.getMessage().contains("Arrow has no type"), refused.getMessage());
        }
    }

    @Test
    void closedGroup_isAnErrorAndKeepsNoMemory() throws IOException {
        column("a", ArraySpec.of("int8", 3), new byte[3]);
        column("b", ArraySpec.of("int8", 3), new byte[3]);
        ZarrTable table = ZarrTable.of(group);
        table.columns().get(1).close();
        try (ArrowReader reader = table.reader(allocator)) {
            assertThrows(IllegalStateException.class, reader::loadNextBatch);
        }
    }
}
