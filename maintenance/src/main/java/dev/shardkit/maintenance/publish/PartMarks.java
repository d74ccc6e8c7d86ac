package dev.shardkit.maintenance.publish;

import dev.shardkit.maintenance.Part;
import dev.shardkit.maintenance.chunks.StoreCalls;
import dev.shardkit.maintenance.chunks.StoredObjects;
import dev.shardkit.maintenance.source.StateDigest;
import dev.shardkit.session.publication.PublicationRecord;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Stores which parts of a job are complete that several processes share. The record of the job contains the number of
 * parts. Each complete part has a mark: an object in a folder beside the record, whose content is the digest of the
 * job's source. The staged objects alone do not show which parts are complete, because a shard of fill values is not
 * stored. Immutable.
 */
public final class PartMarks {
    private static final String FOLDER = PublicationRecord.KEY + "_parts";
    /** The largest number of digits of a number of parts, so that it fits into an int. */
    private static final int MAX_DIGITS = 9;
    /** The largest number of missing parts that a message names. */
    private static final int MAX_NAMED = 10;

    private final StoreCalls calls;
    private final String folder;
    private final Durability durability;

    public PartMarks(Store store, String path, Durability durability) {
        this.calls = new StoreCalls(BlockingStore.to(store), StoreKeys.location(store.describe(), path));
        this.folder = StoreKeys.join(path, FOLDER);
        this.durability = durability;
    }

    /** Returns the number of parts that a record contains; empty if the job is not shared. */
    public static Optional<Integer> count(PublicationRecord record) {
        return record.details()
                .get(PublicationRecord.PARTS)
                .map(Json::toString)
                .filter(text -> text.matches("[1-9][0-9]{0," + (MAX_DIGITS - 1) + "}"))
                .map(Integer::valueOf);
    }

    /** Returns a copy of the record with the number of parts. */
    public static PublicationRecord withPartCount(PublicationRecord record, Part part) {
        return record.with(PublicationRecord.PARTS, Json.of(part.count()));
    }

    private String key(int part, int partCount) {
        return folder + "/" + part + "_of_" + partCount;
    }

    /** Marks a part as complete. {@code source} is the digest of the job's source. */
    public void complete(Part part, String source) {
        Bytes content = Bytes.of(source.getBytes(StandardCharsets.UTF_8));
        calls.run(store -> store.put(key(part.number(), part.count()), Content.of(content), durability));
    }

    /** Removes the mark of a part. */
    public void removeMark(Part part) {
        calls.run(store -> store.delete(key(part.number(), part.count())));
    }

    /** Names the parts that are not complete for this source, such as {@code 2/8, 5/8}; empty if all are. */
    public String describeMissing(int parts, String source) {
        List<String> missing = new ArrayList<>();
        for (int part = 1; part <= parts && missing.size() <= MAX_NAMED; part++) {
            String key = key(part, parts);
            Optional<String> mark = calls.get(store -> StoredObjects.find(store, key, PartMarks::readMark));
            if (mark.filter(source::equals).isEmpty()) {
                missing.add(missing.size() < MAX_NAMED ? part + "/" + parts : "...");
            }
        }
        return String.join(", ", missing);
    }

    /**
     * Returns the content of a mark. Reads one byte more than a digest has, so that a longer mark is not equal to it.
     */
    private static String readMark(ObjectSnapshot object) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(object.size(), StateDigest.LENGTH + 1));
        object.read(0, bytes);
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
    }

    /** Removes all marks. If the store cannot delete the whole folder, removes the marks of {@code parts} parts. */
    public void removeAll(Optional<Integer> parts) {
        if (calls.store().can(TreeDeletions.class)) {
            calls.run(store -> store.deleteAll(folder));
            return;
        }
        for (int part = 1; part <= parts.orElse(0); part++) {
            String key = key(part, parts.get());
            calls.run(store -> store.delete(key));
        }
    }
}
