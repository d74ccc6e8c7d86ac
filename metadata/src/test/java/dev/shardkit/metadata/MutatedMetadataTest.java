package dev.shardkit.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Legal documents with something wrong anywhere are read, or refused by an error of ours; nothing else escapes. */
class MutatedMetadataTest {
    private static final MetadataReader READER = new MetadataReader(TestPlugins.registry(), Limits.defaults());
    private static final String ARRAY = """
      {"zarr_format": 3, "node_type": "array", "shape": [4, 6], "data_type": "float32", "fill_value": "NaN",
       "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 3]}},
       "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
       "codecs": [{"name": "nest", "configuration": {"chunk_shape": [1, 3], "codecs":
           [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "hint", "must_understand": false}]}},
         {"name": "level", "configuration": {"level": 1}}],
       "attributes": {"a": [1, {"b": 2}]}, "dimension_names": ["y", null], "storage_transformers": ["same-keys"]}""";
    private static final String GROUP = """
      {"zarr_format": 3, "node_type": "group", "consolidated_metadata": {"kind": "inline", "must_understand": false,
       "metadata": {"a": {"zarr_format": 3, "node_type": "group"}, "a/b": %s}}}""".formatted(ARRAY);
    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "false",
            "0",
            "-1",
            "2",
            "1.5",
            "1e400",
            "-0.0",
            "9223372036854775807",
            "18446744073709551616",
            "\"\"",
            "\"a\"",
            "\"NaN\"",
            "\"0x\"",
            "\"big\"",
            "[]",
            "{}",
            "[0]",
            "[1]",
            "[[1]]",
            "[1, 1]",
            "[9223372036854775807, 9223372036854775807]",
            "[\"bytes\"]",
            "{\"name\": \"bytes\"}",
            "\"r8\"",
            "\"r0\"",
            "\"r99999999999999999999\"",
            "\"string\"",
            "\"complex128\"",
            "\"broken\"",
            "{\"name\": \"x.y\", \"must_understand\": false}");

    private final Random random = new Random(20221102);

    private static Json json(String text) {
        return JsonDocuments.read(text, Limits.defaults());
    }

    private Json anything() {
        return json(VALUES.get(random.nextInt(VALUES.size())));
    }

    private Json mutate(Json json) {
        if (json instanceof Json.Obj o && !o.members().isEmpty() && random.nextInt(12) > 0) {
            Map<String, Json> members = new LinkedHashMap<>(o.members());
            String name = List.copyOf(members.keySet()).get(random.nextInt(members.size()));
            switch (random.nextInt(10)) {
                case 0 -> members.remove(name);
                case 1 -> members.put("other", anything());
                default -> members.put(name, mutate(members.get(name)));
            }
            return new Json.Obj(members);
        } else if (json instanceof Json.Arr a && !a.items().isEmpty() && random.nextInt(8) > 0) {
            List<Json> items = new ArrayList<>(a.items());
            int i = random.nextInt(items.size());
            switch (random.nextInt(8)) {
                case 0 -> items.remove(i);
                case 1 -> items.add(i, items.get(i));
                default -> items.set(i, mutate(items.get(i)));
            }
            return new Json.Arr(items);
        }
        return anything();
    }

    @Test
    void document_mutated_isReadOrRefused() {
        List<Json> documents = List.of(json(ARRAY), json(GROUP));
        int read = 0;
        int refused = 0;
        for (int i = 0; i < 5000; i++) {
            Json document = mutate(documents.get(i % documents.size()));
            document = random.nextBoolean() ? mutate(document) : document;
            NodeMetadata node;
            try {
                node = READER.read(document);
            } catch (MetadataException | UnsupportedException e) {
                assertTrue(
                        e.getMessage().startsWith("/") || e.getMessage().startsWith("the document: "), e.getMessage());
                assertTrue(e.getMessage().length() < 600, e.getMessage());
                refused++;
                continue;
            }
            assertEquals(node, READER.read(MetadataWriter.write(node)), () -> "written otherwise than read: " + node);
            read++;
        }
        assertTrue(read > 100 && refused > 1000, read + " read, " + refused + " refused");
    }
}
