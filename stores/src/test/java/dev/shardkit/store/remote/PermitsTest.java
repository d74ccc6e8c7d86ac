package dev.shardkit.store.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PermitsTest {
    private final List<String> ran = new ArrayList<>();

    @Test
    void workThatRunsOutOfMemory_doesNotStopTheWorkBehindIt() {
        Permits permits = new Permits(1);
        permits.acquire(() -> ran.add("first"));
        permits.acquire(() -> {
            throw new OutOfMemoryError("made up");
        });
        permits.acquire(() -> ran.add("third"));
        assertEquals(List.of("first"), ran);
        permits.release();
        permits.release();
        assertEquals(List.of("first", "third"), ran);
    }

    /** Fills the heap of a JVM of its own and releases a permit. */
    static final class FullHeap {
        private FullHeap() {}

        @SuppressWarnings("unused") // keeps the heap full
        private static Object[] blocks;

        private static boolean ran;

        public static void main(String[] args) {
            Permits permits = new Permits(1);
            permits.acquire(() -> {});
            permits.acquire(() -> ran = true);
            fill(1 << 16);
            for (int i = 0; i < 10; i++) {
                fill(1); // a collection may find room that the one before it did not
            }
            permits.release();
            blocks = null;
            System.exit(ran ? 0 : 1);
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

    /** The work that ends a call may be the only one that frees memory. */
    @Test
    @Timeout(120)
    void release_inAFullHeap_runsTheWorkThatWaits() throws Exception {
        String places = place(Permits.class) + File.pathSeparator + place(PermitsTest.class);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process child = new ProcessBuilder(java, "-Xmx16m", "-XX:+UseSerialGC", "-cp", places, FullHeap.class.getName())
                .inheritIO()
                .start();
        try {
            assertEquals(0, child.waitFor());
        } finally {
            child.destroyForcibly();
        }
    }

    private static String place(Class<?> of) throws URISyntaxException {
        return Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }

    @Test
    void manyWaiting_runInTheirOrder() {
        Permits permits = new Permits(1);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            String name = "work " + i;
            expected.add(name);
            permits.acquire(() -> ran.add(name));
        }
        for (int i = 0; i < 99; i++) {
            permits.release();
        }
        assertEquals(expected, ran);
    }
}
