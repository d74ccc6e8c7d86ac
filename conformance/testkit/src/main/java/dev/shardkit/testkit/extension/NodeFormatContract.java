package dev.shardkit.testkit.extension;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.testkit.PlanProbe;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The contract of node formats as tests: they find their nodes and no others, return a document of Zarr v3, and refuse
 * invalid documents with a metadata error. To test a format, extend this class and supply the format and the documents
 * of a node.
 */
public abstract class NodeFormatContract {
    /** For subclasses. */
    protected NodeFormatContract() {}

    /** Returns the format. */
    protected abstract NodeFormat format();

    /** Returns the documents of a store, by key, as JSON text. */
    protected abstract Map<String, String> documents();

    /** Returns the documents of the same store that are not JSON, by key; by default none. */
    protected Map<String, byte[]> binaryDocuments() {
        return Map.of();
    }

    /** Returns the path of a node in that store. */
    protected abstract String path();

    private Map<String, byte[]> objects() {
        Map<String, byte[]> objects = new HashMap<>(binaryDocuments());
        documents().forEach((key, text) -> objects.put(key, text.getBytes(StandardCharsets.UTF_8)));
        return objects;
    }

    private Optional<NodeFormat.Node> find(Map<String, byte[]> objects) {
        return PlanProbe.over(objects).run(format().find(path(), new StoredDocuments(objects)));
    }

    /** The documents of a store in memory. */
    private record StoredDocuments(Map<String, byte[]> objects) implements NodeFormat.Documents {
        @Override
        public Plan<Optional<List<String>>> names(String prefix) {
            return Plan.done(Optional.of(objects.keySet().stream()
                    .filter(key -> key.startsWith(StoreKeys.prefix(prefix)))
                    .map(key -> StoreKeys.relative(prefix, key).replaceAll("/.*", ""))
                    .distinct()
                    .toList()));
        }

        @Override
        public Plan<Optional<Json>> read(String key) {
            return bytes(key, Limits.defaults().metadataBytes())
                    .map(found -> found.map(bytes -> JsonDocuments.read(bytes.toArray(), Limits.defaults())));
        }

        @Override
        public Plan<Optional<Bytes>> bytes(String key, long max) {
            return Source.stored(key)
                    .read(
                            ByteRange.whole(Math.min(max, Limits.defaults().metadataBytes())),
                            (answer, scratch) -> answer instanceof ReadResult.Found f
                                    ? Optional.of(Bytes.of(f.bytes().toArray()))
                                    : Optional.empty());
        }
    }

    @Test
    void serviceLoader_findsIt() {
        List<Class<?>> found = LoadedExtensions.all(NodeFormat.class).stream()
                .<Class<?>>map(Object::getClass)
                .toList();
        assertTrue(
                found.contains(format().getClass()),
                () -> format().getClass().getName() + " is not in META-INF/services/" + NodeFormat.class.getName()
                        + "; found " + found);
    }

    @Test
    void node_isFound_asADocumentOfZarrV3() {
        Json.Obj document = find(objects()).orElseThrow().document();
        assertEquals(Optional.of(Json.of(3)), document.get("zarr_format"));
        assertTrue(
                Set.of(Json.of("array"), Json.of("group"))
                        .contains(document.get("node_type").orElseThrow()),
                document::toString);
    }

    @Test
    void emptyStore_hasNoNode() {
        assertFalse(find(Map.of()).isPresent());
    }

    @Test
    void wrongDocuments_areRefusedAsMetadata_orTaken() {
        documents().forEach((key, text) -> {
            Json document = JsonDocuments.read(text, Limits.defaults());
            tryWith(key, Json.of("no object"));
            if (document instanceof Json.Obj o) {
                for (String member : o.members().keySet()) {
                    Map<String, Json> fewer = new LinkedHashMap<>(o.members());
                    fewer.remove(member);
                    tryWith(key, new Json.Obj(fewer));
                    for (Json wrong : wrongValues()) {
                        tryWith(key, o.with(member, wrong));
                    }
                }
            }
        });
    }

    /** Returns values that are wrong for most members of a document. */
    private static List<Json> wrongValues() {
        return List.of(
                new Json.Null(),
                Json.of(true),
                Json.of(-1),
                Json.of(0),
                new Json.Num("1e400"),
                new Json.Num("9223372036854775808"),
                Json.of(""),
                Json.of("x"),
                new Json.Arr(List.of()),
                new Json.Arr(List.of(Json.of(1), new Json.Null(), Json.object())),
                Json.object(),
                Json.object().with("name", Json.of(7)).with("id", new Json.Null()));
    }

    @Test
    void wrongBinaryDocuments_areRefused_orTaken() {
        binaryDocuments().forEach((key, good) -> {
            int step = Math.max(1, good.length / 256);
            for (int i = 0; i < good.length; i += step) {
                tryWith(key, Arrays.copyOf(good, i), "cut to " + i + " bytes");
                for (int bits : new int[] {0x01, 0x80, 0xff}) {
                    byte[] bad = good.clone();
                    bad[i] ^= (byte) bits;
                    tryWith(key, bad, "byte " + i + " changed");
                }
            }
            tryWith(key, Arrays.copyOf(good, good.length + 1), "one byte longer");
        });
    }

    /** Checks that a document above the limit for metadata is refused instead of read. */
    @Test
    void binaryDocuments_areBounded() {
        binaryDocuments().forEach((key, good) -> {
            Map<String, byte[]> objects = objects();
            objects.put(
                    key, Arrays.copyOf(good, Math.toIntExact(Limits.defaults().metadataBytes() + 1)));
            assertThrows(CorruptDataException.class, () -> find(objects), key);
        });
    }

    /** Replaces a document, and checks that the format finds a node or none, or throws a declared error. */
    private void tryWith(String key, Json document) {
        tryWith(key, document.toString().getBytes(StandardCharsets.UTF_8), document.toString());
    }

    private void tryWith(String key, byte[] document, String description) {
        Map<String, byte[]> objects = objects();
        objects.put(key, document);
        try {
            find(objects);
        } catch (MetadataException | UnsupportedException e) {
            assertFalse(e.fact().isBlank(), () -> "no message: " + key + " " + description);
        } catch (CorruptDataException e) {
            assertTrue(binaryDocuments().containsKey(key), () -> "no MetadataException: " + key + " " + description);
        } catch (RuntimeException e) {
            fail("expected a declared error for " + key + " " + description, e);
        }
    }
}
