package dev.shardkit.metadata;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetadataReaderTest {
    static final MetadataReader READER = new MetadataReader(TestPlugins.registry(), Limits.defaults());

    /** A legal document with members set to other JSON; {@code -} as the JSON removes the member. */
    static Json.Obj array(String... changes) {
        Map<String, Json> members = new LinkedHashMap<>(((Json.Obj) json("""
        {"zarr_format": 3, "node_type": "array", "shape": [4, 6], "data_type": "uint8",
         "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 3]}},
         "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
         "fill_value": 7, "codecs": [{"name": "bytes"}]}""")).members());
        for (int i = 0; i < changes.length; i += 2) {
            if (changes[i + 1].equals("-")) {
                members.remove(changes[i]);
            } else {
                members.put(changes[i], json(changes[i + 1]));
            }
        }
        return new Json.Obj(members);
    }

    static Json json(String text) {
        return JsonDocuments.read(text, Limits.defaults());
    }

    static ArrayMetadata read(String... changes) {
        return (ArrayMetadata) READER.read(array(changes));
    }

    private static List<String> names(ArrayMetadata a) {
        return a.codecs().codecs().stream().map(Codec::name).toList();
    }

    @Test
    void array_minimal_isRead() {
        ArrayMetadata a = read();
        assertArrayEquals(new long[] {4, 6}, a.shape());
        assertEquals("uint8", a.dataType().name());
        assertEquals(FillValue.of(new byte[] {7}), a.fillValue());
        assertArrayEquals(new long[] {2, 2}, a.chunkGrid().gridShape());
        assertEquals("c/1/0", a.chunkKeyEncoding().encode(new long[] {1, 0}));
        assertEquals(List.of("bytes"), names(a));
        assertEquals(Json.object(), a.attributes());
        assertEquals(Optional.empty(), a.dimensionNames());
        assertEquals(List.of(), a.ignoredCodecs());
    }

    @Test
    void array_shortHandNames_areRead() {
        ArrayMetadata a = read(
                "chunk_key_encoding", "\"default\"", "codecs", "[\"bytes\"]", "data_type", "{\"name\": \"uint8\"}");
        assertEquals(List.of("bytes"), names(a));
        assertEquals("default", a.chunkKeyEncoding().name());
    }

    @Test
    void array_optionalMembers_areRead() {
        ArrayMetadata a = read(
                "attributes",
                "{\"x\": 1.10, \"y\": [1e400, -0.0]}",
                "dimension_names",
                "[\"y\", null]",
                "storage_transformers",
                "[\"same-keys\"]",
                "com.example",
                "{\"must_understand\": false, \"n\": [1]}",
                "codecs",
                "[{\"name\": \"endian\", \"configuration\": {\"endian\": \"big\"}}, "
                        + "{\"name\": \"level\", \"configuration\": {\"level\": 9}, \"must_understand\": true}]");
        assertEquals("{\"x\":1.10,\"y\":[1e400,-0.0]}", a.attributes().toString());
        assertEquals(Optional.of(List.of(Optional.of("y"), Optional.empty())), a.dimensionNames());
        assertEquals("same-keys", a.storageTransformers().get(0).name());
        assertEquals(
                "{\"com.example\":{\"must_understand\":false,\"n\":[1]}}",
                a.otherMembers().toString());
        assertEquals(List.of("bytes", "level"), names(a));
    }

    @Test
    void dimensionNames_null_isNoNames() {
        assertEquals(Optional.empty(), read("dimension_names", "null").dimensionNames());
    }

    @Test
    void array_ofNoDimensionsOrOfLengthZero_isRead() {
        assertEquals(
                0,
                read(
                                "shape",
                                "[]",
                                "chunk_grid",
                                "{\"name\":\"regular\",\"configuration\":{\"chunk_shape\":[]}}",
                                "dimension_names",
                                "[]")
                        .rank());
        assertArrayEquals(new long[] {0, 2}, read("shape", "[0, 6]").chunkGrid().gridShape());
        assertArrayEquals(
                new long[] {Long.MAX_VALUE - 1, Long.MAX_VALUE - 1},
                read("shape", "[9223372036854775806, 9223372036854775806]").shape());
    }

    @Test
    void codec_unknownButIgnorable_isSkippedAndRemembered() {
        ArrayMetadata a = read(
                "codecs",
                "[{\"name\": \"nest\", \"configuration\": {\"chunk_shape\": [1, 3], \"codecs\": "
                        + "[\"bytes\", {\"name\": \"inner.hint\", \"must_understand\": false}]}}, "
                        + "{\"name\": \"outer.hint\", \"configuration\": {\"a\": 1}, \"must_understand\": false}]");
        assertEquals(List.of("nest"), names(a));
        assertEquals(List.of("inner.hint", "outer.hint"), a.ignoredCodecs());
    }

    @Test
    void codec_knownAndIgnorable_isUsed() {
        ArrayMetadata a = read(
                "codecs",
                "[\"bytes\", {\"name\": \"level\", \"configuration\": {\"level\": 1}, "
                        + "\"must_understand\": false}]");
        assertEquals(List.of("bytes", "level"), names(a));
        assertEquals(List.of(), a.ignoredCodecs());
        assertThrows(
                MetadataException.class,
                () -> read(
                        "codecs",
                        "[\"bytes\", {\"name\": \"level\", \"configuration\": "
                                + "{\"level\": 10}, \"must_understand\": false}]"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zarr_format",
                "node_type",
                "shape",
                "data_type",
                "chunk_grid",
                "chunk_key_encoding",
                "fill_value"
            })
    void array_withoutAMandatoryMember_isRefused(String member) {
        MetadataException e = assertThrows(MetadataException.class, () -> read(member, "-"));
        assertEquals("/" + member + ": is required, but missing", e.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "zarr_format | 4 | /zarr_format",
                "zarr_format | \"3\" | /zarr_format",
                "zarr_format | 3.0 | /zarr_format",
                "node_type | \"Array\" | /node_type",
                "node_type | null | /node_type",
                "shape | 4 | /shape",
                "shape | {} | /shape",
                "shape | [4, -1] | /shape/1",
                "shape | [4.0, 6] | /shape/0",
                "shape | [4, 6e0] | /shape/1",
                "shape | [4, \"6\"] | /shape/1",
                "shape | [4, null] | /shape/1",
                "shape | [4, 9223372036854775808] | /shape/1",
                "shape | [4] | /chunk_grid",
                "shape | [4, 6, 1] | /chunk_grid",
                "data_type | 8 | /data_type",
                "data_type | null | /data_type",
                "data_type | \"Uint8\" | /data_type",
                "data_type | \"\" | /data_type",
                "data_type | {} | /data_type/name",
                "data_type | {\"name\": \"uint8\", \"must_understand\": false} | /data_type/must_understand",
                "data_type | {\"name\": \"uint8\", \"must_understand\": 1} | /data_type/must_understand",
                "data_type | {\"name\": \"uint8\", \"configuration\": []} | /data_type/configuration",
                "data_type | {\"name\": \"uint8\", \"configuration\": null} | /data_type/configuration",
                "data_type | {\"name\": \"uint8\", \"configuration\": {\"a\": 1}} | /data_type/configuration/a",
                "data_type | {\"name\": \"uint8\", \"extra\": 1} | /data_type/extra",
                "chunk_grid | [2, 3] | /chunk_grid",
                "chunk_grid | \"regular\" | /chunk_grid",
                "chunk_grid | {\"configuration\": {\"chunk_shape\": [2, 3]}} | /chunk_grid/name",
                "chunk_grid | {\"name\": \"regular\", \"configuration\": {\"chunk_shape\": [2, 0]}} | /chunk_grid",
                "chunk_grid | {\"name\": \"regular\", \"configuration\": {\"chunk_shape\": [2]}} | /chunk_grid",
                "chunk_grid | {\"name\": \"regular\", \"configuration\": {\"chunk_shape\": [2, 3]}, \"must_understand\": "
                        + "false} | /chunk_grid/must_understand",
                "chunk_key_encoding | 1 | /chunk_key_encoding",
                "chunk_key_encoding | {\"name\": \"default\", \"configuration\": {\"separator\": \"-\"}} | /chunk_key_encoding",
                "chunk_key_encoding | {\"name\": \"default\", \"must_understand\": false} | /chunk_key_encoding/must_understand",
                "fill_value | 256 | /fill_value",
                "fill_value | -1 | /fill_value",
                "fill_value | 1.5 | /fill_value",
                "fill_value | \"NaN\" | /fill_value",
                "codecs | {} | /codecs",
                "codecs | \"bytes\" | /codecs",
                "codecs | [null] | /codecs/0",
                "codecs | [[\"bytes\"]] | /codecs/0",
                "codecs | [\"bytes\", \"bytes\"] | /codecs",
                "codecs | [{\"name\": \"level\", \"configuration\": {\"level\": 1}}, \"bytes\"] | /codecs",
                "codecs | [\"bytes\", {\"name\": \"level\", \"configuration\": {\"level\": 10}}] | /codecs/1/configuration/level",
                "codecs | [\"bytes\", \"level\"] | /codecs/1/configuration/level",
                "codecs | [\"bytes\", {\"name\": \"level\", \"configuration\": {\"level\": 1, \"x\": 1}}] "
                        + "| /codecs/1/configuration/x",
                "codecs | [\"bytes\", \"broken\"] | /codecs/1",
                "codecs | [{\"name\": \"nest\", \"configuration\": {\"chunk_shape\": [2, 2], \"codecs\": [\"bytes\"]}}] "
                        + "| /codecs",
                "codecs | [{\"name\": \"nest\", \"configuration\": {\"chunk_shape\": [2], \"codecs\": [\"bytes\"]}}] | /codecs",
                "codecs | [{\"name\": \"nest\", \"configuration\": {\"chunk_shape\": [1, 1], \"codecs\": []}}] | /codecs/0",
                "codecs | [{\"name\": \"nest\", \"configuration\": {\"chunk_shape\": [1, 1], \"codecs\": [1]}}] "
                        + "| /codecs/0/configuration/codecs/0",
                "attributes | [] | /attributes",
                "attributes | null | /attributes",
                "dimension_names | \"yx\" | /dimension_names",
                "dimension_names | [\"y\"] | /dimension_names",
                "dimension_names | [\"y\", \"x\", \"t\"] | /dimension_names",
                "dimension_names | [\"y\", 1] | /dimension_names/1",
                "storage_transformers | {} | /storage_transformers",
                "storage_transformers | [1] | /storage_transformers/0",
                "extra | {\"must_understand\": \"false\"} | /extra/must_understand",
            })
    void array_withABadMember_isRefusedWithItsPointer(String member, String value, String pointer) {
        MetadataException e = assertThrows(MetadataException.class, () -> read(member, value));
        assertTrue(e.getMessage().startsWith(pointer), e.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "zarr_format | 2 | /zarr_format: Zarr v2",
                "zarr_format | \"https://purl.org/zarr/spec/protocol/core/3.0\" | /zarr_format: the drafts",
                "data_type | \"uint7\" | /data_type: data type \"uint7\" is unknown; the nearest of ",
                "chunk_grid | \"hexagonal\" | /chunk_grid: chunk grid \"hexagonal\" is unknown; known are regular",
                "chunk_key_encoding | \"fancy\" "
                        + "| /chunk_key_encoding: chunk key encoding \"fancy\" is unknown; known are default, v2",
                "codecs | [\"bytes\", \"https://example.com/codec\"] "
                        + "| /codecs/1: codec \"https://example.com/codec\" is unknown; known are ",
                "codecs | [\"bytes\", {\"name\": \"hint\", \"must_understand\": true}] | /codecs/1: codec \"hint\" is unknown",
                "storage_transformers | [{\"name\": \"sharding\"}] "
                        + "| /storage_transformers/0: storage transformer \"sharding\" is unknown",
                "storage_transformers | [{\"name\": \"sharding\", \"must_understand\": false}] | /storage_transformers/0",
                "extra | 1 | /extra: unknown member",
                "extra | {\"must_understand\": true} | /extra: unknown member",
                "consolidated_metadata | {} | /consolidated_metadata: unknown member",
            })
    void array_thatNeedsWhatIsNotThere_isUnsupported(String member, String value, String message) {
        UnsupportedException e = assertThrows(UnsupportedException.class, () -> read(member, value));
        assertTrue(e.getMessage().startsWith(message), e.getMessage());
    }

    @Test
    void codecs_thatDoNotFitTheType_areRefusedAtOnce() {
        for (String shape : List.of("[4, 6]", "[0, 6]", "[0, 0]")) {
            MetadataException e =
                    assertThrows(MetadataException.class, () -> read("data_type", "\"uint16\"", "shape", shape));
            assertEquals("/codecs: endian is required", e.fact());
        }
        MetadataException e = assertThrows(
                MetadataException.class,
                () -> read(
                        "chunk_grid",
                        "{\"name\":\"regular\","
                                + "\"configuration\":{\"chunk_shape\":[9223372036854775807, 9223372036854775807]}}"));
        assertTrue(e.getMessage().startsWith("/c"), e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "3", "null", "\"zarr\""})
    void document_thatIsNoObject_isRefused(String text) {
        MetadataException e =
                assertThrows(MetadataException.class, () -> READER.read(text.getBytes(StandardCharsets.UTF_8)));
        assertTrue(e.getMessage().startsWith("the document: expected an object"), e.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "0.0 ; 0",
                "-0.0 ; 0",
                "1.0 ; 1",
                "200.00 ; 200",
            })
    void fillValue_ofIntegers_mayHaveAFractionOfZeros(String stated, String fill) {
        ArrayMetadata a = read("fill_value", stated);
        assertEquals(
                "/fill_value: " + stated + " is read as the integer " + fill,
                a.remarks().get(0));
        Json.Obj written = MetadataWriter.document(a);
        assertEquals(fill, written.get("fill_value").orElseThrow().toString());
        assertEquals(List.of(), ((ArrayMetadata) READER.read(written)).remarks());
    }

    @Test
    void fillValue_ofNumbers_mayBeNull() {
        ArrayMetadata a = read("fill_value", "null");
        assertEquals(List.of("/fill_value: null is read as 0"), a.remarks());
        assertEquals("0", a.dataType().formatFill(a.fillValue()).toString());
    }

    /** GDAL takes a number for the value of missing pixels, so a change of other members keeps null. */
    @Test
    void fillValueThatIsNull_isWrittenBack() {
        ArrayMetadata a = read("fill_value", "null");
        ArrayMetadata changed = a.withAttributes(Json.object().with("a", Json.of(1)));
        for (ArrayMetadata same : List.of(a, changed, a.withShape(a.shape()))) {
            assertEquals(
                    "null",
                    MetadataWriter.document(same)
                            .get("fill_value")
                            .orElseThrow()
                            .toString());
        }
        ArrayMetadata copy = read().toBuilder().fillValueOf(a).build();
        assertEquals(a, copy);
        ArrayMetadata zero = a.toBuilder().fillValue(a.fillValue()).build();
        assertEquals(
                "0",
                MetadataWriter.document(zero).get("fill_value").orElseThrow().toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.5", "256.0", "1e0", "1e999", "1e-999", "\"0\"", "true"})
    void fillValue_thatIsNoIntegerOfTheType_isRefused(String stated) {
        assertThrows(MetadataException.class, () -> read("fill_value", stated));
    }

    @Test
    void codecBytes_mayBeMissing_inArraysOfNumbers() {
        String level = "{\"name\":\"level\",\"configuration\":{\"level\":1}}";
        assertEquals(List.of("bytes", "level"), names(read("codecs", "[" + level + "]")));
        for (String codecs : List.of("-", "[]")) {
            ArrayMetadata a = read("codecs", codecs);
            assertEquals(List.of("bytes"), names(a));
            assertTrue(a.remarks().get(0).startsWith("/codecs: the codec bytes is missing"), "" + a.remarks());
            assertEquals(
                    json("[{\"name\":\"bytes\"}]"),
                    MetadataWriter.document(a).get("codecs").orElseThrow());
        }
        ArrayMetadata wide = read("codecs", "[]", "data_type", "\"uint16\"");
        assertTrue(MetadataWriter.document(wide).toString().contains("\"endian\":\"little\""), "" + wide);
        assertThrows(
                MetadataException.class, () -> read("codecs", "[]", "data_type", "\"string\"", "fill_value", "\"\""));
        assertThrows(
                MetadataException.class, () -> read("codecs", "-", "data_type", "\"string\"", "fill_value", "\"\""));
    }
}
