package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Locks;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.policy.Durability;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What only several processes can show. */
@Timeout(180)
@SuppressWarnings("try") // a lock is held, not used
class TwoProcessesTest {
    private static final int ROUNDS = 300;
    private static final int THREADS = 8;

    @TempDir
    Path dir;

    /** What the other processes run. */
    static final class Other {
        private Other() {}

        public static void main(String[] args) throws Exception {
            FileStore store = FileStore.at(Path.of(args[1]));
            System.out.println("ready");
            if (System.in.read() < 0) {
                return;
            }
            if (args[0].equals("count")) {
                for (int i = 0; i < ROUNDS; i++) {
                    increment(store);
                }
            } else {
                Locks.Lock lock = store.lock("a", "a/c/0", Duration.ofSeconds(60));
                System.out.println("holds");
                System.in.read(); // until it is killed
                lock.close();
            }
            System.out.println("done");
        }
    }

    private static void increment(FileStore store) throws IOException {
        try (Locks.Lock lock = store.lock("a", "a/c/0", Duration.ofSeconds(60))) {
            store.put("a/c/0", Texts.content(Integer.toString(counter(store) + 1)), Durability.ATOMIC);
        }
    }

    private static int counter(FileStore store) throws IOException {
        Optional<ObjectSnapshot> opened = store.open("a/c/0");
        if (opened.isEmpty()) {
            return 0;
        }
        try (ObjectSnapshot snapshot = opened.get()) {
            return Integer.parseInt(Texts.read(snapshot));
        }
    }

