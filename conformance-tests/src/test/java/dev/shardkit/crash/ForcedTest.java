package dev.shardkit.crash;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ZarrArray;
import dev.shardkit.crash.Setup.Size;
import dev.shardkit.crash.disk.Disk;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ShardWritePolicy.Strategy;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A forced write returns only if the device has all of it, the directories that lead to it too. */
@Timeout(180)
class ForcedTest {
    @TempDir
    Path dir;

    private final Disk disk = new Disk();

    private static Setup of(Strategy strategy) {
        return Setup.all(Size.SMALL).stream()
                .filter(s -> s.strategy() == strategy && s.checksum() == Setup.Checksum.NONE)
                .findFirst()
                .orElseThrow();
    }

    /** An array of which the first version is written. */
    private ZarrArray written(Setup setup, Path root, Durability durability) {
        Step all = new Step(setup, 1, Box.of(setup.shape()), false);
        try (ZarrArray clean = setup.create(FileStore.at(root), Durability.ATOMIC)) {
            all.write(clean);
        }
        return setup.open(FileStore.at(disk.path(root)), durability);
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "directories are not forced")
    void forcedWrite_whoseDirectoriesCannotBeForced_isAnError() throws IOException {
        for (Strategy strategy : Strategy.values()) {
            Setup setup = of(strategy);
            Path root = dir.resolve(strategy.name());
            written(setup, root, Durability.FORCED).close();
            for (String call : List.of("force 0", "force c", "force a", "open 0", "open c")) {
                try (ZarrArray array = setup.open(FileStore.at(disk.path(root)), Durability.FORCED)) {
                    byte[] before = Files.readAllBytes(root.resolve("a/c/0/0"));
                    disk.failAll(call::equals);
                    Step step = Step.chunk(setup, 2, 0);
                    StoreException e =
                            assertThrows(StoreException.class, () -> step.write(array), strategy + " " + call);
                    assertTrue(e.getMessage().contains("No space left"), e.getMessage());
                    disk.heal();
                    if (strategy != Strategy.REWRITE) {
                        assertArrayEquals(before, Files.readAllBytes(root.resolve("a/c/0/0")), strategy + " " + call);
                    }
                }
            }
        }
    }

    private static boolean isOfADirectory(String call) {
        return call.startsWith("force ") && !call.startsWith("force __shardkit-tmp-");
    }

    /** EINVAL says that a file system cannot force directories, unless it has forced one before. */
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "directories are not forced")
    void directoriesThatCannotBeForced_arePassedOver_onlyWhereNoneEverCould() throws IOException {
        Setup setup = of(Strategy.REWRITE);
        Path root = dir.resolve("a");
        written(setup, root, Durability.FORCED).close();
        disk.failAll(ForcedTest::isOfADirectory, Disk.INVALID);
        try (ZarrArray array = setup.open(FileStore.at(disk.path(root)), Durability.FORCED)) {
            Step.chunk(setup, 2, 0).write(array);
            assertTrue(
                    disk.calls().stream().anyMatch(ForcedTest::isOfADirectory),
                    disk.calls().toString());
            disk.heal();
            Step.chunk(setup, 3, 0).write(array);
            disk.failAll(ForcedTest::isOfADirectory, Disk.INVALID);
            Step failing = Step.chunk(setup, 4, 0);
            StoreException e = assertThrows(StoreException.class, () -> failing.write(array));
            assertTrue(e.getMessage().contains(Disk.INVALID), e.getMessage());
        }
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "directories are not forced")
    void changeInPlace_withoutADurableJournal_neverBegins() throws IOException {
        for (Strategy strategy : List.of(Strategy.IN_PLACE, Strategy.APPEND)) {
            Setup setup = of(strategy);
            Path root = dir.resolve(strategy.name());
            try (ZarrArray array = written(setup, root, Durability.FORCED)) {
                byte[] before = Files.readAllBytes(root.resolve("a/c/0/0"));
                for (String call : List.of("force patches", "open patches", "force __shardkit")) {
                    disk.failAll(call::equals);
                    Step step = Step.chunk(setup, 2, 0);
                    assertThrows(StoreException.class, () -> step.write(array), strategy + " " + call);
                    assertTrue(disk.calls().contains(call), () -> call + " of " + disk.calls());
                    assertEquals(0, disk.written("a/c/0/0") - disk.written("a/c/0/0/"), "the shard was written to");
                    disk.heal();
                    assertArrayEquals(before, Files.readAllBytes(root.resolve("a/c/0/0")), strategy + " " + call);
                }
            }
        }
    }

    /**
     * The lock file is made before the first write: whoever made a directory, its entry is forced with what is in it.
     */
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "directories are not forced")
    void forcedWrite_intoDirectoriesThatOthersMade_forcesTheirEntriesToo() {
        Setup setup = of(Strategy.REWRITE);
        Path root = dir.resolve("new/root");
        disk.heal();
        try (ZarrArray array = setup.create(FileStore.at(disk.path(root)), Durability.FORCED)) {
            for (String made : List.of("force root", "force new", "force " + dir.getFileName(), "force a")) {
                assertTrue(disk.calls().contains(made), () -> made + " of " + disk.calls());
            }
            disk.heal();
            Step.chunk(setup, 1, 0).write(array);
            for (String made : List.of("force a", "force c", "force 0")) {
                assertTrue(disk.calls().contains(made), () -> made + " of " + disk.calls());
            }
        }
    }
}
