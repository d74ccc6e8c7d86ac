package dev.shardkit.metadata;

import static dev.shardkit.metadata.MetadataReaderTest.READER;
import static dev.shardkit.metadata.MetadataReaderTest.array;
import static dev.shardkit.metadata.MetadataReaderTest.json;
import static dev.shardkit.metadata.MetadataReaderTest.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents of groups, with consolidated metadata or not. */
class GroupReaderTest {
    private static final String NAMELESS = "{\"zarr_format\": 3, \"node_type\": \"group\"}";

    @Test
    void group_withAndWithoutAttributes_isRead() {
        assertEquals(GroupMetadata.of(Json.object()), READER.read(NAMELESS.getBytes(StandardCharsets.UTF_8)));
        GroupMetadata g = (GroupMetadata) READER.read(json("{\"zarr_format\":3,\"node_type\":\"group\","
                + "\"attributes\":{\"a\":1},\"consolidated_metadata\":null,\"hint\":{\"must_understand\":false}}"));
        assertEquals("{\"a\":1}", g.attributes().toString());
        assertEquals(Optional.empty(), g.consolidated());
        assertEquals("{\"hint\":{\"must_understand\":false}}", g.otherMembers().toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"shape\": [1]", "\"storage_transformers\": []", "\"extra\": {}"})
    void group_withAnUnknownMember_isUnsupported(String member) {
        assertThrows(
                UnsupportedException.class,
                () -> READER.read(json("{\"zarr_format\":3,\"node_type\":\"group\"," + member + "}")));
    }

    private static GroupMetadata consolidated(String metadata) {
        return (GroupMetadata) READER.read(json("{\"zarr_format\":3,\"node_type\":\"group\",\"consolidated_metadata\":"
                + "{\"kind\":\"inline\",\"must_understand\":false,\"metadata\":" + metadata + "}}"));
    }

    @Test
    void consolidated_nodes_areRead() {
        GroupMetadata g = consolidated("{\"a\":" + NAMELESS + ",\"a/b\":" + array() + "}");
        assertEquals(
                List.of("a", "a/b"), List.copyOf(g.consolidated().orElseThrow().keySet()));
        assertEquals(read(), g.consolidated().orElseThrow().get("a/b"));
        assertEquals(g, READER.read(MetadataWriter.write(g)));
    }

    @Test
    void consolidated_nodeThatNeedsAPlugin_harmsNoOther() {
        Json.Obj rare = array("codecs", "[\"rare\"]", "attributes", "{\"n\":1}");
        GroupMetadata g = consolidated("{\"a\":" + rare + ",\"b\":" + array() + "}");
        UnsupportedNode a = (UnsupportedNode) g.consolidated().orElseThrow().get("a");
        assertTrue(
                a.reason().getMessage().startsWith("/consolidated_metadata/metadata/a/codecs/0: codec \"rare\""),
                a.reason().getMessage());
        assertEquals("{\"n\":1}", a.attributes().toString());
        assertTrue(g.consolidated().orElseThrow().get("b") instanceof ArrayMetadata);
        assertEquals(g, READER.read(MetadataWriter.write(g)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\": 1} | /consolidated_metadata/metadata/a: ",
                "{\"a\": {}} | /consolidated_metadata/metadata/a/zarr_format: ",
                "{\"a\": {\"zarr_format\": 2}} | /consolidated_metadata/metadata/a/zarr_format: ",
                "{\"a/b\": {\"zarr_format\": 3, \"node_type\": \"array\"}} | /consolidated_metadata/metadata/a~1b/shape: ",
                "{\"\": {\"zarr_format\": 3, \"node_type\": \"group\"}} | /consolidated_metadata/metadata/: ",
                "{\"/a\": {\"zarr_format\": 3, \"node_type\": \"group\"}} | /consolidated_metadata/metadata/~1a: ",
                "{\"a//b\": {\"zarr_format\": 3, \"node_type\": \"group\"}} | /consolidated_metadata/metadata/a~1~1b: ",
                "{\"a/..\": {\"zarr_format\": 3, \"node_type\": \"group\"}} | /consolidated_metadata/metadata/a~1..: ",
                "{\"__shardkit\": {\"zarr_format\": 3, \"node_type\": \"group\"}} "
                        + "| /consolidated_metadata/metadata/__shardkit: ",
                "{\"a/zarr.json\": {\"zarr_format\": 3, \"node_type\": \"group\"}} "
                        + "| /consolidated_metadata/metadata/a~1zarr.json: ",
                "[] | /consolidated_metadata/metadata: ",
                "null | /consolidated_metadata/metadata: ",
            })
    void consolidated_badContent_isRefusedWithItsPointer(String metadata, String pointer) {
        MetadataException e = assertThrows(MetadataException.class, () -> consolidated(metadata));
        assertTrue(e.getMessage().startsWith(pointer), e.getMessage());
    }

    @Test
    void consolidated_nodeBelowAnArray_isRefused() {
        MetadataException e = assertThrows(
                MetadataException.class, () -> consolidated("{\"a/x/y\":" + NAMELESS + ",\"a\":" + array() + "}"));
        assertEquals("/consolidated_metadata/metadata/a~1x~1y: lies below an array", e.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[] | MetadataException",
                "{\"must_understand\": false, \"metadata\": {}} | MetadataException",
                "{\"kind\": 1, \"must_understand\": false, \"metadata\": {}} | MetadataException",
                "{\"kind\": \"inline\", \"must_understand\": false} | MetadataException",
                "{\"kind\": \"inline\", \"must_understand\": \"no\", \"metadata\": {}} | MetadataException",
                "{\"kind\": \"inline\", \"must_understand\": false, \"metadata\": {}, \"x\": 1} | UnsupportedException",
                "{\"kind\": \"remote\", \"must_understand\": true} | UnsupportedException",
                "{\"kind\": \"remote\"} | UnsupportedException",
            })
    void consolidated_badForm_isRefused(String value, String type) {
        ZarrException e = assertThrows(
                ZarrException.class,
                () -> READER.read(
                        json("{\"zarr_format\":3,\"node_type\":\"group\",\"consolidated_metadata\":" + value + "}")));
        assertEquals(type, e.getClass().getSimpleName());
        assertTrue(e.getMessage().startsWith("/consolidated_metadata"), e.getMessage());
    }

    @Test
    void consolidated_ofAnotherKindThatIsIgnorable_isKept() {
        String kept = "{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{},"
                + "\"consolidated_metadata\":{\"kind\":\"remote\",\"must_understand\":false}}";
        GroupMetadata g = (GroupMetadata) READER.read(json(kept));
        assertEquals(Optional.empty(), g.consolidated());
        assertEquals(json(kept), MetadataWriter.document(g));
    }
}
