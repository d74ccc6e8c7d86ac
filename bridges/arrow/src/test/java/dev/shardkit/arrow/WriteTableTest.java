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
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.store.memory.MemoryStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ObjIntConsumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Streams of Arrow as arrays: round trips, batches of any size, nulls, refusals. */
class WriteTableTest {
    private static final ColumnArrayLayout SMALL =
            (column, spec) -> spec.withChunkShape(5).withShardShape(20);

    private final BufferAllocator allocator = new RootAllocator();
    private final ZarrGroup group = group();

    private static ZarrGroup group() {
        return Zarr.createGroup(MemoryStore.create(), "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
    }

    /** Fails if a reader kept memory. */
    @AfterEach
    void close() {
        group.close();
        allocator.close();
    }

    /** A stream with a single column, in batches of 7 rows. */
    private ArrowReader stream(FieldType type, int rows, ObjIntConsumer<FieldVector> set) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Schema schema = new Schema(List.of(new Field("x", type, List.of())), Map.of("title", "t"));
        try (VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
                ArrowStreamWriter writer = new ArrowStreamWriter(root, null, bytes)) {
            for (int done = 0; done < rows; done += 7) {
                int count = Math.min(7, rows - done);
                root.allocateNew();
                for (int i = 0; i < count; i++) {
                    if (done + i != 3 || !type.isNullable()) {
                        set.accept(root.getVector(0), i + (done << 8));
                    }
                }
                root.setRowCount(count);
                writer.writeBatch();
            }
        }
        return new ArrowStreamReader(new ByteArrayInputStream(bytes.toByteArray()), allocator);
    }

    private static void setInt(FieldVector vector, int at) {
        ((IntVector) vector).setSafe(at & 255, (at >> 8) + (at & 255));
    }

    private ZarrArray written(ArrowReader reader, ColumnArrayLayout layout, Nulls nulls) throws IOException {
        try (reader) {
            ZarrTable.write(reader, group, layout, nulls);
        }
        return group.array("x");
    }

    @Test
    void batchesOfAnySize_becomeShards() throws IOException {
        FieldType type = new FieldType(false, new ArrowType.Int(32, true), null, Map.of("units", "m"));
        ZarrArray array = written(stream(type, 45, WriteTableTest::setInt), SMALL, Nulls.REFUSE);
        int[] values = array.read().ints();
        assertEquals(45, values.length);
        for (int i = 0; i < 45; i++) {
            assertEquals(i, values[i]);
        }
        assertArrayEquals(new long[] {20}, array.storedChunkShape());
        assertEquals(Json.of("m"), array.attributes().get("units").orElseThrow());
        assertEquals(Map.of("title", "t"), ZarrTable.of(reopened()).schema().getCustomMetadata());
    }

    /** The group with the attributes that are stored now. */
    private ZarrGroup reopened() {
        return group.changeAttributes(attributes -> attributes);
    }

    @Test
    void emptyStream_makesEmptyColumns() throws IOException {
        FieldType type = new FieldType(false, new ArrowType.Int(32, true), null);
        ZarrArray array = written(stream(type, 0, WriteTableTest::setInt), ColumnArrayLayout.DEFAULT, Nulls.REFUSE);
        assertArrayEquals(new long[] {0}, array.shape());
        try (ArrowReader reader = ZarrTable.of(reopened()).reader(allocator)) {
            assertFalse(reader.loadNextBatch());
        }
    }

    @Test
    void nulls_areRefusedOrTheFillValue() throws IOException {
        FieldType type = new FieldType(true, new ArrowType.Int(32, true), null);
        ColumnArrayLayout minus = (column, spec) -> spec.withChunkShape(4).withFillValue(-1);
        try (ArrowReader reader = stream(type, 9, WriteTableTest::setInt)) {
            ZarrGroup other = group();
            String message = assertThrows(IllegalArgumentException.class, () -> ZarrTable.write(reader, other))
                    .getMessage();
            assertTrue(message.contains("row 3 is null"), message);
        }
        try (ArrowReader reader = stream(type, 9, WriteTableTest::setInt)) {
            ZarrGroup other = group();
            String message = assertThrows(
                            IllegalArgumentException.class,
                            () -> ZarrTable.write(reader, other, ColumnArrayLayout.DEFAULT, Nulls.FILL_VALUE))
                    .getMessage();
            assertTrue(message.contains("row 0 is not null"), message);
        }
        ZarrArray array = written(stream(type, 9, WriteTableTest::setInt), minus, Nulls.FILL_VALUE);
        assertArrayEquals(new int[] {0, 1, 2, -1, 4, 5, 6, 7, 8}, array.read().ints());
    }

