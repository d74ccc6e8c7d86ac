package dev.shardkit.http;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testing.Values;
import dev.shardkit.testkit.server.FaultServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** An array of four shards on a server with faults, and the threads that its stores may leave behind. */
final class FaultScene {
    static final String PATH = "some/array";
    static final short FILL = 9;
    /** No other test has this, so no other store shares the connections and threads. */
    static final Duration CONNECT = Duration.ofMillis(61_234);

    private final MemoryStore memory = MemoryStore.create();
    private final Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());
    final ZarrArray written = Zarr.createArray(
            memory,
            PATH,
            ArraySpec.of("uint16", 64, 64)
                    .withChunkShape(8, 8)
                    .withShardShape(32, 32)
                    .withFillValue(FILL),
            IfExists.REFUSE,
            ZarrOptions.defaults());
    final short[] values = Values.noise(written, 1);

    void publish(FaultServer server) throws IOException {
        written.write(written.domain(), values, 0);
        for (String name : List.of("zarr.json", "c/0/0", "c/0/1", "c/1/0", "c/1/1")) {
            try (ObjectSnapshot object = memory.open(PATH + "/" + name).orElseThrow()) {
                ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(object.size()));
                object.read(0, bytes);
                server.put(PATH + "/" + name, bytes.array());
            }
        }
    }

    /**
     * Returns whether all elements are right; fails if one is wrong.
     *
     * @param isGone whether shards may be absent, so that elements may have the fill value
     */
    static boolean isRight(short[] expected, short[] found, boolean isGone) {
        boolean right = true;
        for (int i = 0; i < expected.length; i++) {
            right &= expected[i] == found[i];
            assertTrue(
                    expected[i] == found[i] || isGone && found[i] == FILL,
                    "element " + i + ": expected " + expected[i] + ", found " + found[i]);
        }
        return right;
    }

    /** Fails if a thread of a store outlives it. The timer of all stores of the process may. */
    void assertThreadsEnd() throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            boolean ours = thread.getName().startsWith("shardkit-http-")
                    && !thread.getName().equals("shardkit-http-timer");
            if (ours && !before.contains(thread)) {
                thread.join(120_000);
                assertFalse(thread.isAlive(), thread + " outlives its store");
            }
        }
    }
}
