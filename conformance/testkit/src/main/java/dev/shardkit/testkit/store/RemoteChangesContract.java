package dev.shardkit.testkit.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.Store;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The {@link RemoteReadsContract} with a test of changed objects, for stores whose objects can change while the store
 * is open. To test a store, extend this class.
 */
public abstract class RemoteChangesContract extends RemoteReadsContract {
    /** For subclasses. */
    protected RemoteChangesContract() {}

    /** Returns a store that is empty at first. */
    protected abstract Store freshStore() throws Exception;

    /** Creates or replaces the object under {@code key}, without the store. */
    protected abstract void serve(String key, byte[] value) throws Exception;

    @Override
    protected final Store storeOf(Map<String, byte[]> objects) throws Exception {
        Store store = freshStore();
        for (Map.Entry<String, byte[]> object : objects.entrySet()) {
            serve(object.getKey(), object.getValue());
        }
        return store;
    }

    @Test
    void fetch_pinnedToAnOldVersion_isObjectChanged() throws Exception {
        given("k", StoreSuiteHelpers.bytes(1, 1000));
        Optional<String> version = found("k", ByteRange.whole()).version();
        assertEquals(hasVersions(), version.isPresent());
        serve("k", StoreSuiteHelpers.bytes(2, 1001));
        FetchResult.Found next = found("k", ByteRange.whole());
        assertEquals(1001, next.objectSize());
        if (!hasVersions()) {
            return;
        }
        assertNotEquals(version, next.version());
        for (ByteRange range : List.of(
                new ByteRange.Slice(0, 10),
                new ByteRange.Suffix(9),
                ByteRange.whole(),
                new ByteRange.Slice(0, 0),
                new ByteRange.Slice(2000, 1))) {
            assertThrows(ObjectChangedException.class, () -> fetch(store(), "k", range, version), range.toString());
        }
    }
}
