package dev.shardkit.maintenance.concat;

import dev.shardkit.maintenance.chunks.StoredObjects;
import dev.shardkit.maintenance.concat.Concatenation.Times;
import dev.shardkit.maintenance.concat.Concatenation.Transfer;
import dev.shardkit.maintenance.source.StateDigest;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.presence.ChunkLevel;
import dev.shardkit.region.ChunkPlans;
import dev.shardkit.region.ListedCells;
import dev.shardkit.session.Session;
import dev.shardkit.session.publication.PublicationRecord;
import dev.shardkit.session.publication.WorkKind;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.ObjectSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Creates and compares the records of unfinished concatenations, which show whether a run may resume an earlier one. A
 * record contains a digest of the settings, the source arrays, and a fingerprint of each array at the beginning. If
 * objects are moved, the fingerprint covers only the document, because the objects disappear one by one. Stateless.
 */
final class ConcatState {
    /** The member of the record with the locations of the source arrays. */
    private static final String ARRAYS = "sources";
    /** The member of the record with the fingerprints: how the source arrays were when the run began. */
    private static final String FINGERPRINTS = "were";

    private ConcatState() {}

    /** Returns the kind of work that the record of a run names. */
    static WorkKind work(Transfer transfer) {
        return transfer == Transfer.COPY ? WorkKind.CONCATENATION : WorkKind.MOVING_CONCATENATION;
    }

    /** Returns the record of a run that begins now. Takes the fingerprints of the sources. */
    static PublicationRecord newRecord(List<ConcatSource> sources, int axis, Transfer transfer, Times times) {
        List<Json> fingerprints = new ArrayList<>();
        for (ConcatSource source : sources) {
            Json.Obj fingerprint = Json.object().with("document", Json.of(document(source)));
            fingerprints.add(
                    transfer == Transfer.COPY ? fingerprint.with("objects", Json.of(objects(source))) : fingerprint);
        }
        return PublicationRecord.started(
                work(transfer),
                digest(sources, axis, times),
                Json.object()
                        .with(
                                ARRAYS,
                                Json.of(sources.stream()
                                        .map(ConcatSource::location)
                                        .toList()))
                        .with(FINGERPRINTS, new Json.Arr(fingerprints)));
    }

    /**
     * Returns a digest of the settings and the locations of the sources, without the fingerprints. It identifies a run,
     * and is the {@link PublicationRecord#source} of its record.
     */
    private static String digest(List<ConcatSource> sources, int axis, Times times) {
        StateDigest digest = new StateDigest();
        digest.add("axis " + axis);
        digest.add("times " + times);
        sources.forEach(source -> digest.add(source.location()));
        return digest.text();
    }

    /**
     * Returns whether {@code begun} is the record of a run with these sources and settings. Ignores the fingerprints.
     */
    static boolean isOfSame(
            PublicationRecord begun, List<ConcatSource> sources, int axis, Transfer transfer, Times times) {
        return begun.work() == work(transfer) && begun.source().equals(digest(sources, axis, times));
    }

    /** Returns the first source whose fingerprint differs from the one in the record {@code begun}. */
    static Optional<ConcatSource> findChanged(
            PublicationRecord begun, List<ConcatSource> sources, int axis, Transfer transfer, Times times) {
        Optional<Json> recorded = begun.details().get(FINGERPRINTS);
        List<Json> current = ((Json.Arr) newRecord(sources, axis, transfer, times)
                        .details()
                        .get(FINGERPRINTS)
                        .orElseThrow())
                .items();
        for (int i = 0; i < current.size(); i++) {
            boolean isSame = recorded.isPresent()
                    && recorded.get() instanceof Json.Arr list
                    && i < list.items().size()
                    && list.items().get(i).equals(current.get(i));
            if (!isSame) {
                return Optional.of(sources.get(i));
            }
        }
        return Optional.empty();
    }

    /** Returns a digest of the metadata of a source. */
    private static String document(ConcatSource source) {
        StateDigest digest = new StateDigest();
        digest.add(MetadataWriter.write(source.metadata()));
        return digest.text();
    }

    /** Returns a digest of the keys and versions of a source's objects; in a remote store, of the keys and sizes. */
    private static String objects(ConcatSource source) {
        StateDigest digest = new StateDigest();
        ChunkPlans chunks = source.chunks(source.metadata());
        ListedCells cells =
                ListedCells.of(source.node(), chunks, Box.of(chunks.grid().gridShape()));
        while (cells.hasNext()) {
            String key = chunks.key(cells.next());
            version(source.node().session(), key).ifPresent(version -> {
                digest.add(key);
                digest.add(version);
            });
        }
        return digest.text();
    }

    private static Optional<String> version(Session session, String key) {
        if (!session.isLocal()) {
            OptionalLong size = session.engine().call(() -> ChunkLevel.size(Source.stored(key)), session.reading(key));
            return size.isPresent() ? Optional.of(Long.toString(size.getAsLong())) : Optional.empty();
        }
        return session.store(key, store -> StoredObjects.find(store, key, ObjectSnapshot::version));
    }
}
