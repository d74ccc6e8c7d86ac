package dev.shardkit.maintenance.publish;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.ForwardingStore;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.Part;
import dev.shardkit.maintenance.RepairStep;
import dev.shardkit.maintenance.TestObjects;
import dev.shardkit.maintenance.check.Finding;
import dev.shardkit.maintenance.check.Repair;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.maintenance.layout.ShardLayout;
import dev.shardkit.maintenance.relayout.Relayout;
import dev.shardkit.maintenance.relayout.Replacement;
import dev.shardkit.maintenance.relayout.StoppingStore;
import dev.shardkit.session.publication.PublicationRecord;
import dev.shardkit.session.publication.PublicationRecord.Step;
import dev.shardkit.session.publication.WorkKind;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The record of unfinished work: each node has at most one, for all kinds of work. */
class PublicationRecordTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();
    private static final int[] NUMBERS = IntStream.range(0, 12).toArray();

    @TempDir
    Path dir;

    private final MemoryStore store = MemoryStore.create();
    private final Publication publication = Publication.at(store, "");

    private ZarrArray array() {
        return array("");
    }

    private ZarrArray array(String path) {
        return array(store, path);
    }

    private static ZarrArray array(Store store, String path) {
        ZarrArray array = Zarr.createArray(
                store, path, ArraySpec.of("int32", 12).withChunkShape(3).withFillValue(-1), IfExists.REFUSE, OPTIONS);
        array.write(array.domain(), NUMBERS, 0);
        return array;
    }

    private static PublicationRecord record(WorkKind work) {
        return PublicationRecord.started(work, "s", Json.object());
    }

    private void mark(PublicationRecord record) {
        publication.write(record, Durability.ATOMIC);
    }

    private Optional<PublicationRecord> stored() {
        return publication.record();
    }

    @ParameterizedTest
    @EnumSource(
            value = WorkKind.class,
            names = {"PARTED_COPY", "MOVED_ARRAY", "UNKNOWN"},
            mode = EnumSource.Mode.EXCLUDE)
    void record_isReadAsItWasWritten(WorkKind work) {
        for (Step step : Step.values()) {
            PublicationRecord record = record(work).with(step).with("more", Json.of(List.of("a", "b")));
            mark(record);
            assertEquals(Optional.of(record), stored());
            assertTrue(record.print().contentEquals(stored().orElseThrow().print()));
            assertEquals(step == Step.STAGING, publication.held(work, "s").isPresent(), step.toString());
            assertFalse(publication.held(work, "t").isPresent());
        }
        mark(PublicationRecord.started(work, "", Json.object()));
        assertFalse(publication.held(work, "").isPresent(), "without a source it is never resumed");
    }

    @Test
    void recordOfDocumentsThatAreAsDeepAsAllowed_isRead() {
        Json deep = Json.of(1);
        for (int i = 0; i < Limits.defaults().jsonDepth(); i++) {
            deep = new Json.Arr(List.of(deep));
        }
        PublicationRecord record = record(WorkKind.RELAYOUT).with("arrays", deep);
        mark(record);
        assertEquals(Optional.of(record), stored());
    }

    @ParameterizedTest
    @EnumSource(
            value = WorkKind.class,
            names = {"COPY", "PYRAMID", "IMPORT", "CONVERSION", "CONCATENATION", "MOVING_CONCATENATION", "REPLACEMENT"})
    void otherWork_isRefused_untilItHasEnded(WorkKind work) {
        mark(record(work));
        PublicationRecord before = stored().orElseThrow();
        for (WorkKind other : List.of(WorkKind.RELAYOUT, WorkKind.COPY, WorkKind.IMPORT)) {
            if (other != work) {
                StoreException e = assertThrows(StoreException.class, () -> publication.recordRefusingOthers(other));
                assertTrue(e.getMessage().contains(work.text()), e.getMessage());
                assertTrue(e.getMessage().contains(work.advice()), e.getMessage());
                publication.end(other);
                assertEquals(Optional.of(before), stored(), "it belongs to the other work");
            }
        }
        publication.end(work);
        assertEquals(Optional.empty(), stored());
    }

    /** The caller removes what the run has left, but only if the record is its own. */
    @Test
    void recordWhosePutFailsAfterItWasStored_isThatOfTheRun() {
        MemoryStore objects = MemoryStore.conditional("objects");
        Destination destination = Destination.of(new ForwardingStore(objects) {
            @Override
            public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                    throws IOException {
                super.putNow(key, content, condition, durability);
                throw new IOException("the answer is lost");
            }
        });
        assertThrows(StoreException.class, () -> destination.begin("s", Durability.ATOMIC));
        assertTrue(destination.isHeld());
        objects.deleteAll("");
        assertFalse(destination.isHeld());
    }

    @Test
    void pyramidInAGroup_keepsItsRecord_besideAReplacementAndACopy() {
        Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, OPTIONS);
        Zarr.createArray(store, "a", ArraySpec.of("int32", 12).withChunkShape(3), IfExists.REFUSE, OPTIONS);
        Destination.of(store).ofPyramidBeside("a").begin("s", Durability.ATOMIC);
        Optional<PublicationRecord> before = stored();
        StoreException e = assertThrows(
                StoreException.class, () -> Replacement.begin(store, List.of("a"), new long[] {12}, OPTIONS));
        assertTrue(e.getMessage().contains("an unfinished pyramid"), e.getMessage());
        assertThrows(StoreException.class, () -> Destination.of(store).begin("s", Durability.ATOMIC));
        assertFalse(Replacement.settle(store, OPTIONS));
        Destination.of(store).finish(OPTIONS);
        assertEquals(before, stored());
        List<Finding> findings = new ArrayList<>();
        Verification.of(Zarr.openGroup(store, "", OPTIONS)).run(findings::add);
        assertTrue(findings.toString().contains("shardkit pyramid memory:/a"), findings::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "g/a"})
    void replacement_isNamed_andNotMixedWithAChangeOfLayout(String path) {
        array(path);
        if (!path.isEmpty()) {
            array("other");
        }
        Relayout change = Relayout.of(Zarr.openArray(store, path, OPTIONS), ShardLayout.chunksPerShard(2));
        try (Replacement replacement = Replacement.begin(store, List.of(path), new long[] {12}, OPTIONS)) {
            StoreException e = assertThrows(StoreException.class, () -> change.run(Mode.APPLY, reported -> {}));
            assertTrue(e.getMessage().contains("an unfinished replacement"), e.getMessage());
            assertTrue(Replacement.isRunning(store, replacement.id()));
            for (String at : path.isEmpty() ? List.of(path) : List.of(path, "other")) {
                ZarrArray array = Zarr.openArray(store, at, OPTIONS);
                List<Finding> findings = new ArrayList<>();
                Verification.of(array).run(findings::add);
                assertEquals(at.equals(path), findings.toString().contains("a replacement of all"), findings::toString);
                assertEquals(at.equals(path), Repair.unfinished(array).isPresent(), at);
            }
        }
        assertArrayEquals(NUMBERS, Zarr.openArray(store, path, OPTIONS).read().ints());
        change.run(Mode.APPLY, reported -> {});
        assertTrue(Zarr.openArray(store, path, OPTIONS).isSharded());
    }

    /** An array can be opened as a store of its own, which has not the record of the store around it. */
    @ParameterizedTest
    @ValueSource(strings = {"a", "g/a"})
    void replacement_isSeenFromTheArrayAlone(String path) {
        try (Store folder = Zarr.openStore(dir.toString(), OPTIONS);
                Store below = Zarr.openStore(dir.resolve(path).toString(), OPTIONS)) {
            array(folder, path);
            Replacement replacement = Replacement.begin(folder, List.of(path), new long[] {12}, OPTIONS);
            ZarrArray next = Zarr.openArray(folder, path, replacement.arrays().get(path), OPTIONS);
            int[] elements = IntStream.range(100, 112).toArray();
            next.write(next.domain(), elements, 0);

            ZarrArray alone = Zarr.openArray(below, "", OPTIONS);
            String named = Repair.unfinished(alone).orElse("none");
            assertTrue(named.contains("whose record is in " + folder.describe() + ": end it there"), named);
            List<Finding> findings = new ArrayList<>();
            Verification.of(alone).run(findings::add);
            assertTrue(findings.toString().contains(named), findings::toString);
            Relayout change = Relayout.of(alone, ShardLayout.chunksPerShard(2));
            for (Mode mode : Mode.values()) {
                StoreException e = assertThrows(StoreException.class, () -> change.run(mode, reported -> {}));
                assertTrue(e.getMessage().contains("an unfinished replacement"), e.getMessage());
            }
            List<RepairStep> steps = new ArrayList<>();
            Repair.of(alone).droppingStrays().run(Mode.APPLY, steps::add);
            assertTrue(steps.stream().allMatch(step -> step.kind() == RepairStep.Kind.LEFT), steps::toString);
            assertEquals(2, steps.size(), steps::toString);
            assertEquals(named, steps.get(0).reason());
            assertTrue(steps.get(1).reason().startsWith("stray chunks cannot be deleted"), steps::toString);
            StoreException e = assertThrows(StoreException.class, () -> Replacement.settle(below, OPTIONS));
            assertTrue(e.getMessage().contains("whose record is in " + folder.describe()), e.getMessage());
            e = assertThrows(
                    StoreException.class, () -> Replacement.begin(below, List.of(""), new long[] {12}, OPTIONS));
            assertTrue(e.getMessage().contains("whose record is in " + folder.describe()), e.getMessage());

            replacement.commit();
            assertArrayEquals(
                    elements, Zarr.openArray(below, "", OPTIONS).read().ints());
            assertEquals(Optional.empty(), Repair.unfinished(Zarr.openArray(below, "", OPTIONS)));
        }
    }

    /** The record names another array too, so a repair of one array must leave the new chunks of this one. */
    @Test
    void repairOfOneArray_keepsTheChunksOfAReplacementOfTwo() {
        array("a");
        array("b");
        Replacement replacement = Replacement.begin(store, List.of("a", "b"), new long[] {12}, OPTIONS);
        int[] elements = IntStream.range(100, 112).toArray();
        replacement.arrays().forEach((path, metadata) -> {
            ZarrArray next = Zarr.openArray(store, path, metadata, OPTIONS);
            next.write(next.domain(), elements, 0);
        });
        List<RepairStep> steps = new ArrayList<>();
        Repair.of(Zarr.openArray(store, "a", OPTIONS)).droppingStrays().run(Mode.APPLY, steps::add);
        assertTrue(steps.toString().contains("a replacement of all elements was not committed"), steps::toString);
        replacement.commit();
        for (String path : List.of("a", "b")) {
            assertArrayEquals(
                    elements, Zarr.openArray(store, path, OPTIONS).read().ints(), path);
        }
    }

    /**
     * A replacement that was stopped before it marked an array has no chunks there, but a later change may have some.
     */
    @Test
    void replacementWithoutItsMark_leavesTheArrayToOtherWork() {
        array("a");
        Store stopping = new StoppingStore(store, 1);
        assertThrows(StoreException.class, () -> Replacement.begin(stopping, List.of("a"), new long[] {12}, OPTIONS));
        assertTrue(stored().isPresent());
        TestObjects.put(store, "a/0", "of a change of layout");
        TestObjects.put(store, "a/c.0", "of a change of layout");
        assertTrue(Replacement.settle(store, OPTIONS));
        assertEquals(Optional.empty(), stored());
        assertEquals("of a change of layout", new String(TestObjects.get(store, "a/0"), StandardCharsets.UTF_8));
        assertEquals("of a change of layout", new String(TestObjects.get(store, "a/c.0"), StandardCharsets.UTF_8));
    }

    @Test
    void changeOfLayout_isNotMixedWithAReplacement() {
        array("a");
        Publication.at(store, "a").write(record(WorkKind.RELAYOUT), Durability.ATOMIC);
        StoreException e = assertThrows(
                StoreException.class, () -> Replacement.begin(store, List.of("a"), new long[] {12}, OPTIONS));
        assertTrue(e.getMessage().contains("an unfinished change of layout"), e.getMessage());
        assertEquals(Optional.empty(), stored());
    }

    @Test
    void groupWithoutItsConsolidatedMetadata_isNamed() {
        ZarrGroup group = Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, OPTIONS);
        array("a");
        mark(PublicationRecord.started(WorkKind.RELAYOUT, "", Json.object()));
        List<Finding> findings = new ArrayList<>();
        Verification.of(group).run(findings::add);
        assertTrue(findings.toString().contains("removed the consolidated metadata"), findings::toString);
        List<RepairStep> steps = new ArrayList<>();
        Repair.of(group).run(Mode.APPLY, steps::add);
        assertTrue(steps.toString().contains("rerun it to build them again"), steps::toString);
        assertThrows(StoreException.class, () -> Replacement.begin(store, List.of("a"), new long[] {12}, OPTIONS));
        Relayout.of(group, ShardLayout.chunksPerShard(2)).run(Mode.APPLY, reported -> {});
        assertTrue(Zarr.openGroup(store, "", OPTIONS).metadata().consolidated().isPresent());
        assertEquals(Optional.empty(), stored());
    }

    /** A copy that was killed before its last step, the deletion of the record, is complete. */
    @ParameterizedTest
    @EnumSource(
            value = WorkKind.class,
            names = {"COPY", "PYRAMID", "IMPORT", "CONVERSION", "CONCATENATION"})
    void recordOfACompleteNode_isInNobodysWay(WorkKind work) {
        array();
        mark(record(work));
        Relayout.of(Zarr.openArray(store, "", OPTIONS), ShardLayout.chunksPerShard(2))
                .run(Mode.APPLY, reported -> {});
        assertTrue(Zarr.openArray(store, "", OPTIONS).isSharded());
        assertArrayEquals(NUMBERS, Zarr.openArray(store, "", OPTIONS).read().ints());
        assertEquals(Optional.empty(), stored());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{", "[]", "{\"work\":\"copy\"}", "{\"work\":\"x\",\"step\":\"staging\",\"source\":\"\"}"})
    void whatIsNoRecord_isNamedAndLeftAlone(String content) {
        array();
        TestObjects.put(store, "__unfinished", content);
        List<Finding> findings = new ArrayList<>();
        Verification.of(Zarr.openArray(store, "", OPTIONS)).run(findings::add);
        assertTrue(findings.toString().contains("expected the record of unfinished work"), findings::toString);
        List<RepairStep> steps = new ArrayList<>();
        Repair.of(Zarr.openArray(store, "", OPTIONS)).run(Mode.APPLY, steps::add);
        assertTrue(
                steps.stream().allMatch(step -> step.kind() == RepairStep.Kind.LEFT) && !steps.isEmpty(),
                steps::toString);
        assertTrue(publication.isMarked());
        assertArrayEquals(NUMBERS, Zarr.openArray(store, "", OPTIONS).read().ints());
    }

    @Test
    void marksOfParts_countOnlyForTheSameSource() {
        PartMarks marks = new PartMarks(store, "", Durability.ATOMIC);
        PublicationRecord shared = PartMarks.withPartCount(record(WorkKind.COPY), new Part(1, 12));
        assertEquals(Optional.of(12), PartMarks.count(shared));
        assertEquals(WorkKind.PARTED_COPY, shared.named());
        for (int part = 2; part <= 11; part++) {
            marks.complete(new Part(part, 12), "s");
        }
        marks.complete(new Part(12, 12), "another");
        assertEquals("1/12, 12/12", marks.describeMissing(12, "s"));
        marks.complete(new Part(1, 12), "s");
        marks.complete(new Part(12, 12), "s");
        assertEquals("", marks.describeMissing(12, "s"));
        marks.removeMark(new Part(3, 12));
        assertEquals("3/12", marks.describeMissing(12, "s"));
        marks.removeAll(Optional.of(12));
        assertTrue(marks.describeMissing(12, "s").endsWith("10/12, ..."));
    }

    private static final byte[] DOCUMENT = "{}".getBytes(StandardCharsets.UTF_8);

    /** Another program has removed the place, or works there now. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void newNodeWhoseRecordIsGone_isNotPublished(boolean isReplaced) {
        PublicationRecord begun = record(WorkKind.CONCATENATION);
        mark(begun);
        PublicationRecord committed = publication.commitNode(begun, DOCUMENT, Durability.ATOMIC);
        store.deleteAll("");
        if (isReplaced) {
            mark(record(WorkKind.COPY));
        }
        Optional<PublicationRecord> other = stored();
        StoreException e =
                assertThrows(StoreException.class, () -> publication.commitNode(begun, DOCUMENT, Durability.ATOMIC));
        assertTrue(e.getMessage().contains("another program has removed or replaced"), e.getMessage());
        assertEquals(other, stored());
        e = assertThrows(StoreException.class, () -> publication.publishNode(committed, OPTIONS));
        assertTrue(e.getMessage().contains("another program has removed or replaced"), e.getMessage());
        assertTrue(store.open("zarr.json").isEmpty());
        assertEquals(other, stored());
    }

    /** Another program makes a node right before the document is stored. */
    @Test
    void newNodeOfAnotherProgram_isNotReplaced() {
        MemoryStore objects = MemoryStore.conditional("bucket");
        PublicationRecord begun = record(WorkKind.CONCATENATION);
        Publication here = Publication.at(objects, "");
        here.write(begun, Durability.ATOMIC);
        PublicationRecord committed = here.commitNode(begun, DOCUMENT, Durability.ATOMIC);
        Store racing = new ForwardingStore(objects) {
            @Override
            public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                    throws IOException {
                if (key.equals("zarr.json")) {
                    TestObjects.put(objects, key, "of another program");
                }
                return super.putNow(key, content, condition, durability);
            }
        };
        StoreException e = assertThrows(
                StoreException.class, () -> Publication.at(racing, "").publishNode(committed, OPTIONS));
        assertTrue(e.getMessage().contains("another program has made an array or group"), e.getMessage());
        assertEquals("of another program", new String(TestObjects.get(objects, "zarr.json"), StandardCharsets.UTF_8));
        assertEquals(Optional.of(committed), here.record());
    }

    /** A store that loses the document without a word. The message must name the document, not the record. */
    @Test
    void documentThatIsNotStored_isNamed() {
        PublicationRecord begun = record(WorkKind.CONCATENATION);
        mark(begun);
        PublicationRecord committed = publication.commitNode(begun, DOCUMENT, Durability.ATOMIC);
        Store losing = new ForwardingStore(store) {
            @Override
            public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                    throws IOException {
                return key.endsWith("zarr.json") ? WriteResult.DONE : super.putNow(key, content, condition, durability);
            }
        };
        StoreException e = assertThrows(
                StoreException.class, () -> Publication.at(losing, "").publishNode(committed, OPTIONS));
        assertTrue(e.getMessage().contains("storing memory:/zarr.json failed"), e.getMessage());
    }

    /** A folder whose record cannot be read must not hide the unfinished work in others. */
    @Test
    void folderThatCannotBeRead_isNamed_andOthersToo() {
        Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, OPTIONS);
        for (String folder : List.of("a", "b", "c")) {
            Publication.at(store, folder).write(record(WorkKind.COPY), Durability.ATOMIC);
        }
        Store failing = new ForwardingStore(store) {
            @Override
            public Optional<ObjectSnapshot> open(String key) throws IOException {
                if (key.equals("a/" + PublicationRecord.KEY)) {
                    throw new IOException("the disk fails");
                }
                return super.open(key);
            }
        };
        List<String> findings = new ArrayList<>();
        Verification.of(Zarr.openGroup(failing, "", OPTIONS))
                .run(found -> findings.add(found.node() + ": " + found.found()));
        assertTrue(
                findings.stream().anyMatch(found -> found.startsWith("a: ") && found.contains("the disk fails")),
                findings::toString);
        for (String folder : List.of("b", "c")) {
            assertTrue(
                    findings.stream().anyMatch(found -> found.startsWith(folder + ": an unfinished copy")),
                    findings::toString);
        }
    }

    /** A record may come from anywhere: a path that leads out of the store is no change. */
    @ParameterizedTest
    @ValueSource(strings = {"s/../../victim", "..", "/a", "a//b", "a/zarr.json"})
    void pathsThatLeadElsewhere_areNoChanges(String path) {
        Json.Obj keys = Json.object().with("chunk_key_encoding", Json.of("default"));
        DocumentChange change = new DocumentChange(path, keys, keys);
        PublicationRecord hostile =
                PublicationRecord.started(WorkKind.REPLACEMENT, "x", DocumentChange.details(List.of(change)));
        MetadataException e =
                assertThrows(MetadataException.class, () -> DocumentChange.of(hostile, "file:/store/__unfinished"));
        assertTrue(e.getMessage().contains("file:/store/__unfinished"), e.getMessage());
        assertTrue(e.getMessage().contains("delete it"), e.getMessage());
    }
}
