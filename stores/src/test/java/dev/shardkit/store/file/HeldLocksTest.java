package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Locks;
import dev.shardkit.store.file.lock.SharedLockFile;
import dev.shardkit.store.file.patch.JournalDirectory;
import dev.shardkit.store.file.patch.JournalFormat;
import dev.shardkit.store.file.patch.OpenJournal;
import dev.shardkit.store.keys.KeyLocks;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A lock that is said to be held is held, until it is released. */
@Timeout(180)
@SuppressWarnings("try") // a lock is held, not used
class HeldLocksTest {
    @TempDir
    Path dir;

    /** Another process, which asks for the lock of {@code a/c/0}. */
    static final class Other {
        private Other() {}

        public static void main(String[] args) throws IOException {
            try (Locks.Lock lock = FileStore.at(Path.of(args[0])).lock("a", "a/c/0", Duration.ZERO)) {
                System.out.print("free");
            } catch (StoreException e) {
                System.out.print(e.getMessage().contains("held by process " + args[1]) ? "held" : e.getMessage());
            }
        }
    }

    /** What another process finds. */
    private String lockOfAnother() throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        java,
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Other.class.getName(),
                        dir.toString(),
                        Long.toString(ProcessHandle.current().pid()))
                .redirectErrorStream(true)
                .start();
        String says = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), says);
        return says;
    }

    /** A store of another copy of the library. */
    private Object copy(URLClassLoader loader) throws ReflectiveOperationException {
        return loader.loadClass(FileStore.class.getName())
                .getMethod("at", Path.class)
                .invoke(null, dir);
    }

    private static AutoCloseable lock(Object store, String key, Duration patience) throws ReflectiveOperationException {
        return (AutoCloseable) store.getClass()
                .getMethod("lock", String.class, String.class, Duration.class)
                .invoke(store, "a", key, patience);
    }

    private static URLClassLoader loader() throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String path : System.getProperty("java.class.path").split(File.pathSeparator)) {
            urls.add(Path.of(path).toUri().toURL());
        }
        return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private static void assertRefused(Object store, String key, Duration patience) {
        InvocationTargetException e = assertThrows(InvocationTargetException.class, () -> lock(store, key, patience));
        assertEquals(StoreException.class.getName(), e.getCause().getClass().getName());
        assertTrue(
                e.getCause().getMessage().contains("was not free for " + KeyLocks.text(patience)),
                e.getCause().getMessage());
    }

    private Path pipe(Path path) throws Exception {
        LinksAndPipes.pipe(path);
        return path;
    }

    @Test
    void force_ofADirectoryWithALockInUse_keepsTheLock() throws Exception {
        FileStore store = FileStore.at(dir);
        store.put("a/c/0", Texts.content("x"), Durability.ATOMIC);
        try (Locks.Lock held = store.lock("a", "a/c/0", Duration.ZERO)) {
            assertEquals("held", lockOfAnother());
            store.force("");
            store.force("a");
            assertEquals("held", lockOfAnother());
        }
        assertEquals("free", lockOfAnother());
    }

    @Test
    void force_besideAPatchUnderWay_keepsItsJournalsLock() throws Exception {
        FileStore store = FileStore.at(dir);
        store.put("a/c/0", Texts.content("old"), Durability.ATOMIC);
        Path file = dir.toRealPath().resolve("a/c/0");
        JournalDirectory place = JournalDirectory.of(file);
        JournalFormat.Head head = new JournalFormat.Head(JournalFormat.Kind.UNDO, 3, 3, "", "0");
        try (OpenJournal journal = OpenJournal.begin(place, head, java.nio.ByteBuffer.allocate(0))) {
            store.force("");
            Path path = place.journals().get(0);
            URLClassLoader loader = loader();
            try (loader) {
                // Another copy of the library finds no dead process's patch, and its look at the journal drops no lock.
                Class<?> result = loader.loadClass("dev.shardkit.store.Patches$Recovered");
                Object other = copy(loader);
                InvocationTargetException e = assertThrows(
                        InvocationTargetException.class,
                        () -> other.getClass()
                                .getMethod("recover", String.class, String.class)
                                .invoke(other, "a", "a/c/0"),
                        result::toString);
                assertTrue(
                        e.getCause().getMessage().contains("is being changed"),
                        e.getCause().getMessage());
            }
            assertTrue(Files.exists(path));
            assertFalse(isFreeForAnotherProcess(path));
            journal.end(OpenJournal.Forcing.NO);
        }
    }

    /** Another process, which locks a file. */
    static final class Locker {
        private Locker() {}

        public static void main(String[] args) throws IOException {
            try (var channel =
                    java.nio.channels.FileChannel.open(Path.of(args[0]), java.nio.file.StandardOpenOption.WRITE)) {
                System.exit(channel.tryLock() == null ? 1 : 0);
            }
        }
    }

    private static boolean isFreeForAnotherProcess(Path path) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(
                                java,
                                "-cp",
                                System.getProperty("java.class.path"),
                                Locker.class.getName(),
                                path.toString())
                        .inheritIO()
                        .start()
                        .waitFor()
                == 0;
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "open descriptors are counted in /proc")
    void locks_ofTwoClassLoaders_areIndependent() throws Exception {
        try (URLClassLoader one = loader();
                URLClassLoader two = loader()) {
            AutoCloseable held = lock(copy(one), "a/c/0", Duration.ZERO);
            Object other = copy(two);
            lock(other, "a/c/1", Duration.ZERO).close();
            FileStore.at(dir).lock("a", "a/c/2", Duration.ZERO).close();
            assertEquals("held", lockOfAnother());
            assertRefused(other, "a/c/0", Duration.ofMillis(5));
            assertThrows(StoreException.class, () -> FileStore.at(dir).lock("a", "a/c/0", Duration.ofMillis(5)));
            assertEquals("held", lockOfAnother());
            held.close();
            lock(other, "a/c/0", Duration.ZERO).close();
            assertEquals("free", lockOfAnother());
        }
        assertEquals(0, Descriptors.below(dir));
    }

    @Test
    void lock_ofAnotherClassLoader_isWaitedFor() throws Exception {
        try (URLClassLoader loader = loader()) {
            AutoCloseable held = lock(copy(loader), "a/c/0", Duration.ZERO);
            List<Throwable> failures = new ArrayList<>();
            Thread waiter = new Thread(() -> {
                try (Locks.Lock mine = FileStore.at(dir).lock("a", "a/c/0", Duration.ofSeconds(100))) {
                    assertEquals("held", lockOfAnother());
                } catch (IOException | InterruptedException | RuntimeException | Error e) {
                    failures.add(e);
                }
            });
            waiter.start();
            held.close();
            waiter.join();
            assertEquals(List.of(), failures);
        }
    }

    @Test
    void lock_whileSystemPropertiesAreReplaced_isHeld() throws Exception {
        Properties before = System.getProperties();
        try (Locks.Lock held = FileStore.at(dir).lock("a", "a/c/0", Duration.ZERO)) {
            Properties replaced = new Properties();
            replaced.putAll(before);
            replaced.keySet().removeIf(k -> k.toString().endsWith(".locks"));
            System.setProperties(replaced);
            try {
                FileStore.at(dir).lock("a", "a/c/1", Duration.ZERO).close();
            } finally {
                System.setProperties(before);
            }
            assertEquals("held", lockOfAnother());
        }
        assertEquals(System.getProperties().keySet(), System.getProperties().stringPropertyNames());
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "open descriptors are counted in /proc")
    void lockFiles_areClosedWithTheirLastLock_andLeaveNothingElse() throws IOException {
        FileStore store = FileStore.at(dir);
        Locks.Lock one = store.lock("a", "a/c/0", Duration.ZERO);
        Locks.Lock two = store.lock("a", "a/c/1", Duration.ZERO);
        assertEquals(1, Descriptors.below(dir));
        one.close();
        one.close();
        assertEquals(1, Descriptors.below(dir));
        two.close();
        assertEquals(0, Descriptors.below(dir));
        try (Stream<Path> files = Files.list(dir.resolve("a/__shardkit"))) {
            assertEquals(
                    List.of("lock", "lock-holders"),
                    files.map(f -> f.getFileName().toString()).sorted().toList());
        }
        assertEquals(System.getProperties().keySet(), System.getProperties().stringPropertyNames());
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "closing one handle of a file keeps the locks of others")
    void objects_thatAreOtherNamesOfALockFile_areNotOpened() throws Exception {
        FileStore store = FileStore.at(dir);
        store.put("a/c/1", Texts.content("x"), Durability.ATOMIC);
        try (Locks.Lock held = store.lock("a", "a/c/0", Duration.ZERO)) {
            LinksAndPipes.link(dir.resolve("a/c/0"), Path.of("../__shardkit/lock"));
            assertThrows(StoreException.class, () -> store.open("a/c/0"));
            Files.delete(dir.resolve("a/c/0"));
            Files.createLink(dir.resolve("a/c/0"), dir.resolve("a/__shardkit/lock"));
            assertThrows(StoreException.class, () -> store.open("a/c/0"));
            assertEquals("held", lockOfAnother());
        }
        store.open("a/c/0").orElseThrow().close();
    }

    @Test
    void lock_whereTheLockFileIsAPipeOrALink_isRefused() throws Exception {
        FileStore store = FileStore.at(dir);
        Path lock = Files.createDirectories(dir.resolve("a/__shardkit")).resolve("lock");
        pipe(lock);
        StoreException e = assertThrows(StoreException.class, () -> store.lock("a", "a/c/0", Duration.ofSeconds(100)));
        assertTrue(e.getMessage().contains("expected a regular file, found a pipe or a device"), e.getMessage());
        Files.delete(lock);
        LinksAndPipes.link(lock, Files.createFile(dir.resolve("elsewhere")));
        assertThrows(StoreException.class, () -> store.lock("a", "a/c/0", Duration.ofSeconds(100)));
        Files.delete(lock);
        store.lock("a", "a/c/0", Duration.ZERO).close();
        assertTrue(Files.isRegularFile(lock, LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void lock_whereTheFileOfHoldersIsAPipe_isTakenWithoutARecord() throws Exception {
        FileStore store = FileStore.at(dir);
        pipe(Files.createDirectories(dir.resolve("a/__shardkit")).resolve("lock-holders"));
        try (Locks.Lock held = store.lock("a", "a/c/0", Duration.ZERO)) {
            assertTrue(lockOfAnother().contains("held by an unknown process"));
        }
    }

    /** An interrupt closes a file channel that its thread uses, and with it go the locks of the whole process. */
    @Test
    void generation_readByAnInterruptedThread_keepsTheLocksOfOthers() throws Exception {
        FileStore store = FileStore.at(dir);
        try (Locks.Lock held = store.lock("a", "a/c/0", Duration.ZERO)) {
            Path lockFile = dir.toRealPath().resolve("a/__shardkit/lock");
            SharedLockFile other = SharedLockFile.open(lockFile);
            Thread.currentThread().interrupt();
            String generation = other.generation();
            assertTrue(Thread.interrupted());
            assertEquals(held.generation(), generation);
            assertEquals("held", lockOfAnother());
            other.close();
            store.lock("a", "a/c/1", Duration.ZERO).close();
        }
    }

    @Test
    void lock_whereTheStoresDirectoryIsALink_isRefused() throws Exception {
        Files.createDirectories(dir.resolve("a"));
        LinksAndPipes.link(dir.resolve("a/__shardkit"), Files.createDirectory(dir.resolve("elsewhere")));
        StoreException e =
                assertThrows(StoreException.class, () -> FileStore.at(dir).lock("a", "a/c/0", Duration.ofSeconds(100)));
        assertTrue(e.getMessage().contains("expected a directory"), e.getMessage());
        try (Stream<Path> files = Files.list(dir.resolve("elsewhere"))) {
            assertEquals(0, files.count());
        }
    }

    @Test
    void open_ofAPipe_isRefused() throws Exception {
        pipe(Files.createDirectories(dir.resolve("c")).resolve("0"));
        FileStore store = FileStore.at(dir);
        assertInstanceOf(StoreException.class, assertThrows(RuntimeException.class, () -> store.open("c/0")));
        assertThrows(StoreException.class, () -> store.openToChange("c/0"));
        store.put("c/0", Texts.content("x"), Durability.FORCED);
        assertTrue(Files.isRegularFile(dir.resolve("c/0")));
    }
}
