package dev.shardkit.spi.type;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link MissingValues} of attributes in the forms of netCDF, xarray and GDAL. */
class MissingValuesTest {
    private static final String BASE64_OF_MINUS_9 = "AAAAAAAAIsA=";

    private static MissingValues of(String type, String name, Json value) {
        return MissingValues.of(FillValueTest.type(type), Json.object().with(name, value));
    }

    @ParameterizedTest
    @CsvSource({
        "int8, -9, f7",
        "int16, -9.0, fff7",
        "int64, -9, fffffffffffffff7",
        "uint8, 255, ff",
        "uint16, 6.5535e4, ffff",
        "uint64, 18446744073709551615, ffffffffffffffff",
        "float16, -9, c880",
        "float32, 1.0000000200408773e+20, 60ad78ec",
        "float32, 1e20, 60ad78ec",
        "float64, -9, c022000000000000"
    })
    void aNumber_isAnElement(String type, String lexeme, String bits) {
        long word = Long.parseUnsignedLong(bits, 16);
        int size = FillValueTest.type(type).elementSize().orElseThrow();
        long above = size == Long.BYTES ? 0 : -1L << 8 * size;
        for (String name : List.of("_FillValue", "missing_value")) {
            for (Json value :
                    List.of(FillValueTest.number(lexeme), new Json.Arr(List.of(FillValueTest.number(lexeme))))) {
                MissingValues missing = of(type, name, value);
                assertTrue(missing.contains(word), type);
                assertTrue(missing.contains(word | above), "bits above those of the type do not count");
                assertFalse(missing.contains(word ^ 1), type);
            }
        }
    }

    @Test
    void xarraysBase64_isANumber() {
        assertTrue(of("float32", "_FillValue", Json.of(BASE64_OF_MINUS_9)).contains(Float.floatToIntBits(-9f)));
        assertTrue(of("int16", "_FillValue", Json.of(BASE64_OF_MINUS_9)).contains(-9));
    }

    @Test
    void nan_isMissing_andOtherValuesAreNot() {
        MissingValues missing = of("float32", "units", Json.of("K"));
        assertTrue(missing.contains(Float.floatToRawIntBits(Float.NaN) | 5), "any NaN");
        assertTrue(missing.containsNumber(Double.NaN));
        assertFalse(missing.contains(0));
        assertFalse(missing.containsNumber(Double.POSITIVE_INFINITY));
        assertFalse(missing.isEmpty());
    }

    @Test
    void zerosOfBothSigns_areEqual() {
        for (String zero : List.of("0.0", "-0.0")) {
            MissingValues missing = of("float32", "_FillValue", new Json.Num(zero));
            assertTrue(missing.contains(0) && missing.contains(Float.floatToRawIntBits(-0f)), zero);
            assertFalse(missing.contains(1), zero);
        }
    }

    @ParameterizedTest
    @CsvSource({"uint8, false, -1, ff", "int8, true, 255, ff", "int16, true, 65534, fffe", "uint8, false, 7, 7"})
    void theOtherSignedness_isTheSameBits(String type, String unsigned, String lexeme, String bits) {
        DataType of = FillValueTest.type(type);
        Json.Obj attributes = Json.object().with("_FillValue", new Json.Num(lexeme));
        long word = Long.parseUnsignedLong(bits, 16);
        assertTrue(MissingValues.of(of, attributes.with("_Unsigned", Json.of(unsigned)))
                .contains(word));
        assertEquals(lexeme.equals("7"), MissingValues.of(of, attributes).contains(word), "without the attribute");
    }

    /** xarray masks neither infinities nor zeros by such values. */
    @ParameterizedTest
    @CsvSource({"float32, 1e40", "float32, -1e40", "float32, 1e-50", "float16, 1e5", "float64, 1e400", "float64, 1e-400"
    })
    void numbersBeyondTheRange_areNoElements(String type, String lexeme) {
        Json.Obj attributes = Json.object()
                .with("_FillValue", new Json.Num(lexeme))
                .with("missing_value", new Json.Arr(List.of(Json.of(1), new Json.Num(lexeme))));
        DataType of = FillValueTest.type(type);
        MissingValues missing = MissingValues.of(of, attributes);
        for (double kept : new double[] {0, -0.0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
            assertFalse(missing.containsNumber(kept), lexeme + " " + kept);
        }
        assertTrue(missing.containsNumber(1));
        assertEquals(List.of("_FillValue", "missing_value"), MissingValues.ignored(of, attributes));
        assertEquals(List.of(), MissingValues.ignored(of, Json.object().with("_FillValue", new Json.Num("-Infinity"))));
    }

    @Test
    void valuesThatNoElementHas_areIgnored() {
        for (Json value :
                List.of(Json.of("none"), Json.of(300), new Json.Num("0.5"), new Json.Num("NaN"), new Json.Null())) {
            assertTrue(of("uint8", "_FillValue", value).isEmpty(), value::toString);
        }
        assertSame(MissingValues.NONE, of("complex64", "_FillValue", Json.of(0)));
        assertSame(MissingValues.NONE, of("bool", "_FillValue", Json.of(0)));
    }

    @Test
    void numbers_areThoseOfTheWords() {
        assertTrue(of("uint64", "_FillValue", FillValueTest.number("18446744073709551615"))
                .containsNumber(18446744073709551615.0));
        assertTrue(of("int8", "_FillValue", Json.of(-1)).containsNumber(-1));
        assertFalse(of("int8", "_FillValue", Json.of(-1)).containsNumber(255));
    }

    @Test
    void fillValues_areAdded() {
        DataType type = FillValueTest.type("int16");
        MissingValues both = of("int16", "_FillValue", Json.of(7)).with(type, type.parseFill(Json.of(-2)));
        assertEquals(List.of(true, true, false), List.of(both.contains(7), both.contains(-2), both.contains(0)));
    }
}
