package dev.shardkit.testkit.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.store.DeviceSync;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.Parallel;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of stores with {@link DeviceSync}, local or remote, as tests. To test a store, extend this class in
 * addition to {@link WritesContract}. Only a power failure shows whether the bytes are on the device: test that
 * separately.
 */
@Timeout(120)
public abstract class DeviceSyncContract extends StoreSuite {
    /** The number of threads of {@link Parallel#run}. */
    private static final int THREADS = 4;

    /** For subclasses. */
    protected DeviceSyncContract() {}

    private void force(String prefix) throws IOException {
        ability(DeviceSync.class).force(prefix);
    }

    @Test
    void force_anyPrefix_changesNoObject() throws IOException {
        List<String> keys = List.of("zarr.json", "a/zarr.json", "a/c/0/1", "ab/c");
        for (Durability durability : Durability.values()) {
            for (String key : keys) {
                store().put(key, StoreSuiteHelpers.content(StoreSuiteHelpers.bytes(key.length(), 1000)), durability);
            }
            String before = store().version("a/c/0/1").orElseThrow();
            for (String prefix : List.of("", "a", "a/c", "a/c/0")) {
                force(prefix);
                force(prefix);
            }
            assertEquals(before, store().version("a/c/0/1").orElseThrow(), "the version of a forced object");
            for (String key : keys) {
                assertArrayEquals(StoreSuiteHelpers.bytes(key.length(), 1000), get(key).orElseThrow(), key);
            }
        }
    }

    @Test
    void force_nothing_isNoFailure() throws IOException {
        force("");
        force("none/at/all");
        assertListed(Map.of(), "", "forcing creates nothing");
    }

    @Test
    void force_besideWrites_isNoFailure() throws Exception {
        Parallel.run(thread -> {
            try {
                for (int i = 0; i < 20; i++) {
                    if (thread == 0) {
                        force("a");
                    } else {
                        put("a/c/" + thread + "/" + i, StoreSuiteHelpers.bytes(i, 100));
                        store().delete("a/c/" + thread + "/" + (i - 1));
                    }
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        for (int thread = 1; thread < THREADS; thread++) {
            assertArrayEquals(
                    StoreSuiteHelpers.bytes(19, 100),
                    get("a/c/" + thread + "/19").orElseThrow());
        }
    }

    @Test
    void prefixes_illegal_areTheCallersMistake() {
        for (String prefix : StoreSuiteHelpers.ILLEGAL_KEYS) {
            if (!prefix.isEmpty()) {
                assertThrows(IllegalArgumentException.class, () -> force(prefix), prefix);
            }
        }
    }
}
