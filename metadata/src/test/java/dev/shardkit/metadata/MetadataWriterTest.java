package dev.shardkit.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MetadataWriterTest {
    private static final MetadataReader READER = new MetadataReader(TestPlugins.registry(), Limits.defaults());

    private static ArrayMetadata read(String text) {
        return (ArrayMetadata) READER.read(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String written(NodeMetadata node) {
        return new String(MetadataWriter.write(node), StandardCharsets.UTF_8);
    }

    @Test
    void array_shortHand_isWrittenInTheLongForm() {
        ArrayMetadata a = read("""
        {"codecs": [{"name": "endian", "configuration": {"endian": "little"}},
           {"name": "level", "configuration": {"level": 5}}],
         "chunk_key_encoding": "v2", "node_type": "array", "zarr_format": 3, "fill_value": "0x7fc00001",
         "storage_transformers": [],
         "data_type": {"name": "float32", "configuration": {}}, "shape": [10],
         "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}, "must_understand": true}}""");
        assertEquals("""
        {
          "zarr_format": 3,
          "node_type": "array",
          "shape": [10],
          "data_type": "float32",
          "chunk_grid": {
            "name": "regular",
            "configuration": {
              "chunk_shape": [4]
            }
          },
          "chunk_key_encoding": {
            "name": "v2",
            "configuration": {
              "separator": "."
            }
          },
          "fill_value": "0x7fc00001",
          "codecs": [
            {
              "name": "bytes",
              "configuration": {
                "endian": "little"
              }
            },
            {
              "name": "level",
              "configuration": {
                "level": 5
              }
            }
          ],
          "attributes": {}
        }
        """, written(a));
        assertEquals(a, read(written(a)));
    }

    private static final String FOREIGN = """
      {"zarr_format": 3, "node_type": "array", "shape": [2], "data_type": "int8", "fill_value": -1,
       "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2]}}, "chunk_key_encoding": "default",
       "codecs": ["bytes", {"name": "rare.hint", "configuration": {"q": 1.0}, "must_understand": false},
         {"name": "level", "configuration": {"level": 3}, "must_understand": false}],
       "attributes": {"old": true}, "storage_transformers": ["same-keys"], "dimension_names": [null],
       "com.example": {"must_understand": false, "big": 1e999}}""";

    @Test
    void attributes_changed_loseNothingElse() {
        ArrayMetadata a = read(FOREIGN);
        Json.Obj attributes = (Json.Obj)
                JsonDocuments.read("{\"scale\": 1.10, \"n\": -0.0, \"é\": [18446744073709551616]}", Limits.defaults());
        Json.Obj document = MetadataWriter.document(a.withAttributes(attributes));
        assertEquals(JsonDocuments.read("""
        {"zarr_format": 3, "node_type": "array", "shape": [2], "data_type": "int8",
         "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2]}},
         "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}}, "fill_value": -1,
         "codecs": [{"name": "bytes"}, {"name": "rare.hint", "configuration": {"q": 1.0}, "must_understand": false},
           {"name": "level", "configuration": {"level": 3}, "must_understand": false}],
         "attributes": {"scale": 1.10, "n": -0.0, "é": [18446744073709551616]},
         "storage_transformers": [{"name": "same-keys"}], "dimension_names": [null],
         "com.example": {"must_understand": false, "big": 1e999}}""", Limits.defaults()).toString(), document.toString());
        ArrayMetadata again = (ArrayMetadata) READER.read(document);
        assertEquals(List.of("rare.hint"), again.ignoredCodecs());
        assertEquals(attributes, again.attributes());
    }

    @Test
    void builder_defaults_areThoseOfTheSpecification() {
        ArrayMetadata a = read(FOREIGN);
        ArrayMetadata plain = ArrayMetadata.builder(
                        a.shape(), a.dataType(), a.chunkGrid(), a.chunkKeyEncoding(), a.codecs())
                .build();
        assertEquals(Optional.of(Json.of(0)), MetadataWriter.document(plain).get("fill_value"));
        assertEquals(Optional.empty(), MetadataWriter.document(plain).get("dimension_names"));
        assertEquals(Optional.empty(), MetadataWriter.document(plain).get("storage_transformers"));
        ArrayMetadata.Builder wrongRank =
                ArrayMetadata.builder(new long[] {2, 2}, a.dataType(), a.chunkGrid(), a.chunkKeyEncoding(), a.codecs());
        assertThrows(MetadataException.class, wrongRank::build);
        assertThrows(
                MetadataException.class,
                () -> a.toBuilder().dimensionNames(List.of()).build());
    }

    @Test
    void group_withConsolidatedNodes_isWritten() {
        GroupMetadata g = GroupMetadata.of(Json.object().with("a", Json.of(1)))
                .withConsolidated(java.util.Map.of("x", GroupMetadata.of(Json.object())));
        assertEquals("""
        {
          "zarr_format": 3,
          "node_type": "group",
          "attributes": {
            "a": 1
          },
          "consolidated_metadata": {
            "kind": "inline",
            "must_understand": false,
            "metadata": {
              "x": {
                "zarr_format": 3,
                "node_type": "group",
                "attributes": {}
              }
            }
          }
        }
        """, written(g));
    }
}
