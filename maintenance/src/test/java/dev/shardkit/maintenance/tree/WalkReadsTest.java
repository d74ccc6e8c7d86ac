package dev.shardkit.maintenance.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.source.OtherFormatSearch;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.ForwardingStore;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A walk over a group reads the root's document only a few times, because with consolidated metadata that document
 * names all nodes. It opens the documents of each node, and looks for those of other formats, a few times too.
 */
class WalkReadsTest {
    private static final int GROUPS = 10;
    private static final int ARRAYS = 20;

    private final MemoryStore memory = MemoryStore.create();
    private final AtomicInteger rootReads = new AtomicInteger();
    /** How often each key was opened, whether it exists or not. */
    private final Map<String, Integer> opens = new ConcurrentHashMap<>();

    private final Counted store = new Counted();

    /** Counts the reads of the root's document, and the opened keys. */
    private final class Counted extends ForwardingStore implements LocalReads {
        Counted() {
            super(memory);
        }

        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public Optional<ObjectSnapshot> open(String key) throws IOException {
            opens.merge(key, 1, Integer::sum);
            Optional<ObjectSnapshot> found = ((LocalReads) memory.reads()).open(key);
            return key.equals("zarr.json") ? found.map(this::counted) : found;
        }

        private ObjectSnapshot counted(ObjectSnapshot snapshot) {
            return new ObjectSnapshot() {
                @Override
                public String version() {
                    return snapshot.version();
                }

                @Override
                public long size() {
                    return snapshot.size();
                }

                @Override
                public void read(long offset, ByteBuffer into) throws IOException {
                    rootReads.incrementAndGet();
                    snapshot.read(offset, into);
                }

                @Override
                public void close() throws IOException {
                    snapshot.close();
                }
            };
        }
    }

    @BeforeEach
    void writeTree() {
        ZarrOptions options = ZarrOptions.defaults();
        ZarrGroup root = Zarr.createGroup(memory, "", Json.object(), IfExists.REFUSE, options);
        for (int g = 0; g < GROUPS; g++) {
            for (int a = 0; a < ARRAYS; a++) {
                root.createArray("g" + g + "/a" + a, ArraySpec.of("int8", 2).withChunkShape(2), IfExists.REFUSE);
            }
        }
        root.consolidate();
        rootReads.set(0);
    }

    private static int walk(ZarrNode node) {
        assertEquals(List.of(), node.otherFormats());
        int nodes = 1;
        if (node instanceof ZarrGroup group) {
            for (ZarrNode child : group.children().values()) {
                nodes += walk(child);
            }
        }
        return nodes;
    }

    @Test
    void walkThatAsksForOtherFormats_readsTheRootTwice() {
        ZarrNode root = Zarr.find(store, "", ZarrOptions.defaults()).orElseThrow();
        assertEquals(1 + GROUPS + GROUPS * ARRAYS, walk(root));
        assertTrue(rootReads.get() <= 2, "reads of the root: " + rootReads); // to open it, and once for all nodes
    }

    private static Map<String, List<String>> otherFormats(ZarrNode node, OtherFormatSearch search) {
        Map<String, List<String>> found = new HashMap<>();
        search.beside(node).forEach(format -> found.put(node.path(), List.of(format)));
        if (node instanceof ZarrGroup group) {
            group.children().values().forEach(child -> found.putAll(otherFormats(child, search)));
        }
        return found;
    }

    @Test
    void searchForOtherFormats_looksOnceInTheFoldersAbove_andFindsWhatEachNodeHas() throws IOException {
        BlockingStore.to(memory)
                .put(
                        "g3/a4/attributes.json",
                        Content.of(Bytes.of("{}".getBytes(StandardCharsets.UTF_8))),
                        Durability.NONE);
        ZarrNode root = Zarr.find(store, "", ZarrOptions.defaults()).orElseThrow();
        assertEquals(Map.of("g3/a4", List.of("n5")), otherFormats(root, new OtherFormatSearch()));
        assertEquals(2, opens.get("attributes.json"), "of the root: for the root itself, and once for all others");
        for (int g = 0; g < GROUPS; g++) {
            assertTrue(opens.get("g" + g + "/attributes.json") <= 2, opens::toString);
        }
    }

    @Test
    void verification_opensTheDocumentOfEachArray_fourTimes() {
        Verification.of(Zarr.openGroup(store, "", ZarrOptions.defaults())).run(finding -> {});
        // To see whether it exists, for each of two walks; to open it; to see whether it has changed at the end.
        assertEquals(4, opens.get("g3/a4/zarr.json"));
    }

    @Test
    void folderThatIsNoNode_readsTheRootOnce_howeverManyThereAre() throws IOException {
        ZarrGroup root = Zarr.openGroup(store, "", ZarrOptions.defaults());
        rootReads.set(0);
        for (int i = 0; i < ARRAYS; i++) {
            assertEquals(Optional.empty(), root.find("none" + i));
        }
        assertTrue(rootReads.get() <= 1, "reads of the root: " + rootReads);
    }

    @Test
    void verification_readsTheRootAFewTimes() {
        Verification.Summary summary = Verification.of(Zarr.openGroup(store, "", ZarrOptions.defaults()))
                .run(finding -> {});
        assertEquals(GROUPS * ARRAYS, summary.arrays());
        assertTrue(rootReads.get() <= 4, "reads of the root: " + rootReads);
    }
}
