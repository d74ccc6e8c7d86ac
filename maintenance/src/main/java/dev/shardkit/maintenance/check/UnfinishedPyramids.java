package dev.shardkit.maintenance.check;

import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.base.StateDigest;
import dev.shardkit.session.InternalAccess;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.UnfinishedNode;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.BiConsumer;

/** Finds groups that hold the mark of an interrupted pyramid or copy. Readers can open such groups. Stateless. */
final class UnfinishedPyramids {
    private UnfinishedPyramids() {}

    /**
     * Visits the marked groups at and below a group.
     *
     * @param found receives the path of each, and what was interrupted and how it is finished
     */
    static void below(ZarrGroup group, BiConsumer<String, String> found) {
        if (group.nodeFormat().isPresent()) {
            return; // only groups of Zarr v3 are marked
        }
        SortedSet<String> names;
        try {
            mark(group).ifPresent(mark -> found.accept(group.path(), text(group, mark)));
            names = group.childNames();
        } catch (MetadataException | StoreException | UnsupportedException e) {
            return; // the walk over the arrays reports it
        }
        for (String name : names) {
            Optional<ZarrNode> child = Optional.empty();
            try {
                child = group.find(name);
            } catch (ZarrException e) {
                continue; // reported as well
            }
            if (child.isPresent() && child.get() instanceof ZarrGroup below) {
                below(below, found);
            }
        }
    }

    /** Returns what verify says about a marked group. */
    static Finding finding(String path, String what) {
        return new Finding(
                Finding.Severity.NOTE,
                Finding.Kind.UNFINISHED,
                path,
                Optional.empty(),
                Optional.empty(),
                "no unfinished pyramid or copy",
                what);
    }

    private static Optional<Bytes> mark(ZarrGroup group) {
        StoredNode node = InternalAccess.inside(group, StoredNode.class);
        return node.store(store -> StateDigest.read(store, StoreKeys.join(group.path(), UnfinishedNode.COPY_MARK)));
    }

    private static String text(ZarrGroup group, Bytes mark) {
        if (mark.size() <= StateDigest.LENGTH) {
            return "an unfinished copy; rerun the interrupted command to finish it";
        }
        byte[] name =
                mark.slice(StateDigest.LENGTH, mark.size() - StateDigest.LENGTH).toArray();
        String source = StoreKeys.location(group.location(), new String(name, StandardCharsets.UTF_8));
        return "an unfinished pyramid of " + source
                + "; rerun the command with its options to finish it: shardkit pyramid " + source;
    }
}
