package dev.shardkit.session;

import dev.shardkit.engine.edit.ObjectChange;
import dev.shardkit.engine.edit.ObjectEdits;
import dev.shardkit.engine.edit.WriteContext;
import dev.shardkit.engine.run.ReadContext;
import dev.shardkit.json.JsonReader;
import dev.shardkit.metadata.MetadataReader;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.session.publication.UnfinishedMoves;
import dev.shardkit.session.search.FoundNode;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.TreeDeletions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A node of an opened store: the session that reads and writes it, and its path. The node need not exist. Immutable,
 * thread-safe.
 *
 * @param session the store with its options, engine and caches
 * @param path the path in the store, {@code a/b}; empty for the root
 */
public record StoredNode(Session session, String path) {
    /** The maximum time that a deletion waits for other writers. Meanwhile, the node is hidden from all writers. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    /** Returns the store key of {@code name} below this node. */
    public String key(String name) {
        return StoreKeys.join(path, name);
    }

    /** Returns the store key of the node's metadata document. */
    public String documentKey() {
        return key(NodePath.DOCUMENT);
    }

    /** Returns the descendant at {@code relative}, opened through {@code session}. */
    public StoredNode descendant(Session session, String relative) {
        return new StoredNode(session, key(relative));
    }

    /** Returns the keys of the documents that the node's metadata come from; empty if they are not stored. */
    public Set<String> documents() {
        if (!session.hasDocuments()) {
            return Set.of();
        }
        return session.foreign().map(FoundNode.Foreign::documents).orElseGet(() -> Set.of(documentKey()));
    }

    /** Returns this node in another session of the same store. */
    public StoredNode in(Session session) {
        return new StoredNode(session, path);
    }

    /** Returns the location of the node, for errors. */
    public String location() {
        return session.location(path);
    }

    /** Adds the location of the node to a failure. */
    public ZarrException located(ZarrException failure) {
        return failure.locate(Optional.of(location()), Optional.empty(), Optional.empty());
    }

    /** Returns how the node is read. Throws {@code IllegalStateException} if it was closed. */
    public ReadContext reading() {
        return session.reading(path);
    }

    /** Returns how the node is written. Throws {@code IllegalStateException} if it was closed or deleted. */
    public WriteContext writing() {
        return session.writing(path);
    }

    /** Runs a plan on the calling thread and workers. */
    public <T> T call(Supplier<Plan<T>> plan) {
        return session.engine().call(plan, reading());
    }

    /** Runs a plan on workers. */
    public <T> CompletableFuture<T> start(Supplier<Plan<T>> plan) {
        return session.engine().start(plan, reading());
    }

    /** Calls the store. */
    public <T> T store(Session.StoreCall<T> call) {
        return session.store(path, call);
    }

    /** Returns whether the node exists, in any format. A node with invalid metadata exists. */
    public boolean exists() {
        boolean hasDocument = !session.isLocal()
                ? hasRemoteDocument()
                : store(s -> {
                    Optional<ObjectSnapshot> document = s.open(documentKey());
                    if (document.isPresent()) {
                        document.get().close();
                    }
                    return document.isPresent();
                });
        if (hasDocument || session.registry().nodeFormats().isEmpty()) {
            return hasDocument;
        }
        try {
            return call(this::find)
                    .filter(found -> ImpliedGroups.isThere(found, session))
                    .isPresent();
        } catch (MetadataException | UnsupportedException e) {
            return true;
        }
    }

    /** Returns whether a remote store has the document. Reads its last byte, because documents may be large. */
    private boolean hasRemoteDocument() {
        return session.engine().call(() -> present(NodePath.DOCUMENT), session.reading(""));
    }

    /** Returns whether there is an object under {@code name} below this node. */
    public Plan<Boolean> present(String name) {
        return Source.stored(key(name))
                .read(new ByteRange.Suffix(1), (readResult, scratch) -> readResult instanceof ReadResult.Found);
    }

    /** Reads the node in any format; empty if it does not exist. */
    public Plan<Optional<FoundNode>> find() {
        return session.find(path);
    }

    /** Reads {@code zarr.json} without interpreting it; empty if there is none, or if it is not a JSON object. */
    public Plan<Optional<Json.Obj>> document() {
        return Source.stored(documentKey())
                .read(
                        ByteRange.whole(session.options().limits().metadataBytes()),
                        (readResult, scratch) -> readResult instanceof ReadResult.Found f
                                        && JsonReader.read(
                                                        f.bytes().toArray(),
                                                        session.options().limits())
                                                instanceof Json.Obj o
                                ? Optional.of(o)
                                : Optional.empty());
    }

