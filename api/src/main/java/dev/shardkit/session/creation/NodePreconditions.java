package dev.shardkit.session.creation;

import dev.shardkit.engine.edit.ObjectChange;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnknownOutcomeException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.TreeDeletions;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Checks that a node can be created at a path, deletes an existing node, and stores the first document of the new node.
 * Stateless, thread-safe.
 */
public final class NodePreconditions {
    private NodePreconditions() {}

    /** Throws if a node of Zarr v3 cannot be created at this path, or if a node exists. */
    public static void refuseExisting(StoredNode node) {
        NamedFormat.refuseZarr(node.session().store());
        refusePresent(node);
    }

    /** Throws if a node of any format cannot be created at this path, or if a node exists. */
    public static void refusePresent(StoredNode node) {
        check(node);
        EnclosingArray.refuse(node);
        if (node.exists()) {
            throw exists(node);
        }
    }

    /** Returns the error for a path at which a node exists. */
    public static StoreException exists(StoredNode node) {
        StoreException e = new StoreException("an array or group already exists here; IfExists.OVERWRITE replaces it");
        return (StoreException) node.located(e);
    }

    /** Removes everything at and below this path. Throws if a node cannot be created there. */
    public static void deleteExisting(StoredNode node) {
        NamedFormat.refuseZarr(node.session().store());
        check(node);
        node.session().store().need(TreeDeletions.class, "replacing an array or group");
        EnclosingArray.refuse(node);
        node.refuseUnfinishedMoves("nothing was overwritten");
        node.delete();
    }

    /**
     * Writes the first document of a node, under the node's lock.
     *
     * @return whether the document is stored; false if another program has created another node here meanwhile
     */
    public static boolean create(StoredNode node, NodeMetadata metadata) {
        node.refuseForeign();
        byte[] document =
                MetadataWriter.write(metadata, node.session().options().limits());
        AtomicBoolean stored = new AtomicBoolean();
        try {
            node.session()
                    .edits()
                    .change(
                            node.documentKey(),
                            ObjectChange.once(policy -> document(node).map(found -> {
                                stored.set(isAbsentOrEqual(found, document));
                                return found.isPresent() ? new Edit.Keep() : Edit.replace(Bytes.of(document));
                            })),
                            node.writing());
            return stored.get();
        } catch (UnknownOutcomeException e) {
            if (node.call(() -> document(node))
                    .filter(found -> isEqual(found, document))
                    .isPresent()) {
                return true; // the document is of this call, or of another call that created an equal node
            }
            throw e;
        }
    }

    /** Reads the document of a node; empty if there is none. */
    private static Plan<Optional<Bytes>> document(StoredNode node) {
        return Source.stored(node.documentKey())
                .read(
                        ByteRange.whole(node.session().options().limits().metadataBytes()),
                        (result, scratch) -> result instanceof ReadResult.Found found
                                ? Optional.of(found.bytes().copy())
                                : Optional.empty());
    }

    private static boolean isAbsentOrEqual(Optional<Bytes> found, byte[] document) {
        return found.isEmpty() || isEqual(found.get(), document);
    }

    private static boolean isEqual(Bytes found, byte[] document) {
        return Arrays.equals(document, found.toArray());
    }

    /** Throws if the path is invalid for a new node, or the store cannot be written. */
    private static void check(StoredNode node) {
        NodePath.of(node.path()).checkedNew();
        node.session().writable("creating an array or group");
    }
}
