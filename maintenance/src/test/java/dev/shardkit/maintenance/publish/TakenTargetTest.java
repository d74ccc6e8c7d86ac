package dev.shardkit.maintenance.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.ForwardingStore;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.TestObjects;
import dev.shardkit.maintenance.convert.Conversion;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Another program removes an unfinished target: the work that makes it publishes nothing more, and says so. */
@Timeout(120)
class TakenTargetTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults().withDurability(Durability.ATOMIC);

    private enum Work {
        MISSING_ONLY,
        PARTS,
        CONVERSION
    }

    /** A store that another program empties right before the first put of a chunk, or of the document of an array. */
    private static final class Taken extends ForwardingStore {
        private final MemoryStore objects;
        private final String key;
        private final List<String> documentsAfter = new ArrayList<>();
        private boolean isTaken;

        Taken(MemoryStore objects, String key) {
            super(objects);
            this.objects = objects;
            this.key = key;
        }

        @Override
        public WriteResult putNow(String to, Content content, Condition condition, Durability durability)
                throws IOException {
            if (isTaken && to.endsWith("zarr.json")) {
                documentsAfter.add(to);
            } else if (to.equals(key) && !isTaken) {
                isTaken = true;
                objects.deleteAll("");
            }
            return super.putNow(to, content, condition, durability);
        }
    }

    private static MemoryStore source(Work work) {
        MemoryStore source = MemoryStore.create();
        if (work == Work.CONVERSION) {
            TestObjects.put(source, ".zgroup", "{\"zarr_format\":2}");
            for (String array : List.of("a", "b")) {
                TestObjects.put(
                        source,
                        array + "/.zarray",
                        "{\"zarr_format\":2,\"shape\":[32],\"chunks\":[16],\"dtype\":\"|u1\",\"compressor\":null,"
                                + "\"fill_value\":0,\"order\":\"C\",\"filters\":null}");
                for (int i = 0; i < 2; i++) {
                    TestObjects.put(source, array + "/" + i, "0123456789abcdef");
                }
            }
            return source;
        }
        Zarr.createGroup(source, "", Json.object(), IfExists.REFUSE, OPTIONS);
        for (String name : List.of("a", "b")) {
            ArraySpec spec = ArraySpec.of("uint8", 32).withChunkShape(16);
            try (ZarrArray array = Zarr.createArray(source, name, spec, IfExists.REFUSE, OPTIONS)) {
                array.write(array.domain(), "0123456789abcdef0123456789abcdef".getBytes(), 0);
            }
        }
        return source;
    }

    private static void run(Work work, Store source, Store target) throws IOException {
        if (work == Work.CONVERSION) {
            Conversion.to(source, target, OPTIONS).run(Mode.APPLY, node -> {});
            return;
        }
        Copy copy = Copy.of(Zarr.openGroup(source, "", OPTIONS));
        switch (work) {
            case MISSING_ONLY -> copy.missingOnlyTo(target, OPTIONS);
            case PARTS -> copy.inParts(target, OPTIONS).runAlone();
            default -> throw new AssertionError(work);
        }
    }

    @ParameterizedTest
    @EnumSource(Work.class)
    void takenWhileChunksAreStored_nothingIsPublished(Work work) {
        MemoryStore objects = MemoryStore.conditional("target");
        Taken target = new Taken(objects, work == Work.CONVERSION ? "a/0" : "a/c/0");
        assertTaken(work, target);
        assertTrue(Zarr.find(objects, "a", OPTIONS).isEmpty());
    }

    @ParameterizedTest
    @EnumSource(Work.class)
    void takenWhileDocumentsAreStored_noOtherIsPublished(Work work) {
        MemoryStore objects = MemoryStore.conditional("target");
        Taken target = new Taken(objects, "a/zarr.json");
        assertTaken(work, target);
        assertTrue(Zarr.find(objects, "b", OPTIONS).isEmpty());
    }

    private static void assertTaken(Work work, Taken target) {
        StoreException e = assertThrows(StoreException.class, () -> run(work, source(work), target));
        assertTrue(target.isTaken);
        assertTrue(
                e.getMessage().contains("another program has removed or replaced")
                        || e.getMessage().contains("no unfinished copy"),
                e.getMessage());
        assertEquals(List.of(), target.documentsAfter);
    }
}
