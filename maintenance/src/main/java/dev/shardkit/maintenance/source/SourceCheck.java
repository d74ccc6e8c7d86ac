package dev.shardkit.maintenance.source;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.StoredObjects;
import dev.shardkit.maintenance.local.LocalFolders;
import dev.shardkit.session.InternalAccess;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Checks the source of a job. Chunks of an array that was moved or removed during the job read as absent, and so as the
 * fill value. Therefore each job checks its sources right before it publishes its result. Stateless.
 */
public final class SourceCheck {
    private SourceCheck() {}

    /**
     * Throws if a source is no longer the node that was opened. Reads its document, in every kind of store. Attributes
     * may have changed, and an array may have grown.
     *
     * @throws MetadataException if the node was deleted, moved or replaced, or an array was made smaller
     */
    public static void confirm(ZarrNode source) {
        if (source instanceof ZarrArray array) {
            ArrayInternals.of(array).shape().refuseChanged();
            return;
        }
        StoredNode node = InternalAccess.inside(source, StoredNode.class);
        if (node.session().isStored() && node.stored().isEmpty()) {
            throw node.deletedError();
        }
    }

    /**
     * Returns the failure of {@link #confirm}, if it fails. For a verification: chunks of an array that was deleted
     * meanwhile look absent, and must not be reported as sound.
     */
    public static Optional<MetadataException> loss(ZarrNode source) {
        try {
            confirm(source);
            return Optional.empty();
        } catch (MetadataException e) {
            return Optional.of(e);
        }
    }

    /**
     * Returns a digest of the keys and versions of the node's documents. Another digest tells that another program has
     * made or changed the node since.
     */
    public static String documentVersions(ZarrNode source) {
        StoredNode node = source instanceof ZarrArray array
                ? ArrayInternals.of(array).node()
                : InternalAccess.inside(source, StoredNode.class);
        StateDigest digest = new StateDigest();
        for (String key : new TreeSet<>(node.documents())) {
            digest.add(key);
            digest.add(node.store(store -> StoredObjects.find(store, key, ObjectSnapshot::version))
                    .orElse(""));
        }
        return digest.text();
    }

    /**
     * Refuses a target that is the source, lies within it or contains it: replacing the target would destroy the
     * source. Local folders and archives are compared by their identity ({@link LocalFolders#isWithin}).
     *
     * @throws IllegalArgumentException if they overlap
     */
    public static void refuseOverlap(ZarrNode source, Store target) {
        if (isLocal(source.location())
                && isLocal(target.describe())
                && LocalFolders.overlap(source.location(), target.describe())) {
            throw new IllegalArgumentException("the source " + source.location() + " and the target "
                    + target.describe() + " overlap; choose a target outside of the source");
        }
    }

    private static boolean isLocal(String location) {
        return LocalFolders.folderOrArchive(location).isPresent();
    }
}
