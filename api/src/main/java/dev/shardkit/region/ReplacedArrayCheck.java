package dev.shardkit.region;

import dev.shardkit.engine.run.ArrayIdentityCheck;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.ObjectChangedException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks, after a read that found corrupt data or an absent chunk, whether the array at the path is still the array
 * that was opened. Another program may have replaced it: the shards of the new array do not decode with the codecs of
 * the old handle. Data count as corrupt only if a second read fails too and the document did not change between the two
 * reads. A chunk counts as absent only if the array still exists. Used for one call.
 */
final class ReplacedArrayCheck implements ArrayIdentityCheck {
    private final StoredNode node;
    private final StoredShapeCheck shape;
    /** The version of the document after the last failure. */
    private @Nullable String version;

    private ReplacedArrayCheck(StoredNode node, StoredShapeCheck shape) {
        this.node = node;
        this.shape = shape;
    }

    /** Returns the check for one read of an array; for a remote store, a check that accepts everything. */
    static ArrayIdentityCheck of(StoredNode node, StoredShapeCheck shape) {
        // The end of a remote read must not wait for another request: it may run on the thread that receives responses.
        return node.session().isLocal() ? new ReplacedArrayCheck(node, shape) : NONE;
    }

    @Override
    public void confirmAbsence() {
        shape.refuseRemoved();
    }

    @Override
    public RuntimeException judge(CorruptDataException failure) {
        if (!node.session().isStored() || node.session().options().reading().isImmutable()) {
            return failure;
        }
        try {
            Optional<String> current = node.store(store -> store.version(node.documentKey()));
            shape.refuseReplaced();
            String previous = version;
            version = current.orElse(null);
            if (current.isEmpty() || current.get().equals(previous)) {
                return failure; // the second failure in a row with the same document
            }
            // the first failure, or the document has changed since the last one: the engine reads again
            return new ObjectChangedException("the array may have been replaced during the read: " + failure.fact())
                    .locate(
                            Optional.of(node.location()),
                            Optional.of(DataLocation.of(node.documentKey())),
                            Optional.empty());
        } catch (MetadataException e) {
            e.addSuppressed(failure);
            return e;
        } catch (ZarrException | IllegalStateException e) {
            failure.addSuppressed(e); // whether the array was replaced stays unknown, for example after a cancellation
            return failure;
        }
    }
}