    /** A second JVM; what it says, and what it is told. */
    private record Jvm(Process process, BufferedReader says) {
        static Jvm start(String job, Path root) throws IOException {
            String java =
                    Path.of(System.getProperty("java.home"), "bin", "java").toString();
            Process process = new ProcessBuilder(
                            java,
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Other.class.getName(),
                            job,
                            root.toString())
                    .redirectErrorStream(true)
                    .start();
            Jvm jvm = new Jvm(
                    process,
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)));
            jvm.expect("ready");
            return jvm;
        }

        void expect(String line) throws IOException {
            assertEquals(line, says.readLine());
        }

        void go() throws IOException {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
        }
    }

    @Test
    void lock_twoOtherProcessesAndEightThreads_loseNoUpdate() throws Exception {
        Path root = dir.resolve("root");
        Jvm first = Jvm.start("count", root);
        Jvm second = Jvm.start("count", root);
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            first.go();
            second.go();
            List<Future<?>> threads = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                FileStore store = FileStore.at(t % 2 == 0 ? root : dir.resolve("x/../root"));
                threads.add(pool.submit(() -> {
                    for (int i = 0; i < ROUNDS / THREADS; i++) {
                        increment(store);
                    }
                    return null;
                }));
            }
            for (Future<?> thread : threads) {
                thread.get();
            }
            first.expect("done");
            second.expect("done");
        } finally {
            pool.shutdownNow();
            first.process().destroyForcibly();
            second.process().destroyForcibly();
        }
        assertEquals(2 * ROUNDS + ROUNDS / THREADS * THREADS, counter(FileStore.at(root)));
        try (var children = Files.list(root.resolve("a/c"))) {
            assertEquals(List.of(root.resolve("a/c/0")), children.toList());
        }
    }

    @Test
    void lock_heldByAnotherProcess_excludesUntilItIsKilled() throws Exception {
        FileStore store = FileStore.at(dir);
        Jvm other = Jvm.start("hold", dir);
        try {
            other.go();
            other.expect("holds");
            StoreException e =
                    assertThrows(StoreException.class, () -> store.lock("a", "a/c/0", Duration.ofMillis(50)));
            assertTrue(
                    e.getMessage()
                            .matches("(?s).*held by process " + other.process().pid()
                                    + " on host \\S+ \\(thread main\\), which took it at 20.*"),
                    e.getMessage());
            try (Locks.Lock another = store.lock("a", "a/c/1", Duration.ZERO)) {
                Thread waiter = new Thread(() ->
                        assertThrows(StoreException.class, () -> store.lock("a", "a/c/0", Duration.ofSeconds(100))));
                waiter.start();
                waiter.interrupt();
                waiter.join();
            }
        } finally {
            other.process().destroyForcibly();
        }
        try (Locks.Lock mine = store.lock("a", "a/c/0", Duration.ofSeconds(60))) {
            StoreException e = assertThrows(StoreException.class, () -> store.lock("a", "a/c/0", Duration.ZERO));
            assertTrue(
                    e.getMessage().contains("thread " + Thread.currentThread().getName() + " of this process"),
                    e.getMessage());
        }
    }

    @Test
    void lock_closedBesideOthers_leavesThemToTheProcess() throws Exception {
        // On POSIX systems closing any channel to a file drops all locks of the process on it.
        FileStore store = FileStore.at(dir);
        Jvm other = Jvm.start("hold", dir);
        try {
            Locks.Lock held = store.lock("a", "a/c/0", Duration.ZERO);
            FileStore.at(dir).lock("a", "a/c/1", Duration.ZERO).close();
            FileStore.at(dir.resolve("a")).lock("", "c/2", Duration.ZERO).close();
            other.go();
            CountDownLatch taken = new CountDownLatch(1);
            Thread listener = new Thread(() -> {
                try {
                    other.expect("holds");
                    taken.countDown();
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            listener.start();
            assertFalse(taken.await(300, java.util.concurrent.TimeUnit.MILLISECONDS), "the other process has our lock");
            held.close();
            assertTrue(taken.await(60, java.util.concurrent.TimeUnit.SECONDS));
            listener.join();
        } finally {
            other.process().destroyForcibly();
        }
    }

    @Test
    void deleteAll_whileAnotherProcessHoldsALock_takesDocumentsFirstAndWaits() throws Exception {
        FileStore store = FileStore.at(dir);
        store.put("a/zarr.json", Texts.content("{}"), Durability.ATOMIC);
        store.put("a/c/1", Texts.content("old"), Durability.ATOMIC);
        Jvm other = Jvm.start("hold", dir);
        CompletableFuture<Void> deleted;
        try {
            other.go();
            other.expect("holds");
            deleted = CompletableFuture.runAsync(() -> store.deleteAll("a"));
            while (store.open("a/zarr.json").isPresent()) {
                Thread.onSpinWait();
            }
            store.put("a/c/0", Texts.content("late"), Durability.ATOMIC); // as the holder of the lock may
            assertTrue(Files.exists(dir.resolve("a/__shardkit/lock")));
            assertFalse(deleted.isDone());
        } finally {
            other.process().destroyForcibly();
        }
        deleted.get(60, TimeUnit.SECONDS);
        assertFalse(Files.exists(dir.resolve("a")));
    }

    @Test
    @DisabledOnOs(
            value = OS.WINDOWS,
            disabledReason = "a deleted lock file keeps its name, and its locks, while it is open")
    void lock_ofAnArrayDeletedMeanwhile_isTheNewFiles() throws Exception {
        FileStore store = FileStore.at(dir);
        Locks.Lock old = store.lock("a", "a/c/0", Duration.ZERO);
        Files.delete(dir.resolve("a/__shardkit/lock")); // by another program, which does not wait for locks
        Locks.Lock fresh = store.lock("a", "a/c/1", Duration.ZERO);
        Jvm other = Jvm.start("hold", dir);
        try {
            other.go();
            other.expect("holds"); // byte of a/c/0 in the new file is free
            old.close();
            assertThrows(StoreException.class, () -> store.lock("a", "a/c/0", Duration.ZERO));
            fresh.close();
        } finally {
            other.process().destroyForcibly();
        }
    }
}
