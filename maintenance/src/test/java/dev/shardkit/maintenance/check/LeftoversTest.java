package dev.shardkit.maintenance.check;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.Part;
import dev.shardkit.maintenance.RepairStep;
import dev.shardkit.maintenance.RepairStep.Kind;
import dev.shardkit.maintenance.check.Repair.Summary;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.store.Leftover;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Leftovers of killed writers are reported, and removed or completed. Files of running writers stay. */
@Timeout(120)
class LeftoversTest {
    @TempDir
    Path dir;

    private final List<RepairStep> steps = new ArrayList<>();

    private Path createShard() {
        try (ZarrArray array = Zarr.createArray(
                dir.resolve("a").toString(),
                ArraySpec.of("uint8", 16).withChunkShape(2).withShardShape(8))) {
            array.write(array.domain(), new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, 0);
        }
        return dir.resolve("a/c/0");
    }

    private ZarrArray open() {
        return Zarr.openArray(dir.resolve("a").toString());
    }

    private List<Kind> kinds() {
        return steps.stream().map(RepairStep::kind).toList();
    }

    /**
     * The journal of an interrupted append, in the documented format of the file store: the file gets its old size
     * again.
     */
    private static Path writeJournal(Path file, long oldSize, long newSize) throws IOException {
        Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        byte[] id = Objects.toString(key, "").getBytes(StandardCharsets.UTF_8);
        byte[] name = file.getFileName().toString().getBytes(StandardCharsets.UTF_8);
        ByteBuffer head = ByteBuffer.allocate(36 + id.length + name.length)
                .putInt(0x534b4a31)
                .putInt(0)
                .putLong(oldSize)
                .putLong(newSize)
                .putInt(id.length)
                .put(id)
                .putInt(name.length)
                .put(name);
        CRC32C crc = new CRC32C();
        crc.update(head.array(), 0, head.position());
        head.putInt((int) crc.getValue());
        Path place = Files.createDirectories(file.resolveSibling("__shardkit/patches/" + file.getFileName()));
        return Files.write(place.resolve("of-a-dead-one"), head.array());
    }

    @Test
    void interruptedChange_isRolledBack_afterADryRun() throws IOException {
        Path file = createShard();
        byte[] sound = Files.readAllBytes(file);
        byte[] torn = Arrays.copyOf(sound, sound.length + 20);
        Files.write(file, torn);
        Path journal = writeJournal(file, sound.length, sound.length + 40);
        try (ZarrArray array = open()) {
            List<String> verified = new ArrayList<>();
            Verification.of(array)
                    .run(f -> verified.add(
                            f.severity() + " " + f.kind() + " " + f.key().orElseThrow()));
            assertEquals(List.of("ERROR CUT_SHORT c/0"), verified);
            List<String> byParts = new ArrayList<>();
            for (int part = 2; part > 0; part--) {
                Verification.of(array)
                        .withPart(new Part(part, 2))
                        .run(f -> byParts.add(
                                f.severity() + " " + f.kind() + " " + f.key().orElseThrow()));
            }
            assertEquals(verified, byParts);
            assertEquals(new Summary(1, 1, 0, 0, 0), Repair.of(array).run(Mode.DRY_RUN, steps::add));
            assertEquals(
                    Optional.of("c/0"), steps.get(0).location().orElseThrow().key());
            assertArrayEquals(torn, Files.readAllBytes(file));
            assertTrue(Files.exists(journal));
            assertEquals(new Summary(1, 1, 0, 0, 0), Repair.of(array).run(Mode.APPLY, steps::add));
            assertEquals(List.of(Kind.END_CHANGE, Kind.END_CHANGE), kinds());
            assertArrayEquals(sound, Files.readAllBytes(file));
            assertFalse(Files.exists(journal));
            assertEquals(new Summary(1, 0, 0, 0, 0), Repair.of(array).run(Mode.APPLY, steps::add));
            assertEquals(16, array.read().bytes()[15]);
        }
    }

