package dev.shardkit.maintenance.check;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.RepairStep;
import dev.shardkit.maintenance.check.Finding.Kind;
import dev.shardkit.maintenance.check.Finding.Severity;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.policy.SymbolicLinks;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A verification reports every entry at a shard's key that a read refuses, and no change treats it as absent. */
@Timeout(120)
class UnreadableObjectsTest extends VerificationTestBase {
    /** Two by two shards. */
    private static ArraySpec twoByTwoShards() {
        return ArraySpec.of("uint8", 4, 4).withChunkShape(1, 2).withShardShape(2, 2);
    }

    private Path moveAndLink(Path inside) throws IOException {
        Path target = dir.resolve("elsewhere-" + inside.getFileName());
        Files.move(inside, target);
        return LinksAndPipes.link(inside, target);
    }

    private void assertReported(String key, String fact) {
        Finding f = verify().singleFinding();
        assertEquals(Severity.ERROR, f.severity(), f::toString);
        assertEquals(Kind.UNREADABLE, f.kind(), f::toString);
        assertEquals(Optional.of(key), f.key());
        assertTrue(f.found().contains(fact), f::toString);
    }

    private void assertRefused() {
        try (ZarrArray array = Zarr.openArray(dir.resolve("a").toString())) {
            assertThrows(StoreException.class, array::read);
        }
    }

    @Test
    void shard_thatIsALinkToNothing_isNotAbsent() throws IOException {
        Path shard = createWritten(spec()).resolve("c/0");
        Files.delete(shard);
        LinksAndPipes.link(shard, dir.resolve("not-mounted/0"));
        assertReported("c/0", "leads to a file that does not exist");
        assertRefused();
    }

    @Test
    void shard_thatIsALinkOutOfTheRoot_isAnError_andNamesFileTargetAndOption() throws IOException {
        Path link = moveAndLink(createWritten(spec()).resolve("c/0"));
        assertReported("c/0", "a symbolic link leads out of");
        assertRefused();
        String found = verify().singleFinding().found();
        assertTrue(found.contains("c/0 is " + Files.readSymbolicLink(link).toRealPath()), found);
        assertTrue(found.contains("withLinks(SymbolicLinks.FOLLOW)"), found);
        try (ZarrArray array = Zarr.openArray(dir.resolve("a").toString())) {
            List<RepairStep> steps = new ArrayList<>();
            assertEquals(
                    1,
                    Repair.of(array)
                            .droppingCorruptChunks()
                            .run(Mode.APPLY, steps::add)
                            .left());
            assertEquals(RepairStep.Kind.LEFT, steps.get(0).kind());
            assertThrows(
                    StoreException.class, () -> Compaction.of(array).above(0).run(Mode.APPLY, shard -> {}));
        }
        assertTrue(Files.isSymbolicLink(link));
    }

    @Test
    void linkOutOfTheRoot_isFollowed_whereTheCallerSaysSo() throws IOException {
        Path shard = createWritten(spec()).resolve("c/0");
        Path target = Files.readSymbolicLink(moveAndLink(shard));
        try (ZarrArray array = Zarr.openArray(
                dir.resolve("a").toString(), ZarrOptions.defaults().withLinks(SymbolicLinks.FOLLOW))) {
            assertArrayEquals(
                    new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
                    array.read().bytes());
            assertEquals(List.of(), VerificationResult.of(array).findings());
            array.write(array.domain(), new byte[] {9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 1, 2}, 0);
            assertArrayEquals(
                    new byte[] {9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 1, 2},
                    array.read().bytes());
        }
        assertTrue(Files.isSymbolicLink(shard) && Files.exists(target));
    }

    @Test
    void directoryOfShards_thatIsALinkOutOfTheRoot_isAnError() throws IOException {
        moveAndLink(createWritten(twoByTwoShards()).resolve("c/1"));
        assertReported("c/1", "withLinks");
        assertRefused();
        moveAndLink(dir.resolve("a/c"));
        assertReported("c", "withLinks");
        assertRefused();
    }

