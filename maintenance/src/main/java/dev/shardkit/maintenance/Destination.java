package dev.shardkit.maintenance;

import dev.shardkit.Zarr;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreAccess;
import dev.shardkit.store.Writes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The root of a store that a new array or tree goes to. To make room, a Zarr node or a copy that was cut short is
 * removed, never anything else: a mistyped folder costs nothing. Not thread-safe.
 */
public final class Destination {
    /** Marks a copy that is not finished. Names that begin with two underscores are never listed as nodes. */
    private static final String UNFINISHED = "__unfinished_copy";

    private static final String DOCUMENT = "zarr.json";

    private final StoreAccess store;
    private final StoreCalls calls;

    private Destination(StoreAccess store) {
        this.store = store;
        this.calls = new StoreCalls(store, store.describe());
    }

    /**
     * The root of {@code store}.
     *
     * @throws dev.shardkit.spi.error.UnsupportedException if it cannot write
     */
    public static Destination of(Store store) {
        store.need(Writes.class, "write");
        return new Destination(StoreAccess.to(store));
    }

    /**
     * Leaves the root empty, or refuses.
     *
     * @param existing what becomes of a node or an unfinished copy that is there
     * @throws StoreException if something is there that is not to be replaced
     */
    public void makeRoom(Zarr.Existing existing) {
        calls.run(s -> makeRoom(existing == Zarr.Existing.OVERWRITE));
    }

    private void makeRoom(boolean overwrite) throws IOException {
        boolean node = has(DOCUMENT);
        if (node || has(UNFINISHED)) {
            if (!overwrite) {
                throw new StoreException(
                        store.describe() + " already holds " + (node ? "an array or group" : "an unfinished copy")
                                + "; it is replaced on request only (--overwrite)");
            }
            store.deleteAll("");
            return;
        }
        List<String> names = new ArrayList<>();
        store.list("", entry -> names.add(entry.name()));
        if (!names.isEmpty()) {
            throw new StoreException(store.describe() + " is not empty and holds no Zarr v3 node (but " + names.get(0)
                    + "); nothing is overwritten there");
        }
    }

    /** Whether an unfinished copy of this state is there. The empty state is no state. */
    boolean holds(Bytes state) {
        return state.size() > 0
                && calls.get(s -> ConversionState.read(s, UNFINISHED))
                        .filter(state::contentEquals)
                        .isPresent();
    }

    /** Says that what follows is unfinished until {@link #finish}, and what it is a copy of. */
    void begin(Bytes state, Durability durability) {
        calls.run(s -> s.put(UNFINISHED, Content.of(state), durability));
    }

    /** Says that it is finished. */
    void finish() {
        calls.run(s -> s.delete(UNFINISHED));
    }

    private boolean has(String key) throws IOException {
        Optional<Snapshot> found = store.open(key);
        if (found.isPresent()) {
            found.get().close();
        }
        return found.isPresent();
    }
}
