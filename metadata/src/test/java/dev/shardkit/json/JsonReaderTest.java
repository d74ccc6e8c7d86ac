package dev.shardkit.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {
    private static final Limits LIMITS = Limits.defaults();

    private static Json read(String text) {
        return JsonReader.read(text.getBytes(StandardCharsets.UTF_8), LIMITS);
    }

    private static String refusal(byte[] document, Limits limits) {
        return assertThrows(MetadataException.class, () -> JsonReader.read(document, limits))
                .getMessage();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0",
                "-0.0",
                "1.10",
                "1e400",
                "-1E-7",
                "1e+2",
                "18446744073709551615",
                "123456789012345678901234567890.000000000000000001"
            })
    void number_anyForm_keepsItsLexeme(String lexeme) {
        assertEquals(new Json.Num(lexeme), read(lexeme));
        assertEquals(
                new Json.Arr(List.of(new Json.Num(lexeme), new Json.Num(lexeme))),
                read("[" + lexeme + "," + lexeme + " ]"));
    }

    /** The limit counts bytes of UTF-8: 1, 2, 3 and 4 for these characters. */
    @ParameterizedTest
    @ValueSource(strings = {"a", "\u00e9", "\u20ac", "\ud83d\ude00"})
    void sizeOfAText_isThatOfItsBytes(String character) {
        String text = "\"" + character.repeat(50) + "\"";
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        assertEquals(new Json.Str(character.repeat(50)), JsonReader.read(text, LIMITS.withMetadataBytes(bytes)));
        Limits less = LIMITS.withMetadataBytes(bytes - 1);
        assertThrows(MetadataException.class, () -> JsonReader.read(text, less));
    }

    @Test
    void values_ofEveryKind_areRead() {
        Json.Obj read =
                (Json.Obj) read("\t{\"b\":[true,false,null,\"\\u00e9\\n\\ud83d\\ude00\"],\"a\":{},\"\":[]}\r\n ");
        assertEquals("{\"b\":[true,false,null,\"é\\u000a\\ud83d\\ude00\"],\"a\":{},\"\":[]}", read.toString());
        assertEquals(List.of("b", "a", ""), List.copyOf(read.members().keySet()));
    }

    @Test
    void numbers_upToTheLimit_areRead() {
        String longest = "1".repeat(JsonReader.LONGEST_NUMBER);
        assertEquals(new Json.Num(longest), read(longest));
        List<String> over =
                List.of(longest + "1", "1." + longest, "-" + longest + "1", "[" + "9".repeat(100_000) + "]");
        for (String tooLong : over) {
            String message = refusal(tooLong.getBytes(StandardCharsets.UTF_8), LIMITS);
            assertTrue(message.contains("limit") && message.length() < 300, message);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[1",
                "[1,]",
                "{\"a\":1,}",
                "{\"a\"}",
                "{a:1}",
                "{'a':1}",
                "[1]]",
                "{} {}",
                "{}x",
                "nul",
                "NaN",
                "Infinity",
                "-Infinity",
                "[-INF]",
                "[+1]",
                "[.5]",
                "[5.]",
                "[01]",
                "[0x10]",
                "[1e]",
                "[1_000]",
                "\"\t\"",
                "\"\\x\"",
                "\"\\u12\"",
                "\"a",
                "// c\n1",
                "/* c */1",
                "# c\n1",
                "[1 2]",
                "[,1]",
                "undefined",
                "True",
                "\u00a01",
                "1\u0000"
            })
    void text_thatIsNoJson_isRefusedWithItsPlace(String text) {
        String message = refusal(text.getBytes(StandardCharsets.UTF_8), LIMITS);
        assertTrue(message.startsWith("not JSON: "), message);
        assertTrue(message.contains("(line ") || text.isEmpty() || text.equals(" "), message);
        assertTrue(!message.contains("`") && !message.contains("Feature"), message);
        assertThrows(MetadataException.class, () -> JsonReader.read(text, LIMITS));
    }

    @ParameterizedTest
    @CsvSource({"'{\"a\":1,\"a\":1}', /a", "'{\"x\":[{},{\"a/b\":1,\"c\":2,\"a\\u002fb\":3}]}', /x/1/a~1b"})
    void member_twice_isRefusedWithItsPointer(String text, String pointer) {
        String message = refusal(text.getBytes(StandardCharsets.UTF_8), LIMITS);
        assertTrue(message.startsWith(pointer + ": duplicate member (line 1, column "), message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "22ff22",
                "22c08022",
                "22eda08022",
                "22c322",
                "22c3",
                "22f5808080",
                "22f0908022",
                "2280",
                "22e2822822"
            })
    void bytes_thatAreNoUtf8_areRefused(String hex) {
        String message = refusal(HexFormat.of().parseHex(hex), LIMITS);
        assertTrue(message.startsWith("not JSON: invalid UTF-8 at byte "), message);
    }

    @Test
    void byteOrderMark_atTheBeginning_isSkipped() {
        assertEquals(Json.object(), read("\ufeff{}"));
        assertTrue(refusal("\ufeff\ufeff{}".getBytes(StandardCharsets.UTF_8), LIMITS)
                .startsWith("not JSON: "));
        assertTrue(refusal("\ufeff".getBytes(StandardCharsets.UTF_8), LIMITS).contains("empty"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"attributes\":{\"a\":NaN,\"b\":[Infinity,{\"c\":-Infinity}],\"d\":\"NaN\"}}",
                "{\"consolidated_metadata\":{\"metadata\":{\"a/b\":{\"attributes\":{\"c\":NaN}}}}}",
                "{\"from\":{\"attributes\":{\"c\":Infinity}}}"
            })
    void nanAndInfinities_inAttributes_areNumbers_writtenAsTheyCame(String text) {
        Json json = read(text);
        assertEquals(text, json.toString());
        assertEquals(json, read(new String(JsonPrinter.print(json), StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @CsvSource({
        "'{\"fill_value\":NaN}', /fill_value",
        "'{\"a\":[1,-Infinity],\"attributes\":{}}', /a/1",
        "'{\"attributes\":{},\"b\":{\"c\":Infinity}}', /b/c",
        "'{\"consolidated_metadata\":{\"metadata\":{\"attributes\":{\"fill_value\":NaN}}}}', "
                + "/consolidated_metadata/metadata/attributes/fill_value"
    })
    void nanAndInfinities_elsewhere_areRefusedWithTheirPlace(String text, String pointer) {
        String message = refusal(text.getBytes(StandardCharsets.UTF_8), LIMITS);
        assertTrue(message.startsWith("not JSON: " + pointer + ": expected a number, found "), message);
        assertTrue(message.contains("attributes only") && message.contains("(line 1, column "), message);
    }

    @Test
    void document_inAnotherEncoding_isRefused() {
        for (String charset : List.of("UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE")) {
            refusal("{}".getBytes(Charset.forName(charset)), LIMITS);
        }
    }

    @Test
    void nesting_upToTheLimit_isRead() {
        Limits three = LIMITS.withJsonDepth(3);
        assertEquals("[{\"a\":[1]}]", JsonReader.read("[{\"a\":[1]}]", three).toString());
        for (String deep : List.of("[[[[]]]]", "{\"a\":{\"a\":{\"a\":{}}}}", "[[[[1]]]]", "[".repeat(1_000_000))) {
            String message = refusal(deep.getBytes(StandardCharsets.UTF_8), three);
            assertTrue(message.contains("jsonDepth"), message);
        }
        refusal("[".repeat(200_000).getBytes(StandardCharsets.UTF_8), LIMITS.withJsonDepth(Integer.MAX_VALUE));
    }

    @Test
    void document_aboveTheSizeLimit_isRefused() {
        Limits ten = LIMITS.withMetadataBytes(10);
        assertEquals(Json.of("12345678"), JsonReader.read("\"12345678\"", ten));
        assertTrue(
                refusal("\"123456789\"".getBytes(StandardCharsets.UTF_8), ten).contains("metadataBytes"));
        assertTrue(assertThrows(MetadataException.class, () -> JsonReader.read("\"12345678é\"", ten))
                .getMessage()
                .contains("metadataBytes"));
    }

    @Test
    void refusal_ofALongDocument_isShort() {
        String secret = "s".repeat(1 << 20);
        for (String text : List.of(
                "{\"" + secret + "\":1,\"" + secret + "\":2}",
                secret,
                "[" + secret + "]",
                "\"" + secret,
                "{\"a\":\"" + secret + "\"} x")) {
            String message = refusal(text.getBytes(StandardCharsets.UTF_8), LIMITS);
            assertTrue(message.length() < 300, message);
        }
    }

    @Test
    void halfASurrogatePair_inAString_survivesPrinting() {
        Json half = read("{\"a\":\"a\\udc00\\u007f\\ud800\"}");
        refusal("{\"\\ud800\":1}".getBytes(StandardCharsets.UTF_8), LIMITS);
        assertEquals(half, JsonReader.read(JsonPrinter.print(half), LIMITS));
    }

    @Test
    void printer_layout_isTwoSpacesALevel() {
        Json tree = read("{\"a\":[1,2.50],\"b\":[[],{}],\"c\":{\"d\":\"é\\\"\\\\\\n\"},\"e\":[{\"f\":null}]}");
        assertEquals("""
        {
          "a": [1, 2.50],
          "b": [
            [],
            {}
          ],
          "c": {
            "d": "é\\"\\\\\\n"
          },
          "e": [
            {
              "f": null
            }
          ]
        }
        """, new String(JsonPrinter.print(tree), StandardCharsets.UTF_8));
    }
}
