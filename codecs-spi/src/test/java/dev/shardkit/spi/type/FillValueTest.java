package dev.shardkit.spi.type;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FillValueTest {
    static DataType type(String name) {
        return CoreTypes.all().stream()
                .filter(t -> t.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static Json number(String lexeme) {
        return new Json.Num(lexeme);
    }

    private static void reads(DataType type, Json json, String littleEndianHex, String written) {
        FillValue value = type.parseFill(json);
        assertEquals(littleEndianHex, HexFormat.of().formatHex(value.bytes()));
        assertEquals(written, type.formatFill(value).toString());
        assertEquals(value, type.parseFill(type.formatFill(value)));
    }

    @ParameterizedTest
    @CsvSource({
        "int8, -128, 80",
        "int8, 127, 7f",
        "uint8, 255, ff",
        "int16, -2, feff",
        "uint16, 65535, ffff",
        "int32, -2147483648, 00000080",
        "uint32, 4294967295, ffffffff",
        "int64, 9007199254740993, 0100000000002000",
        "int64, -9223372036854775808, 0000000000000080",
        "uint64, 18446744073709551615, ffffffffffffffff"
    })
    void integers_keepEveryBit(String type, String lexeme, String bytes) {
        reads(type(type), number(lexeme), bytes, lexeme);
    }

    @ParameterizedTest
    @CsvSource({
        "int8, 128",
        "int8, -129",
        "uint8, 256",
        "uint8, -1",
        "int64, 9223372036854775808",
        "uint64, 18446744073709551616",
        "int32, 1.0",
        "int32, 1e3",
        "uint16, 100000000000000000000000000000000000000000000000"
    })
    void integers_outOfRangeOrNotIntegers_areRefused(String type, String lexeme) {
        assertThrows(MetadataException.class, () -> type(type).parseFill(number(lexeme)));
    }

    @ParameterizedTest
    @CsvSource({
        "float32, 0.1, cdcccc3d, 0.1",
        "float64, 0.1, 9a9999999999b93f, 0.1",
        "float16, 0.1, 662e, 0.1",
        "float32, 3, 00004040, 3.0",
        "float64, -0.0, 0000000000000080, -0.0",
        "float64, -0, 0000000000000080, -0.0",
        "float64, 1e-300, 59f3f8c21f6ea501, 1e-300",
        "float64, 5e-324, 0100000000000000, 5e-324",
        "float64, 8.41e21, b2909e20837e7c44, 8.41e21",
        "float64, 1E22, 92d54d06cff08044, 1e22",
        "float32, 123456790, a379eb4c, 123456790.0",
        "float16, 65504, ff7b, 65500.0",
        // binary64 first: 1 + 2^-24 is a tie and goes to even, though the decimal lies above it
        "float32, 1.00000005960464477540, 0000803f, 1.0",
        "float32, 1.0000000596046448, 0000803f, 1.0",
        "float16, 1.00048828125, 003c, 1.0",
        "float16, 1.00146484375, 023c, 1.002",
        "float16, 2.98e-8, 0000, 0.0",
        "float16, 2.99e-8, 0100, 6e-8",
        "float16, 65519.99, ff7b, 65500.0",
        "float16, 65520, 007c, '\"Infinity\"'",
        "float32, 1e39, 0000807f, '\"Infinity\"'",
        "float64, -1e400, 000000000000f0ff, '\"-Infinity\"'"
    })
    void floats_areReadAsBinary64AndRoundedHalfToEven(String type, String lexeme, String bytes, String written) {
        reads(type(type), number(lexeme), bytes, written);
    }

    @ParameterizedTest
    @CsvSource({
        "float32, NaN, 0000c07f, NaN",
        "float64, NaN, 000000000000f87f, NaN",
        "float16, NaN, 007e, NaN",
        "float32, Infinity, 0000807f, Infinity",
        "float16, -Infinity, 00fc, -Infinity",
        "float32, 0x7fc00001, 0100c07f, 0x7fc00001",
        "float32, 0x7f800001, 0100807f, 0x7f800001",
        "float32, 0xFFC00123, 2301c0ff, 0xffc00123",
        "float32, 0x7fc00000, 0000c07f, NaN",
        "float64, 0x7ff8000000000001, 010000000000f87f, 0x7ff8000000000001",
        "float16, 0x7e55, 557e, 0x7e55"
    })
    void floats_asStrings_keepEveryBit(String type, String text, String bytes, String written) {
        reads(type(type), Json.of(text), bytes, '"' + written + '"');
    }

    @ParameterizedTest
    @CsvSource({
        "float32, 0x3f80000", "float32, 0x3f8000000", "float16, 0x00007e55", "float32, 3f800000", "float32, nan",
        "float32, +Infinity", "float32, inf", "float32, '0x+f800000'", "float32, '0x 3f80000'", "float32, ''"
    })
    void floats_asOtherStrings_areRefused(String type, String text) {
        assertThrows(MetadataException.class, () -> type(type).parseFill(Json.of(text)));
    }

    @Test
    void float16_everyBitPattern_comesBackFromItsJson() {
        for (int bits = 0; bits < 1 << 16; bits++) {
            FillValue value = FillValue.of(new byte[] {(byte) bits, (byte) (bits >> 8)});
            assertEquals(value, CoreTypes.FLOAT16.parseFill(CoreTypes.FLOAT16.formatFill(value)));
            if (!Float.isNaN(Float16.toFloat((short) bits))) {
                assertEquals((short) bits, Float16.ofDouble(Float16.toFloat((short) bits)));
            }
        }
    }

    @Test
    void float16_everyTie_goesToTheEvenNeighbour() {
        for (int bits = 0; bits < 0x7c00; bits++) {
            double above = bits == 0x7bff ? 65536 : Float16.toFloat((short) (bits + 1));
            double tie = (Float16.toFloat((short) bits) + above) / 2;
            assertEquals(bits + (bits & 1), Float16.ofDouble(tie));
            assertEquals(bits, Float16.ofDouble(Math.nextDown(tie)));
            assertEquals(bits + 1, Float16.ofDouble(Math.nextUp(tie)));
        }
    }

    @Test
    void complex_isAPairOfFloatForms() {
        Json json = new Json.Arr(List.of(Json.of("0x7fc00001"), Json.of("-Infinity")));
        reads(CoreTypes.COMPLEX64, json, "0100c07f000080ff", "[\"0x7fc00001\",\"-Infinity\"]");
        Json mixed = new Json.Arr(List.of(number("-0.0"), number("1.5")));
        reads(CoreTypes.COMPLEX128, mixed, "0000000000000080000000000000f83f", "[-0.0,1.5]");
        assertThrows(MetadataException.class, () -> CoreTypes.COMPLEX64.parseFill(number("0")));
        assertThrows(MetadataException.class, () -> CoreTypes.COMPLEX64.parseFill(new Json.Arr(List.of(number("0")))));
        assertThrows(MetadataException.class, () -> CoreTypes.COMPLEX64.parseFill(new Json.Arr(List.of(json, json))));
    }

    @Test
    void bool_isTrueOrFalse_orTheNumbersThatSomeWritersPut() {
        reads(CoreTypes.BOOL, Json.of(true), "01", "true");
        reads(CoreTypes.BOOL, Json.of(false), "00", "false");
        reads(CoreTypes.BOOL, number("1"), "01", "true");
        reads(CoreTypes.BOOL, number("0"), "00", "false");
        assertThrows(MetadataException.class, () -> CoreTypes.BOOL.parseFill(number("2")));
        assertThrows(MetadataException.class, () -> CoreTypes.BOOL.parseFill(Json.of("0")));
        assertThrows(MetadataException.class, () -> CoreTypes.BOOL.parseFill(new Json.Null()));
    }

    @Test
    void string_isUtf8() {
        reads(CoreTypes.STRING, Json.of("\u00fcn\u0000"), "c3bc6e00", "\"\u00fcn\\u0000\"");
        assertThrows(MetadataException.class, () -> CoreTypes.STRING.parseFill(number("1")));
        assertThrows(MetadataException.class, () -> CoreTypes.STRING.parseFill(Json.of("a\ud800b")));
    }

    @Test
    void bytes_areAListOrBase64_writtenAsBase64() {
        reads(CoreTypes.BYTES, Json.of(new long[] {1, 2, 255}), "0102ff", "\"AQL/\"");
        reads(CoreTypes.BYTES, Json.of("AQL/"), "0102ff", "\"AQL/\"");
        reads(CoreTypes.BYTES, Json.of(""), "", "\"\"");
        assertThrows(MetadataException.class, () -> CoreTypes.BYTES.parseFill(Json.of("*")));
        assertThrows(MetadataException.class, () -> CoreTypes.BYTES.parseFill(Json.of(new long[] {256})));
        assertThrows(MetadataException.class, () -> CoreTypes.BYTES.parseFill(Json.of(new long[] {-1})));
    }

    @Test
    void rawBits_areAListOfTheirBytes_inBase64WhereZarrPythonSpellsThem() {
        reads(CoreTypes.rawBits(24), Json.of(new long[] {1, 2, 255}), "0102ff", "[1,2,255]");
        reads(CoreTypes.rawBytes(3), Json.of("AQL/"), "0102ff", "\"AQL/\"");
        reads(CoreTypes.rawBytes(3), Json.of(new long[] {1, 2, 255}), "0102ff", "\"AQL/\"");
        assertThrows(MetadataException.class, () -> CoreTypes.rawBits(24).parseFill(Json.of(new long[] {1, 2})));
        assertThrows(MetadataException.class, () -> CoreTypes.rawBits(24).parseFill(Json.of("AQL/")));
        assertThrows(MetadataException.class, () -> CoreTypes.rawBytes(3).parseFill(Json.of("AQI=")));
    }

    @Test
    void defaultFill_isZeroOrEmpty() {
        for (DataType t : CoreTypes.all()) {
            assertTrue(t.defaultFill().isZero());
            assertEquals(t.elementSize().orElse(0), t.defaultFill().size());
            assertEquals(t.defaultFill(), t.parseFill(t.formatFill(t.defaultFill())));
        }
    }

    @Test
    void formatFill_ofAnotherSize_isTheCallersMistake() {
        assertThrows(IllegalArgumentException.class, () -> CoreTypes.INT32.formatFill(FillValue.of(new byte[8])));
    }
}
