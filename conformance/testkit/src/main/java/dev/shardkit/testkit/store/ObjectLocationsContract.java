package dev.shardkit.testkit.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.store.ObjectLocations;
import dev.shardkit.store.Store;
import java.io.InputStream;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of stores with {@link ObjectLocations}, local or remote, as tests: a store says in which file or at
 * which URL an object is. To test a store, extend this class and supply a store with given objects.
 */
@Timeout(120)
public abstract class ObjectLocationsContract {
    private @Nullable Store opened;
    private final Map<String, byte[]> objects = new TreeMap<>();

    /** For subclasses. */
    protected ObjectLocationsContract() {}

    /** Returns a store with exactly these objects that can locate them. Called once for each test. */
    protected abstract Store storeOf(Map<String, byte[]> objects) throws Exception;

    /** Returns the keys of the objects. Override it to leave out keys that the store cannot hold. */
    protected List<String> keys() {
        return List.of("zarr.json", "a/c/0/1", "a b/c d", "%2F", "a+b", "\u00e4/\u65e5", "empty");
    }

    /** Reads the whole file or body at {@code uri}, by default through {@link java.net.URL}. */
    protected byte[] bytesAt(URI uri) throws Exception {
        try (InputStream in = uri.toURL().openStream()) {
            return in.readAllBytes();
        }
    }

    @BeforeEach
    final void makeStore() throws Exception {
        for (String key : keys()) {
            objects.put(key, StoreSuiteHelpers.bytes(key.hashCode(), key.equals("empty") ? 0 : 1000));
        }
        opened = storeOf(objects);
    }

    @AfterEach
    final void closeStore() {
        if (opened != null) {
            opened.close();
        }
    }

    private Optional<ObjectLocations.Location> locate(String key) {
        return Objects.requireNonNull(opened)
                .find(ObjectLocations.class)
                .orElseThrow(
                        () -> new AssertionError("find(ObjectLocations.class) is empty, though the suite expects it"))
                .locate(key);
    }

    @Test
    void locate_object_leadsToItsBytes() throws Exception {
        for (Map.Entry<String, byte[]> e : objects.entrySet()) {
            ObjectLocations.Location location =
                    locate(e.getKey()).orElseThrow(() -> new AssertionError("no place for " + e.getKey()));
            byte[] all = bytesAt(location.uri());
            int offset = Math.toIntExact(location.offset());
            int end = offset + e.getValue().length;
            assertTrue(offset >= 0 && end <= all.length, location + " for " + e.getKey() + " is outside");
            assertArrayEquals(e.getValue(), Arrays.copyOfRange(all, offset, end), e.getKey());
        }
    }

    @Test
    void locate_again_isTheSame() {
        for (String key : objects.keySet()) {
            assertEquals(locate(key), locate(key));
        }
    }

    @Test
    void locate_absentObject_isNoFailure() {
        locate("none/at/all");
        locate("a/c/0/1/deeper");
    }

    /** Checks that other programs can use the location, and that it contains no secret. */
    @Test
    void locate_uri_isAbsoluteAndWithoutCredentials() {
        for (String key : objects.keySet()) {
            locate(key).ifPresent(location -> {
                assertTrue(location.uri().isAbsolute(), location.toString());
                assertEquals(
                        Optional.empty(), Optional.ofNullable(location.uri().getUserInfo()), "user information");
            });
        }
    }

    @Test
    void keys_illegal_areTheCallersMistake() {
        for (String key : StoreSuiteHelpers.ILLEGAL_KEYS) {
            assertThrows(IllegalArgumentException.class, () -> locate(key), key);
        }
    }
}
