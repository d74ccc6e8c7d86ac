package dev.shardkit.outofmemory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.opentest4j.AssertionFailedError;

class CompletionsTest {
    /** Fills the heap of a JVM of its own, and fails futures while it stays full. */
    static final class FullHeap {
        private FullHeap() {}

        private static Object[] blocks;

        public static void main(String[] args) {
            ends(new StoreException("warm-up: loads the classes"));
            ends(new OutOfMemoryError("warm-up"));
            Throwable failure = args[0].equals("memory") ? new OutOfMemoryError("made up") : new StoreException("a");
            CompletableFuture<String> future = new CompletableFuture<>();
            CompletableFuture<String> derived = future.thenApply(v -> v);
            fill(1 << 16);
            for (int i = 0; i < 10; i++) {
                fill(1); // a collection may find room that the one before it did not
            }
            Completions.fail(future, failure);
            boolean ended = future.isDone() && (derived.isDone() || !args[0].equals("memory"));
            Runtime.getRuntime().halt(ended && blocks != null ? 0 : 1);
        }

        private static void ends(Throwable failure) {
            CompletableFuture<String> future = new CompletableFuture<>();
            CompletableFuture<String> derived = future.thenApply(v -> v);
            Completions.fail(future, failure);
            assertTrue(derived.isDone());
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

    private static void assertEndsInAFullHeap(String failure) throws Exception {
        StringBuilder places = new StringBuilder();
        for (Class<?> of : new Class<?>[] {
            Completions.class, CompletionsTest.class, StoreException.class, Test.class, AssertionFailedError.class
        }) {
            places.append(place(of)).append(File.pathSeparator);
        }
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process child = new ProcessBuilder(
                        java,
                        "-Xmx16m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        places.toString(),
                        FullHeap.class.getName(),
                        failure)
                .inheritIO()
                .start();
        try {
            assertTrue(child.waitFor(60, TimeUnit.SECONDS), "hangs");
            assertEquals(0, child.exitValue());
        } finally {
            child.destroyForcibly();
        }
    }

    private static String place(Class<?> of) throws URISyntaxException {
        return Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }

    @Test
    @Timeout(120)
    void fail_inAHeapThatStaysFull_ends() throws Exception {
        assertEndsInAFullHeap("other");
    }

    @Test
    @Timeout(120)
    void failForLackOfMemory_inAHeapThatStaysFull_endsDerivedFuturesToo() throws Exception {
        assertEndsInAFullHeap("memory");
    }
}
