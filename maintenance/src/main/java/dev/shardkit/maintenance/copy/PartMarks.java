package dev.shardkit.maintenance.copy;

import dev.shardkit.maintenance.Part;
import dev.shardkit.maintenance.base.StateDigest;
import dev.shardkit.maintenance.base.StoreCalls;
import dev.shardkit.maintenance.base.StoredObjects;
import dev.shardkit.session.UnfinishedNode;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreAccess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The marks of complete parts in an unfinished target, beside the mark of the target itself. A shard of fill values is
 * not stored, so the stored shards alone do not tell which parts are complete.
 */
final class PartMarks {
    private static final String COUNT = UnfinishedNode.PARTS;
    private static final int MAX_DIGITS = 9;
    private static final int MAX_NAMED = 10;

    private final String target;
    private final StoreCalls calls;
    private final Durability durability;

    PartMarks(Store target, Durability durability) {
        this.target = target.describe();
        this.calls = new StoreCalls(StoreAccess.to(target), target.describe());
        this.durability = durability;
    }

    private static String key(int part, int of) {
        return UnfinishedNode.COPY_MARK + "_part_" + part + "_of_" + of;
    }

    /** Records the number of parts, or compares it with the recorded one. */
    void begin(Part part) {
        Optional<Integer> parts = count();
        if (parts.isPresent() && parts.get() != part.count()) {
            throw new StoreException(target + " holds an unfinished copy in " + parts.get() + " parts, found part "
                    + part + ": use the same number of parts, or remove the unfinished copy");
        }
        put(COUNT, Bytes.of(Integer.toString(part.count()).getBytes(StandardCharsets.US_ASCII)));
    }

    private Optional<Integer> count() {
        return calls.get(store -> StoredObjects.find(store, COUNT, this::number));
    }

    private int number(Snapshot object) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(object.size(), MAX_DIGITS + 1));
        object.read(0, bytes);
        String text = new String(bytes.array(), StandardCharsets.US_ASCII);
        if (!text.matches("[1-9][0-9]{0," + (MAX_DIGITS - 1) + "}")) {
            throw new StoreException(COUNT + " of " + target + ": expected the number of parts, found '" + text + "'");
        }
        return Integer.parseInt(text);
    }

    /** Marks a part as complete. */
    void complete(Part part, Bytes state) {
        put(key(part.number(), part.count()), state);
    }

    /** Removes the mark of a part. */
    void withdraw(Part part) {
        calls.run(store -> store.delete(key(part.number(), part.count())));
    }

    private void put(String key, Bytes content) {
        calls.run(store -> store.put(key, Content.of(content), durability));
    }

    /**
     * Checks that all parts are complete.
     *
     * @throws StoreException if one is missing
     */
    void check(Bytes state) {
        int parts = count().orElseThrow(() ->
                new StoreException(target + " holds an unfinished copy, but no part of it was made: run all parts"
                        + " first, such as --part 1/8 to --part 8/8"));
        List<String> missing = new ArrayList<>();
        for (int part = 1; part <= parts && missing.size() <= MAX_NAMED; part++) {
            String key = key(part, parts);
            Optional<Bytes> mark = calls.get(store -> StateDigest.read(store, key));
            if (mark.isEmpty() || !mark.get().contentEquals(state)) {
                missing.add(missing.size() < MAX_NAMED ? part + "/" + parts : "...");
            }
        }
        if (!missing.isEmpty()) {
            throw new StoreException(target + " is not complete: missing part " + String.join(", ", missing)
                    + ". Run it again, then finish; nothing was published");
        }
    }

    /** Removes the marks. */
    void remove() {
        Optional<Integer> parts = count();
        for (int part = 1; part <= parts.orElse(0); part++) {
            String key = key(part, parts.get());
            calls.run(store -> store.delete(key));
        }
        calls.run(store -> store.delete(COUNT));
    }
}
