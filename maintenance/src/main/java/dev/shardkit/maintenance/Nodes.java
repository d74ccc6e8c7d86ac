package dev.shardkit.maintenance;

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

/** The arrays at and below a node, ordered by name. */
final class Nodes {
    private Nodes() {}

    /**
     * Visits the arrays.
     *
     * @param failed receives the path of a node that cannot be opened, and the reason
     * @return the number of arrays
     */
    static long visit(ZarrNode node, Consumer<ZarrArray> array, BiConsumer<String, ZarrException> failed) {
        if (node instanceof ZarrArray a) {
            array.accept(a);
            return 1;
        }
        ZarrGroup group = (ZarrGroup) node;
        Iterable<String> names;
        try {
            names = group.childNames();
        } catch (UnsupportedException | MetadataException | CorruptDataException e) {
            failed.accept(group.path(), e);
            return 0;
        }
        long arrays = 0;
        for (String name : names) {
            Optional<ZarrNode> child = Optional.empty();
            try {
                child = group.find(name);
            } catch (ZarrException e) {
                failed.accept(StoreKeys.join(group.path(), name), e);
            }
            arrays += child.isPresent() ? visit(child.get(), array, failed) : 0;
        }
        return arrays;
    }
}