    @Test
    void staleTemporaryFiles_go_andFreshOnesStay() throws IOException {
        Path file = createShard();
        Path stale = Files.writeString(file.resolveSibling("__shardkit-tmp-1"), "left");
        Files.setLastModifiedTime(stale, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        Path fresh = Files.writeString(file.resolveSibling("__shardkit-tmp-2"), "at work");
        try (ZarrArray array = open()) {
            assertEquals(new Summary(1, 1, 0, 0, 0), Repair.of(array).run(Mode.DRY_RUN, steps::add));
            assertTrue(Files.exists(stale));
            List<String> verified = new ArrayList<>();
            Verification.of(array).run(f -> verified.add(f.severity() + " " + f.kind()));
            assertEquals(List.of("NOTE LEFTOVER"), verified);
            Repair.of(array).run(Mode.APPLY, steps::add);
        }
        assertEquals(List.of(Kind.REMOVE_TEMPORARY, Kind.REMOVE_TEMPORARY), kinds());
        assertTrue(steps.get(0).reason().contains("c/__shardkit-tmp-1"), steps::toString);
        assertFalse(Files.exists(stale));
        assertTrue(Files.exists(fresh));
    }

    private interface Shape {
        Path make(Path reserved, Path victims) throws IOException;
    }

    /** Files that a foreign archive may contain in the folder of journals. */
    private static final List<Shape> SHAPES = List.of(
            (reserved, victims) -> LinksAndPipes.link(reserved, victims),
            (reserved, victims) ->
                    LinksAndPipes.link(Files.createDirectory(reserved).resolve("patches"), victims),
            (reserved, victims) -> LinksAndPipes.link(
                    Files.createDirectories(reserved.resolve("patches")).resolve("0"), victims),
            (reserved, victims) -> LinksAndPipes.link(
                    Files.createDirectories(reserved.resolve("patches/0")).resolve("1"), victims.resolve("empty")),
            (reserved, victims) -> Files.createDirectories(reserved.resolve("patches/0/1")),
            (reserved, victims) -> Files.writeString(
                    Files.createDirectories(reserved.resolve("patches/0")).resolve("1"), "a text"));

    @Test
    void archiveOfAStranger_makesNoCommandRemoveFilesOutside() throws IOException {
        Path victims = Files.createDirectories(dir.resolve("victims"));
        Path victim = Files.writeString(
                Files.createDirectories(victims.resolve("patches/0")).resolve("a"), "the user's");
        List<Path> files = List.of(
                victim,
                Files.createFile(victims.resolve("empty")),
                Files.createFile(Files.createDirectory(victims.resolve("0")).resolve("empty")));
        Path file = createShard();
        Path reserved = file.resolveSibling("__shardkit");
        for (Shape shape : SHAPES) {
            Path made = shape.make(reserved, victims);
            for (ShardWritePolicy.Strategy strategy : ShardWritePolicy.Strategy.values()) {
                try (ZarrArray array = Zarr.openArray(
                        FileStore.at(dir),
                        "a",
                        ZarrOptions.defaults()
                                .withWritePolicy(ShardWritePolicy.defaults().withStrategy(strategy)))) {
                    array.write(Box.of(new long[] {0}, new long[] {2}), new byte[] {(byte) strategy.ordinal(), 9}, 0);
                    Compaction.of(array).above(0).run(Mode.APPLY, shard -> {});
                    steps.clear();
                    Repair.of(array).run(Mode.APPLY, steps::add);
                    assertEquals(List.of(Kind.LEFT), kinds(), steps::toString);
                    assertEquals(strategy.ordinal(), array.read().bytes()[0]);
                    assertEquals(0, Verification.of(array).run(f -> {}).errors());
                }
            }
            assertTrue(Files.exists(made, LinkOption.NOFOLLOW_LINKS));
            for (Path f : files) {
                assertTrue(Files.exists(f), () -> f + " is gone by " + made);
            }
            try (ZarrArray array = Zarr.openArray(FileStore.at(dir), "a", ZarrOptions.defaults())) {
                FileStore.at(dir).deleteAll("a/c");
                array.write(array.domain(), "anything else...".getBytes(StandardCharsets.US_ASCII), 0);
            }
        }
    }

    @Test
    void journalWithoutItsHead_stopsNobody_andIsRemoved() throws IOException {
        Path file = createShard();
        Path place = Files.createDirectories(file.resolveSibling("__shardkit/patches/" + file.getFileName()));
        Path journal = Files.createFile(place.resolve(UUID.randomUUID().toString()));
        try (ZarrArray array = open()) {
            assertEquals(16, array.read().bytes()[15]);
            assertEquals(0, Verification.of(array).run(f -> {}).errors());
            Repair.of(array).run(Mode.DRY_RUN, steps::add);
            assertTrue(Files.exists(journal));
            Repair.of(array).run(Mode.APPLY, steps::add);
            assertEquals(List.of(Kind.REMOVE_TEMPORARY, Kind.REMOVE_TEMPORARY), kinds());
            assertFalse(Files.exists(journal));
            Files.createDirectories(place);
            Files.createFile(journal);
            array.write(array.domain(), new byte[16], 0);
            assertFalse(Files.exists(journal));
        }
    }

    @Test
    void leftovers_onlyTemporaryOnesAreRemoved() throws IOException {
        Path file = createShard();
        FileStore store = FileStore.at(dir.resolve("a"));
        List<Leftover> found = new ArrayList<>();
        store.leftovers("", found::add);
        assertEquals(List.of(), found);
        store.leftovers("none/of/it", found::add);
        assertEquals(List.of(), found);
        for (String name : List.of("c/0", "zarr.json", "c/none")) {
            assertFalse(store.remove(new Leftover(Leftover.Kind.TEMPORARY, name, Optional.empty(), 1)), name);
        }
        assertTrue(Files.exists(file));
        for (String name : List.of("../x", "__shardkit/lock")) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> store.remove(new Leftover(Leftover.Kind.TEMPORARY, name, Optional.empty(), 1)),
                    name);
        }
    }
}
