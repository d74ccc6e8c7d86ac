package dev.shardkit.session;

import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Answer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.Prunes;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;

/** Makes room for a new node. Stateless, thread-safe. */
public final class NewNode {
    private NewNode() {}

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

    /** Returns the refusal of a path at which a node exists. */
    public static StoreException exists(StoredNode node) {
        StoreException e = new StoreException("an array or group already exists here; Existing.OVERWRITE replaces it");
        return (StoreException) node.located(e);
    }

    /** Removes everything at and below this path. Throws if a node cannot be created there. */
    public static void deleteExisting(StoredNode node) {
        NamedFormat.refuseZarr(node.session().store());
        check(node);
        node.session().store().need(Prunes.class, "replacing an array or group");
        EnclosingArray.refuse(node);
        node.delete();
    }

    /**
     * Writes the first document of a node, under the node's lock.
     *
     * @return whether the document is stored; false if another program has created another node here meanwhile
     */
    public static boolean create(StoredNode node, NodeMetadata metadata) {
        node.refuseForeign();
        byte[] document = MetadataWriter.write(metadata);
        AtomicBoolean stored = new AtomicBoolean();
        node.session()
                .edits()
                .change(
                        node.documentKey(),
                        policy -> Source.stored(node.documentKey())
                                .read(
                                        ByteRange.whole(node.session()
                                                .options()
                                                .limits()
                                                .metadataBytes()),
                                        (answer, scratch) -> {
                                            boolean absent = !(answer instanceof Answer.Found);
                                            stored.set(absent || isOwn(document, answer));
                                            return absent ? Edit.replace(Bytes.of(document)) : new Edit.Keep();
                                        }),
                        node.writing());
        return stored.get();
    }

    /** Whether the document is that of an earlier attempt, whose answer was lost, or of an equal node. */
    private static boolean isOwn(byte[] document, Answer answer) {
        return answer instanceof Answer.Found found
                && Arrays.equals(document, found.bytes().toArray());
    }

    private static void check(StoredNode node) {
        NodePath.of(node.path());
        node.session().writable("creating an array or group");
    }
}
