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
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.ForwardingStore;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A walk over a group with consolidated metadata reads the root's document only a few times, because that document
 * names all nodes.
 */
class WalkReadsTest {
    private static final int GROUPS = 10;
    private static final int ARRAYS = 20;

    private final MemoryStore memory = MemoryStore.create();
    private final AtomicInteger rootReads = new AtomicInteger();
    private final Counted store = new Counted();

    /** Counts the reads of the root's document. */
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
