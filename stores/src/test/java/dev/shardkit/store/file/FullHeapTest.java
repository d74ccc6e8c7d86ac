package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.file.lock.LockFile;
import dev.shardkit.store.file.lock.LockRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Locks end in a heap that stays full. */
class FullHeapTest {
    @TempDir
    Path folder;

    /** Fills the heap of a JVM of its own. */
    static final class Child {
        private Child() {}

        private static Object[] blocks;

        public static void main(String[] args) throws Exception {
            boolean ended = lockEnds(Path.of(args[0]));
            Runtime.getRuntime().halt(ended ? 0 : 1);
        }

        private static boolean lockEnds(Path file) throws Exception {
            LockFile.Held kept = lock(file, 1); // closes no channel before the heap is full
            lock(file, 0).close();
            Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
            LockFile.Held last = lock(file, 0);
            kept.close();
            fill();
            try {
                last.close();
            } catch (OutOfMemoryError e) {
                // the caller may be told, but nothing stays locked
            }
            blocks = null;
            return !LockRegistry.isInUse(file, key) && !LockFile.isInUse(file);
        }

        private static LockFile.Held lock(Path file, long slot) throws IOException, InterruptedException {
            return LockFile.acquire(file, slot, Duration.ofSeconds(10).toNanos(), StoreException::new);
        }

        private static void fill() {
            fill(1 << 16);
            for (int i = 0; i < 10; i++) {
                fill(1); // a collection may find room that the one before it did not
            }
        }

        private static void fill(int size) {
            try {
                while (true) {
                    Object[] next = new Object[size];
                    next[0] = blocks;
                    blocks = next;
                }
            } catch (OutOfMemoryError e) {
                // full
            }
        }
    }

    private void assertEnds() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process child = new ProcessBuilder(
                        java,
                        "-Xmx24m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Child.class.getName(),
                        folder.resolve("lock").toRealPath().toString())
                .inheritIO()
                .start();
        try {
            assertTrue(child.waitFor(60, TimeUnit.SECONDS), "hangs");
            assertEquals(0, child.exitValue());
        } finally {
            child.destroyForcibly();
        }
    }

    @Test
    @Timeout(120)
    void lock_isReleasedWithItsFile() throws Exception {
        Files.createFile(folder.resolve("lock"));
        assertEnds();
    }
}