    /** Reads the metadata in Zarr v3; empty if there is no {@code zarr.json}. */
    public Plan<Optional<NodeMetadata>> metadata() {
        MetadataReader reader =
                new MetadataReader(session.registry(), session.options().limits());
        return Source.stored(documentKey())
                .read(
                        ByteRange.whole(session.options().limits().metadataBytes()),
                        (readResult, scratch) -> readResult instanceof ReadResult.Found f
                                ? Optional.of(reader.read(f.bytes().toArray()))
                                : Optional.empty());
    }

    /** Reads the stored metadata without notifying listeners; empty if there is no {@code zarr.json}. */
    public Optional<NodeMetadata> stored() {
        return session.store().reads() instanceof LocalReads local
                ? session.edits().look(this::metadata, local, reading())
                : session.engine().call(this::metadata, reading().quiet());
    }

    /**
     * Reads the stored metadata; {@code known} if they are not stored yet.
     *
     * @throws MetadataException if the node was deleted, or replaced by one of another kind
     */
    public <M extends NodeMetadata> M current(M known) {
        return current(known, stored());
    }

    /**
     * Returns the metadata that were read; {@code known} if they are not stored yet.
     *
     * @throws MetadataException if the node was deleted, or replaced by one of another kind
     */
    @SuppressWarnings("unchecked")
    public <M extends NodeMetadata> M current(M known, Optional<NodeMetadata> found) {
        if (found.isPresent() && !known.getClass().isInstance(found.get())) {
            throw located(new MetadataException("the node was replaced by one of another kind"));
        }
        if (found.isEmpty() && session.isStored()) {
            throw deletedError();
        }
        return found.isPresent() ? (M) found.get() : known;
    }

    /** Returns the failure of a call on a node that no longer exists. */
    public ZarrException deletedError() {
        return located(new MetadataException("the node was deleted since it was opened: zarr.json is not found"));
    }

    /**
     * Changes the stored metadata document, under the node's lock. Members that {@code change} does not touch keep
     * their stored values. The change is made exactly once, even if the store's response is lost. If the store does not
     * know whether it made the change, the call fails with an {@link dev.shardkit.spi.error.UnknownOutcomeException}.
     *
     * @param known the metadata to change if the document is not stored yet
     * @return the changed metadata
     */
    public <M extends NodeMetadata> M changeMetadata(M known, UnaryOperator<M> change) {
        return changeMetadataBy(known, stored -> Plan.done(change.apply(stored)));
    }

    /** Does the same as {@link #changeMetadata} by a change that reads other objects while the lock is held. */
    public <M extends NodeMetadata> M changeMetadataBy(M known, Function<M, Plan<M>> change) {
        refuseForeign();
        AtomicReference<M> changed = new AtomicReference<>(current(known)); // fails before a lock file is made
        session.edits()
                .change(
                        documentKey(),
                        ObjectChange.once(policy -> metadata().then(found -> {
                            M stored = current(known, found);
                            return change.apply(stored).map(result -> {
                                changed.set(result);
                                return found.isPresent() && result.equals(stored)
                                        ? new Edit.Keep()
                                        : Edit.replace(Bytes.of(MetadataWriter.write(
                                                result, session.options().limits())));
                            });
                        })),
                        writing());
        return changed.get();
    }

    /** Throws {@code IllegalStateException} if the node was closed or deleted. */
    public void refuseEnded() {
        session.refuseEnded(path);
    }

    /**
     * Throws {@code UnsupportedException} if the node's documents are of another format, and
     * {@code IllegalStateException} if the node was closed or deleted.
     */
    public void refuseForeign() {
        refuseEnded();
        session.foreign().ifPresent(f -> {
            throw located(new UnsupportedException("the node is described by documents of " + f.format()
                    + ", which are not written; convert it to Zarr v3 first"));
        });
    }

    /** Removes everything at and below the path. */
    public void delete() {
        session.store().need(TreeDeletions.class, "deleting an array or group");
        Duration allowed = session.options().writing().lockPatience();
        Duration patience = allowed.compareTo(LONGEST_WAIT) < 0 ? allowed : LONGEST_WAIT;
        store(s -> {
            s.deleteAll(path, patience);
            return NoResult.INSTANCE;
        });
    }

    /** Throws if an unfinished move of arrays is at or below the path, as {@link UnfinishedMoves#refuse} does. */
    public void refuseUnfinishedMoves(String consequence) {
        store(s -> {
            UnfinishedMoves.refuse(s, path, consequence);
            return NoResult.INSTANCE;
        });
    }

    /** Removes the node with everything below it. Later writes through its handles fail. */
    public void deleteNode() {
        deleteNode(() -> {});
    }

    /**
     * Removes the node as {@link #deleteNode()} does.
     *
     * @param begin runs once all checks allow the removal, before anything is deleted
     */
    public void deleteNode(Runnable begin) {
        session.store().need(TreeDeletions.class, "deleting an array or group");
        ObjectEdits.refuseOwnLock(location(), "deleting " + location());
        refuseUnfinishedMoves("nothing was removed");
        begin.run();
        delete();
        session.endWrites();
    }
}
