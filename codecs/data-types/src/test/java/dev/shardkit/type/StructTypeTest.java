package dev.shardkit.type;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.testkit.extension.LoadedExtensions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records: fields, fill values in both forms, and what is refused. */
class StructTypeTest {
    private static final StructType POINT =
            StructType.of("x", CoreTypes.FLOAT32).with("y", CoreTypes.FLOAT64);
    private static final StructType RECORD = StructType.of("id", CoreTypes.INT32)
            .with("flag", CoreTypes.BOOL)
            .with("point", POINT)
            .with("name", ExtensionTypes.fixedLengthUtf32(2));

    private static Json json(String text) {
        return JsonReader.read(text, Limits.defaults());
    }

    private static DataType parse(String json) {
        return new LoadedExtensions().dataType(json(json), "/data_type");
    }

    @Test
    void fields_lieWithoutGaps() {
        assertEquals(4 + 1 + 12 + 8, RECORD.elementSize().orElseThrow());
        assertEquals(
                List.of(0, 4, 5, 17),
                RECORD.fields().stream().map(f -> f.offset()).toList());
    }

    @Test
    void metadata_readsBack() {
        assertEquals(RECORD, parse(RECORD.json().toString()));
        assertEquals("struct", RECORD.name());
        assertNotEquals(RECORD, POINT);
    }

    @Test
    void fillValue_hasAMemberForEachField() {
        Json json = json("{\"id\": -2, \"flag\": true, \"point\": {\"x\": 0.5, \"y\": \"NaN\"}, \"name\": \"ab\"}");
        FillValue fill = RECORD.parseFill(json);
        assertEquals(
                -2, ByteBuffer.wrap(fill.bytes()).order(ByteOrder.LITTLE_ENDIAN).getInt());
        assertEquals(1, fill.byteAt(4));
        assertEquals(fill, RECORD.parseFill(RECORD.formatFill(fill)));
        assertTrue(RECORD.defaultFill().isZero());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"x\": 1}",
                "{\"x\": 1, \"y\": 2, \"z\": 3}",
                "{\"x\": \"one\", \"y\": 2}",
                "[1, 2]",
                "\"AAAAAAAAAAAAAAAA\"",
                "null"
            })
    void otherFillValues_areRefused(String json) {
        MetadataException e = assertThrows(MetadataException.class, () -> POINT.parseFill(json(json)));
        assertTrue(e.getMessage().contains("fill_value"), e.getMessage());
    }

    /** As zarr-python 3.1.6 writes it. */
    @Test
    void structured_keepsItsForms() {
        DataType legacy = parse("{\"name\": \"structured\", \"configuration\": {\"fields\": "
                + "[[\"x\", \"float32\"], [\"y\", \"float64\"]]}}");
        assertEquals(POINT, legacy);
        FillValue fill = legacy.parseFill(Json.of("AACAPwAAAAAAAABA"));
        assertEquals(json("{\"x\": 1.0, \"y\": 2.0}"), POINT.formatFill(fill));
        assertEquals(Json.of("AACAPwAAAAAAAABA"), legacy.formatFill(fill));
        assertEquals(POINT.formatFill(fill), legacy.show(fill));
        assertEquals(
                "{\"fields\":[[\"x\",\"float32\"],[\"y\",\"float64\"]]}",
                legacy.configuration().toString().replace(" ", ""));
        assertThrows(MetadataException.class, () -> legacy.parseFill(Json.of("AAAA")));
        assertThrows(MetadataException.class, () -> legacy.parseFill(Json.of("*")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"fields\": []}",
                "{\"fields\": {}}",
                "{\"fields\": [\"x\"]}",
                "{\"fields\": [[\"x\", \"int8\"]]}",
                "{\"fields\": [{\"name\": \"x\"}]}",
                "{\"fields\": [{\"name\": \"\", \"data_type\": \"int8\"}]}",
                "{\"fields\": [{\"name\": 1, \"data_type\": \"int8\"}]}",
                "{\"fields\": [{\"name\": \"x\", \"data_type\": \"string\"}]}",
                "{\"fields\": [{\"name\": \"x\", \"data_type\": \"int8\"}, {\"name\": \"x\", \"data_type\": \"int8\"}]}",
                "{\"fields\": [{\"name\": \"x\", \"data_type\": \"r8000000000\"}, "
                        + "{\"name\": \"y\", \"data_type\": \"r8000000000\"}, "
                        + "{\"name\": \"z\", \"data_type\": \"r8000000000\"}]}"
            })
    void otherConfigurations_areRefused(String configuration) {
        assertThrows(
                MetadataException.class,
                () -> parse("{\"name\": \"struct\", \"configuration\": " + configuration + "}"));
    }

    /** A hostile document may have as many fields as it has room for. */
    @Test
    @Timeout(60)
    void manyFields_takeNoLongerEach() {
        int count = 50_000;
        StringJoiner fields = new StringJoiner(", ");
        StringJoiner values = new StringJoiner(", ");
        for (int i = 0; i < count; i++) {
            fields.add("{\"name\": \"" + i + "\", \"data_type\": \"int8\"}");
            values.add("\"" + i + "\": 1");
        }
        DataType type = parse("{\"name\": \"struct\", \"configuration\": {\"fields\": [" + fields + "]}}");
        FillValue fill = type.parseFill(json("{" + values + "}"));
        assertEquals(count, fill.size());
        assertEquals(count, ((Json.Obj) type.formatFill(fill)).members().size());
    }

    @Test
    void invalidField_isNamed() {
        byte[] record = new byte[25];
        record[4] = 2; // no bool
        Elements stored = Elements.Fixed.of(RECORD, ByteBuffer.wrap(record), ByteOrder.LITTLE_ENDIAN);
        CorruptDataException e = assertThrows(CorruptDataException.class, () -> RECORD.check(RECORD.canonical(stored)));
        assertTrue(e.getMessage().startsWith("field \"flag\": "), e.getMessage());
    }

    @Test
    void unusedBits_areSetAsTheFieldWritesThem() {
        StructType type = StructType.of("a", CoreTypes.INT8).with("b", ExtensionTypes.UINT4);
        Elements clean = Elements.Fixed.of(type, ByteBuffer.wrap(new byte[] {-1, 7, 0, 1}), ByteOrder.LITTLE_ENDIAN);
        assertSame(clean, type.canonical(clean));
        Elements stored =
                Elements.Fixed.of(type, ByteBuffer.wrap(new byte[] {-1, 0x27, 0, 1}), ByteOrder.LITTLE_ENDIAN);
        ByteBuffer canonical = ((Elements.Fixed) type.canonical(stored)).bytes();
        assertEquals(ByteBuffer.wrap(new byte[] {-1, 7, 0, 1}), canonical);
    }
}
