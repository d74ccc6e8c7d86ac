package dev.shardkit.maintenance.base;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.session.Handles;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The source of a job that publishes something made of it. Chunks of an array that was moved or removed during the job
 * read as absent, and so as the fill value. Therefore each job checks its sources right before it publishes. Stateless.
 */
public final class SourceNode {
    private SourceNode() {}

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
        StoredNode node = Handles.inside(source, StoredNode.class);
        if (node.session().isStored() && node.stored().isEmpty()) {
            throw node.gone();
        }
    }

    /** Returns the failure of {@link #confirm}: the chunks of an array that is gone are not found, and not sound. */
    public static Optional<MetadataException> loss(ZarrNode source) {
        try {
            confirm(source);
            return Optional.empty();
        } catch (MetadataException e) {
            return Optional.of(e);
        }
    }

    /**
     * Refuses a target that is the source, lies within it or contains it: replacing the target would destroy the
     * source. Local folders are compared by their identity, because names may differ where a file system ignores case,
     * or where it is mounted twice.
     *
     * @throws IllegalArgumentException if they overlap
     */
    public static void refuseOverlap(ZarrNode source, Store target) {
        Optional<Path> from = LocalFolders.of(source.location());
        Optional<Path> into = LocalFolders.of(target.describe());
        if (from.isPresent() && into.isPresent() && overlap(from.get(), into.get())) {
            throw new IllegalArgumentException("the source " + source.location() + " and the target "
                    + target.describe() + " overlap; choose a target outside of the source");
        }
    }

    /** Whether one of two locations is the other, or lies within it. */
    public static boolean overlap(String one, String other) {
        Optional<Path> folder = LocalFolders.of(one);
        Optional<Path> second = LocalFolders.of(other);
        return folder.isPresent() && second.isPresent()
                ? overlap(folder.get(), second.get())
                : isWithin(one, other) || isWithin(other, one);
    }

    private static boolean isWithin(String inner, String outer) {
        return inner.equals(outer)
                || inner.startsWith(outer.endsWith("/") || outer.endsWith("!") ? outer : outer + "/");
    }

    /**
     * Whether one of two local paths is the other, or lies within it, through links too. Neither need exist.
     *
     * @throws StoreException if a folder above them cannot be read
     */
    public static boolean overlap(Path one, Path other) {
        try {
            return isWithin(one, other) || isWithin(other, one);
        } catch (IOException e) {
            throw new StoreException("cannot find out whether " + one + " and " + other + " overlap: " + e, e);
        }
    }

    private static boolean isWithin(Path inner, Path outer) throws IOException {
        Path place = real(inner);
        if (place.startsWith(real(outer))) {
            return true;
        }
        for (Path above = place; above != null && Files.exists(outer); above = above.getParent()) {
            if (Files.exists(above) && Files.isSameFile(above, outer)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the real form of a path, resolving the part that exists. */
    private static Path real(Path path) throws IOException {
        Path absolute = path.toAbsolutePath();
        Path there = absolute;
        while (there != null && !Files.exists(there)) {
            there = there.getParent();
        }
        return there == null
                ? absolute.normalize()
                : there.toRealPath().resolve(there.relativize(absolute)).normalize();
    }
}