    @Test
    void nodeOfAGroup_thatCannotBeOpened_isAnErrorOfItsOwn() throws Exception {
        Path group = dir.resolve("g");
        Zarr.createGroup(group.toString(), Json.object(), IfExists.REFUSE, ZarrOptions.defaults())
                .close();
        Files.move(createWritten(spec()), group.resolve("good"));
        Files.move(createWritten(spec()), group.resolve("piped"));
        Files.move(createWritten(spec()), dir.resolve("linked"));
        LinksAndPipes.link(group.resolve("linked"), dir.resolve("linked"));
        Path document = group.resolve("piped/zarr.json");
        Files.delete(document);
        LinksAndPipes.pipe(document);
        try (ZarrGroup root = Zarr.openGroup(group.toString())) {
            assertEquals(Set.of("good", "linked", "piped"), root.childNames());
            VerificationResult found = VerificationResult.of(root);
            assertEquals(
                    List.of("linked", "piped"),
                    found.findings().stream().map(Finding::node).toList());
            assertTrue(
                    found.findings().stream().allMatch(f -> f.kind() == Kind.UNREADABLE), found.findings()::toString);
            assertEquals(1, found.summary().arrays());
        }
    }

    @Test
    void pipe_inTheShardsPlace_isAnError_andNothingWaitsForIt() throws Exception {
        Path shard = createWritten(spec()).resolve("c/0");
        Files.delete(shard);
        LinksAndPipes.pipe(shard);
        assertReported("c/0", "expected a file");
        assertRefused();
    }

    /** A bucket has no directories: an object below the key of a shard hides nothing. */
    @Test
    void objectBelowTheKeyOfAShard_isAForeignObject_inABucket() throws IOException {
        MemoryStore bucket = MemoryStore.conditional("bucket");
        try (ZarrArray array = Zarr.createArray(
                bucket, "a", ArraySpec.of("uint8", 4).withChunkShape(4), IfExists.REFUSE, ZarrOptions.defaults())) {
            array.write(array.domain(), new byte[] {1, 2, 3, 4}, 0);
            BlockingStore.to(bucket).put("a/c/0/x", Content.of(Bytes.of(new byte[1])), Durability.NONE);
            VerificationResult found = VerificationResult.of(array);
            assertEquals(1, found.findings().size(), found.findings()::toString);
            assertEquals(Kind.FOREIGN_OBJECT, found.singleFinding().kind());
            assertTrue(found.singleFinding().found().contains("a/c/0/x"), found.singleFinding()::toString);
            assertEquals(0, Repair.of(array).run(Mode.APPLY, step -> {}).left());
        }
    }

    @Test
    void directory_inTheShardsPlace_isAnError() throws IOException {
        Path shard = createWritten(spec()).resolve("c/0");
        Files.delete(shard);
        Files.createDirectory(shard);
        assertReported("c/0", "a directory");
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there are no POSIX permissions")
    void shardOrDirectory_thatMayNotBeRead_isAnError() throws IOException {
        Path folder = createWritten(twoByTwoShards());
        Files.setPosixFilePermissions(folder.resolve("c/0/1"), PosixFilePermissions.fromString("---------"));
        assumeTrue(!Files.isReadable(folder.resolve("c/0/1")), "an ordinary user");
        assertReported("c/0/1", "permission denied");
        Files.setPosixFilePermissions(folder.resolve("c/0/1"), PosixFilePermissions.fromString("rw-------"));
        Files.setPosixFilePermissions(folder.resolve("c/1"), PosixFilePermissions.fromString("---------"));
        try {
            List<Finding> findings = verify().findings();
            assertTrue(
                    findings.stream()
                            .anyMatch(f -> f.kind() == Kind.UNREADABLE
                                    && f.key().equals(Optional.of("c/1"))
                                    && f.found().contains("permission denied")),
                    findings::toString);
        } finally {
            Files.setPosixFilePermissions(folder.resolve("c/1"), PosixFilePermissions.fromString("rwx------"));
        }
    }
}
