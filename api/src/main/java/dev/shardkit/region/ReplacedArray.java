package dev.shardkit.region;

import dev.shardkit.engine.CorruptionCheck;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.Place;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.ObjectChangedException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether data that look corrupt belong to another array, which was created at the path after a handle was
 * opened: its shards do not decode with the codecs of the handle. Data are corrupt only if a second read fails too, and
 * the document is the same before and after it. Used for one call.
 */
final class ReplacedArray implements CorruptionCheck {
    private final StoredNode node;
    private final ArrayMetadata known;
    /** The version of the document after the last failure. */
    private @Nullable String version;

    private ReplacedArray(StoredNode node, ArrayMetadata known) {
        this.node = node;
        this.known = known;
    }

    /** Returns the check for one read of an array; for a remote store, it accepts every failure. */
    static CorruptionCheck doubt(StoredNode node, ArrayMetadata known) {
        // The end of a remote read must not wait for another request: it may run on the thread that receives answers.
        boolean able = node.session().isNear()
                && node.session().isStored()
                && !node.session().options().reading().isImmutable();
        return able ? new ReplacedArray(node, known) : NONE;
    }

    @Override
    public RuntimeException judge(CorruptDataException failure) {
        try {
            Optional<String> now = node.store(store -> store.version(node.documentKey()));
            new StoredShape(node, known).refuseReplaced();
            String before = version;
            version = now.orElse(null);
            if (now.isEmpty() || now.get().equals(before)) {
                return failure;
            }
            return new ObjectChangedException("the array may have been replaced during the read: " + failure.fact())
                    .locate(Optional.of(node.location()), Optional.of(Place.of(node.documentKey())), Optional.empty());
        } catch (MetadataException e) {
            e.addSuppressed(failure);
            return e;
        } catch (ZarrException | IllegalStateException e) {
            failure.addSuppressed(e); // unknown, also if the call was cancelled
            return failure;
        }
    }
}
