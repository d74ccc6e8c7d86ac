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
import dev.shardkit.registry.FormatChoice;
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
        COPY,
        MISSING_ONLY,
        PARTS,
        CONVERSION,
        /** A copy into another format, which has one document. */
        N5
    }

    /** A store that another program empties right before the first put of a chunk or of a document. */
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
            if (isTaken && (to.endsWith("zarr.json") || to.endsWith("attributes.json"))) {
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
        // Small arrays of a copy are made at the same time, so that one may be published right before another is taken.
        for (String name : work == Work.COPY ? List.of("a") : List.of("a", "b")) {
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
            case N5 ->
                Copy.of(Zarr.openArray(source, "a", OPTIONS)).to(target, OPTIONS.withFormats(FormatChoice.named("n5")));
            default -> copy.to(target, OPTIONS);
        }
    }

    @ParameterizedTest
    @EnumSource(Work.class)
    void takenWhileChunksAreStored_nothingIsPublished(Work work) {
        MemoryStore objects = MemoryStore.conditional("target");
        Taken target = new Taken(
                objects,
                switch (work) {
                    case CONVERSION -> "a/0";
                    case N5 -> "0";
                    default -> "a/c/0";
                });
        assertTaken(work, target);
        assertTrue(Zarr.find(objects, "a", OPTIONS).isEmpty());
    }

    @ParameterizedTest
    @EnumSource(
            value = Work.class,
            names = {"N5"},
            mode = EnumSource.Mode.EXCLUDE)
    void takenWhileDocumentsAreStored_noOtherIsPublished(Work work) {
        MemoryStore objects = MemoryStore.conditional("target");
        Taken target = new Taken(objects, "a/zarr.json");
        assertTaken(work, target);
        assertTrue(Zarr.find(objects, "b", OPTIONS).isEmpty());
    }

    /** Another program makes an array in the unfinished target, and leaves the record: its array is kept. */
    @ParameterizedTest
    @EnumSource(
            value = Work.class,
            names = {"COPY", "MISSING_ONLY", "PARTS"})
    void arrayOfAnotherProgram_isNotReplaced(Work work) {
        MemoryStore objects = MemoryStore.conditional("target");
        ArraySpec other = ArraySpec.of("uint8", 32)
                .withChunkShape(16)
                .withAttributes(Json.object().with("made", Json.of("by another program")));
        Store target = new ForwardingStore(objects) {
            @Override
            public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                    throws IOException {
                if (key.equals("a/c/0")) {
                    Zarr.createArray(objects, "a", other, IfExists.REFUSE, OPTIONS);
                }
                return super.putNow(key, content, condition, durability);
            }
        };
        assertThrows(StoreException.class, () -> run(work, source(work), target));
        assertEquals(
                Json.object().with("made", Json.of("by another program")),
                Zarr.openArray(objects, "a", OPTIONS).attributes());
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
