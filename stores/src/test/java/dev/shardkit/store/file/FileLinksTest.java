package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Entry;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("try") // a lock is held, not used
class FileLinksTest {
    @TempDir
    Path dir;

    private Path root;
    private Path outside;
    private FileStore store;

    @BeforeEach
    void lay() throws IOException {
        root = Files.createDirectory(dir.resolve("root"));
        outside = Files.createDirectory(dir.resolve("root-of-another"));
        Files.writeString(outside.resolve("secret"), "secret");
        LinksAndPipes.link(root.resolve("out"), outside);
        LinksAndPipes.link(root.resolve("file"), outside.resolve("secret"));
        LinksAndPipes.link(root.resolve("up"), Path.of("../root-of-another"));
        Files.createDirectory(root.resolve("real"));
        Files.writeString(root.resolve("real/k"), "inside");
        LinksAndPipes.link(root.resolve("in"), Path.of("real"));
        LinksAndPipes.link(root.resolve("ink"), Path.of("real/k"));
        store = FileStore.at(root);
    }

    @Test
    void everyCall_throughALinkThatLeadsOut_isRefused() throws IOException {
        Set<String> outsiders = Set.of("out", "up", "file");
        for (String key : Set.of("out/secret", "up/secret", "file")) {
            assertThrows(StoreException.class, () -> store.open(key), key);
            assertThrows(StoreException.class, () -> FileStoreTest.put(store, key, "x"), key);
        }
        assertThrows(StoreException.class, () -> FileStoreTest.put(store, "out/new/c/0", "x"));
        assertThrows(StoreException.class, () -> store.delete("out/secret"));
        assertThrows(StoreException.class, () -> store.deleteAll("out/x"));
        assertThrows(StoreException.class, () -> store.list("out", e -> {}));
        assertThrows(StoreException.class, () -> store.lock("out", "out/secret", Duration.ZERO));
        assertEquals("secret", Files.readString(outside.resolve("secret")));
        assertEquals(Set.of("secret"), Set.of(outside.toFile().list()));
        assertEquals(Set.of("real", "in", "ink", "out", "up", "file"), Texts.names(store, ""));
        store.list("", e -> assertEquals(outsiders.contains(e.name()), e.kind() == Entry.Kind.OTHER, e::toString));
    }

    @Test
    void deleteAll_linksInTheWay_removesThemAndNotTheirTargets() throws IOException {
        store.deleteAll("out");
        assertFalse(Files.isSymbolicLink(root.resolve("out")));
        assertTrue(store.delete("file"), "the link itself");
        store.deleteAll("");
        assertEquals(0, root.toFile().list().length);
        assertEquals("secret", Files.readString(outside.resolve("secret")));
    }

    @Test
    void links_thatStayInside_areFollowed() throws IOException {
        assertEquals("inside", FileStoreTest.get(store, "in/k"));
        FileStoreTest.put(store, "ink", "new");
        assertTrue(Files.isSymbolicLink(root.resolve("ink")));
        assertEquals("new", FileStoreTest.get(store, "real/k"));
        FileStoreTest.put(store, "in/c/0", "x");
        assertEquals("x", FileStoreTest.get(store, "real/c/0"));
        assertEquals(Set.of("k", "c"), Texts.names(store, "in"));
    }

    /** A walk through such links would visit paths without end. */
    @Test
    void links_thatLeadBackUp_areRefused_underEachPolicy() throws IOException {
        Path below = Files.createDirectory(root.resolve("real/below"));
        LinksAndPipes.link(root.resolve("self"), Path.of("."));
        LinksAndPipes.link(below.resolve("parent"), Path.of("../../real"));
        LinksAndPipes.link(below.resolve("top"), root);
        LinksAndPipes.link(below.resolve("beside"), Path.of("../../in"));
        Set<String> cycles = Set.of("self", "real/below/parent", "real/below/top", "real/below/beside");
        for (FileStore each : List.of(store, FileStore.at(root, LinkPolicy.ANYWHERE))) {
            for (String link : cycles) {
                StoreException e = assertThrows(StoreException.class, () -> each.list(link, x -> {}), link);
                assertTrue(e.getMessage().contains("leads back to a folder above it: " + link), e.getMessage());
            }
            assertThrows(StoreException.class, () -> each.open("real/below/parent/k"));
            assertThrows(StoreException.class, () -> FileStoreTest.put(each, "self/new", "x"));
            each.list("real/below", entry -> assertEquals(Entry.Kind.OTHER, entry.kind(), entry::toString));
        }
        assertEquals("inside", FileStoreTest.get(store, "in/k"));
        store.deleteAll("real/below");
        assertFalse(Files.exists(below));
        assertEquals("inside", FileStoreTest.get(store, "real/k"));
    }

    /** Each folder has two links to the next one: without a limit there are 2^40 paths. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void links_thatFanOut_areNotAllFollowed() throws IOException {
        for (int i = 0; i < 40; i++) {
            Path folder = Files.createDirectories(root.resolve("real/d" + i));
            Files.writeString(folder.resolve("k"), "x");
            LinksAndPipes.link(folder.resolve("a"), Path.of("../d" + (i + 1)));
            LinksAndPipes.link(folder.resolve("b"), Path.of("../d" + (i + 1)));
        }
        Files.createDirectory(root.resolve("real/d40"));
        int[] found = new int[2];
        BlockingStore.to(store).listAll("real", entry -> found[entry.kind() == Entry.Kind.OTHER ? 1 : 0]++);
        assertTrue(found[0] < 40 * 20 && found[1] > 0, found[0] + " objects, refused " + found[1]);
        StoreException e = assertThrows(StoreException.class, () -> store.list("real/d0/a/b/a/b", x -> {}));
        assertTrue(e.getMessage().contains("more than 3 symbolic links to folders"), e.getMessage());
        assertEquals("x", FileStoreTest.get(store, "real/d0/a/b/a/k"));
        LinksAndPipes.link(root.resolve("real/d3/file"), Path.of("k"));
        assertEquals("x", FileStoreTest.get(store, "real/d0/a/b/a/file"), "a link to a file is none to a folder");
    }

    @Test
    void locks_ofTheSameFileByTwoWays_excludeEachOther() throws IOException {
        LinksAndPipes.link(dir.resolve("alias"), root);
        FileStore alias = FileStore.at(dir.resolve("alias"));
        FileStore nested = FileStore.at(root.resolve("real"));
        try (var held = store.lock("real", "real/c/0", Duration.ZERO)) {
            assertThrows(StoreException.class, () -> alias.lock("real", "real/c/0", Duration.ZERO));
            assertThrows(StoreException.class, () -> alias.lock("in", "in/c/0", Duration.ZERO));
            assertThrows(StoreException.class, () -> nested.lock("", "c/0", Duration.ZERO));
            nested.lock("", "c/1", Duration.ZERO).close();
        }
        nested.lock("", "c/0", Duration.ZERO).close();
    }

    @Test
    void policyAnywhere_followsAllLinks() throws IOException {
        FileStore free = FileStore.at(root, LinkPolicy.ANYWHERE);
        assertEquals("secret", FileStoreTest.get(free, "out/secret"));
        FileStoreTest.put(free, "out/new", "x");
        assertEquals("x", Files.readString(outside.resolve("new")));
        assertEquals(Set.of("real", "in", "ink", "out", "up", "file"), Texts.names(free, ""));
        FileStoreTest.put(free, "a/b/c", "x");
        assertEquals("x", FileStoreTest.get(free, "a/b/c"));
    }
}