    @Test
    void times_keepNullsAndZone() throws IOException {
        FieldType type = new FieldType(true, new ArrowType.Timestamp(TimeUnit.NANOSECOND, "Europe/Berlin"), null);
        ZarrArray array = written(
                stream(type, 5, (vector, at) -> ((TimeStampVector) vector).setSafe(at & 255, at)), SMALL, Nulls.REFUSE);
        assertEquals("numpy.datetime64", array.dataType().name());
        assertArrayEquals(new long[] {0, 1, 2, Long.MIN_VALUE, 4}, array.read().longs());
        ZarrTable table = ZarrTable.of(reopened());
        assertEquals(type.getType(), table.schema().findField("x").getType());
        try (ArrowReader reader =
                stream(new FieldType(false, type.getType(), null), 1, (vector, at) -> ((TimeStampVector) vector)
                        .setSafe(0, Long.MIN_VALUE))) {
            ZarrGroup other = group();
            assertThrows(IllegalArgumentException.class, () -> ZarrTable.write(reader, other));
        }
    }

    @Test
    void texts_ofBothSizes_areStrings() throws IOException {
        FieldType type = new FieldType(true, new ArrowType.LargeUtf8(), null);
        ZarrArray array = written(
                stream(type, 5, (vector, at) -> ((LargeVarCharVector) vector)
                        .setSafe(at & 255, ("v" + (at & 255)).getBytes())),
                SMALL,
                Nulls.FILL_VALUE);
        assertArrayEquals(
                new String[] {"v0", "v1", "v2", "", "v4"}, array.read().strings());
        FieldType plain = new FieldType(false, new ArrowType.Utf8(), null);
        try (ArrowReader reader =
                stream(plain, 1, (vector, at) -> ((VarCharVector) vector).setSafe(0, new byte[] {(byte) 0xff}))) {
            ZarrGroup other = group();
            String message = assertThrows(IllegalArgumentException.class, () -> ZarrTable.write(reader, other))
                    .getMessage();
            assertTrue(message.contains("row 0 is not UTF-8"), message);
        }
    }

    @Test
    void columnsWithoutDataType_areRefused_beforeAnythingIsWritten() throws IOException {
        FieldType type = new FieldType(false, new ArrowType.Date(DateUnit.DAY), null);
        try (ArrowReader reader = stream(type, 0, (vector, at) -> {})) {
            String message = assertThrows(UnsupportedException.class, () -> ZarrTable.write(reader, group))
                    .getMessage();
            assertTrue(message.contains("column \"x\": Zarr has no data type for Date(DAY)"), message);
            assertTrue(group.children().isEmpty());
        }
        FieldType number = new FieldType(false, new ArrowType.Int(32, true), null);
        try (ArrowReader reader = stream(number, 0, (vector, at) -> {})) {
            ColumnArrayLayout other = (column, spec) -> ArraySpec.of("int8", 0);
            assertThrows(IllegalArgumentException.class, () -> ZarrTable.write(reader, group, other, Nulls.REFUSE));
        }
    }

    @Test
    void everyType_roundTrips() throws IOException {
        Random random = new Random(8);
        int rows = 53;
        String[] types = {
            "bool",
            "int8",
            "uint8",
            "int16",
            "uint16",
            "int32",
            "uint32",
            "int64",
            "uint64",
            "float16",
            "float32",
            "float64",
            "raw",
            "string",
            "variable_length_bytes"
        };
        for (String type : types) {
            try (ZarrArray array =
                    group.createArray("z" + type, spec(type, rows).withChunkShape(9), IfExists.REFUSE)) {
                array.write(array.domain(), random(array, random), 0);
            }
        }
        ZarrGroup copy = group();
        try (ArrowReader reader = ZarrTable.of(group).withBatchRows(10).reader(allocator)) {
            ZarrTable.write(reader, copy, SMALL, Nulls.REFUSE);
        }
        for (String type : types) {
            assertEquals(group.array("z" + type).read(), copy.array("z" + type).read(), type);
        }
    }

    private static ArraySpec spec(String type, int rows) {
        return type.equals("raw") ? ArraySpec.of(CoreTypes.rawBytes(3).json(), rows) : ArraySpec.of(type, rows);
    }

    private static Object random(ZarrArray array, Random random) {
        Object values = array.read().array();
        int n = java.lang.reflect.Array.getLength(values);
        for (int i = 0; i < n; i++) {
            if (values instanceof boolean[] booleans) {
                booleans[i] = random.nextBoolean();
            } else if (values instanceof byte[] bytes) {
                bytes[i] = (byte) random.nextInt();
            } else if (values instanceof short[] shorts) {
                shorts[i] = (short) random.nextInt(0x7c00);
            } else if (values instanceof int[] ints) {
                ints[i] = random.nextInt();
            } else if (values instanceof long[] longs) {
                longs[i] = random.nextLong();
            } else if (values instanceof float[] floats) {
                floats[i] = random.nextFloat();
            } else if (values instanceof double[] doubles) {
                doubles[i] = random.nextDouble();
            } else if (values instanceof String[] strings) {
                strings[i] = "\u00e4".repeat(random.nextInt(4)) + i;
            } else {
                ((byte[][]) values)[i] = new byte[random.nextInt(5)];
            }
        }
        return values;
    }
}
