package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Leftover;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Patches.Recovered;
import dev.shardkit.store.file.patch.JournalFormat;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Links and foreign files in the reserved folders of a stranger's archive. */
@Timeout(180)
class ReservedFolderLinksTest extends PatchedFile {
    /** Each shape that a stranger's archive may give the store's own folder. */
    @Test
    void nothingIsReachedThroughALink_andForeignFilesStay() throws IOException {
        Path victims = Files.createDirectory(dir.resolve("victims"));
        Path inner = Files.createDirectories(victims.resolve("patches/0"));
        Path deep = Files.createDirectory(victims.resolve("0"));
        List<Path> files = new ArrayList<>();
        for (Path folder : List.of(victims, inner, deep)) {
            files.add(Files.createFile(folder.resolve(UUID.randomUUID().toString())));
            files.add(Files.write(
                    folder.resolve(UUID.randomUUID().toString()),
                    head(JournalFormat.Kind.UNDO).bytes().array()));
            files.add(Files.writeString(folder.resolve("text"), "of the user"));
        }
        Path reserved = place.patches().getParent();
        List<Shape> shapes = List.of(
                () -> LinksAndPipes.link(reserved, victims),
                () -> LinksAndPipes.link(Files.createDirectory(reserved).resolve("patches"), victims),
                () -> LinksAndPipes.link(
                        Files.createDirectories(place.patches()).resolve("0"), victims),
                () -> LinksAndPipes.link(Files.createDirectories(place.own()).resolve("x"), files.get(0)),
                () -> LinksAndPipes.link(
                        Files.createDirectories(place.own())
                                .resolve(UUID.randomUUID().toString()),
                        files.get(1)),
                () -> Files.createDirectories(
                        place.own().resolve(UUID.randomUUID().toString())),
                () -> Files.createFile(Files.createDirectories(place.own()).resolve("empty")),
                () -> Files.writeString(Files.createDirectories(place.own()).resolve("text"), "text"),
                () -> Files.writeString(
                        Files.createDirectories(place.own())
                                .resolve(UUID.randomUUID().toString()),
                        "text"),
                () -> Files.createFile(Files.createDirectories(place.patches()).resolve("0")),
                () -> Files.createFile(Files.createDirectories(reserved).resolve("patches")),
                () -> Files.createFile(reserved));
        for (Shape shape : shapes) {
            Path made = shape.make();
            assertEquals(List.of(Leftover.Kind.FOREIGN), leftovers(), made.toString());
            try (ObjectSnapshot snapshot = store.open("a/c/0").orElseThrow()) {
                assertEquals(100, snapshot.size());
            }
            assertEquals(Recovered.NOTHING, store.recover("a", "a/c/0"));
            store.put("a/c/0", Texts.content("new"), Durability.FORCED);
            Files.write(file, OLD);
            try {
                store.patch("a", "a/c/0", patch(), Durability.FORCED);
                assertArrayEquals(NEW, Files.readAllBytes(file));
            } catch (UnsupportedException e) {
                assertArrayEquals(OLD, Files.readAllBytes(file)); // then the shard is rewritten
            }
            store.delete("a/c/0");
            store.close();
            assertTrue(Files.exists(made, LinkOption.NOFOLLOW_LINKS), made.toString());
            for (Path f : files) {
                assertTrue(Files.exists(f), f + " is gone by " + made);
            }
            store.deleteAll("a/c");
            for (Path f : files) {
                assertTrue(Files.exists(f), f + " is gone by " + made);
            }
            Files.createDirectories(file.getParent());
            Files.write(file, OLD);
        }
    }

    private interface Shape {
        Path make() throws IOException;
    }

    @Test
    void lock_neverFollowsALinkToAnotherFolder() throws IOException {
        Path victims = Files.createDirectory(dir.resolve("victims"));
        Path reserved = dir.resolve("a/__shardkit");
        LinksAndPipes.link(reserved, victims);
        StoreException e = assertThrows(StoreException.class, () -> store.lock("a", "a/c/0", Duration.ofSeconds(1)));
        assertTrue(e.getMessage().contains("a/__shardkit"), e.getMessage());
        try (Stream<Path> left = Files.list(victims)) {
            assertEquals(List.of(), left.toList());
        }
    }
}
