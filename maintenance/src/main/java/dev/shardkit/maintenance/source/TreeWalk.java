package dev.shardkit.maintenance.source;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Visits a node and all nodes below it, for maintenance work on whole trees. Children are ordered by name. Stateless.
 */
public final class TreeWalk {
    private TreeWalk() {}

    /**
     * Visits the arrays.
     *
     * @param failed receives the path of a node that cannot be opened, and the reason
     * @return the number of arrays
     */
    public static long visit(ZarrNode node, Consumer<ZarrArray> arrays, BiConsumer<String, ZarrException> failed) {
        return visit(node, group -> {}, arrays, failed);
    }

    /**
     * Visits the groups and arrays; see {@link #visit(ZarrNode, Consumer, BiConsumer)}.
     *
     * @param groups receives each group, before its children
     */
    public static long visit(
            ZarrNode node,
            Consumer<ZarrGroup> groups,
            Consumer<ZarrArray> arrays,
            BiConsumer<String, ZarrException> failed) {
        if (node instanceof ZarrArray array) {
            arrays.accept(array);
            return 1;
        }
        ZarrGroup group = (ZarrGroup) node;
        groups.accept(group);
        Iterable<String> names;
        try {
            names = group.childNames();
        } catch (UnsupportedException | MetadataException | CorruptDataException e) {
            failed.accept(group.path(), e);
            return 0;
        }
        long count = 0;
        for (String name : names) {
            Optional<ZarrNode> child = Optional.empty();
            try {
                child = group.find(name);
            } catch (ZarrException e) {
                failed.accept(StoreKeys.join(group.path(), name), e);
            }
            count += child.isPresent() ? visit(child.get(), groups, arrays, failed) : 0;
        }
        return count;
    }

    /**
     * Visits the descendants of the child of a group, parents before their children. Visits nodes that cannot be opened
     * too, but does not visit the child itself.
     *
     * @param found receives the path of each node, relative to {@code group}
     */
    public static void visitDescendants(ZarrGroup group, String child, Consumer<String> found) {
        Iterable<String> names;
        ZarrGroup parent;
        try {
            if (!(group.find(child).orElse(group) instanceof ZarrGroup inner) || inner == group) {
                return;
            }
            parent = inner;
            names = inner.childNames();
        } catch (ZarrException e) {
            return; // the child cannot be opened; the caller has visited it
        }
        for (String name : names) {
            found.accept(StoreKeys.join(child, name));
            visitDescendants(parent, name, path -> found.accept(StoreKeys.join(child, path)));
        }
    }
}
