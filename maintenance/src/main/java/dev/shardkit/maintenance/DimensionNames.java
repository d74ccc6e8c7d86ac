package dev.shardkit.maintenance;

import dev.shardkit.ZarrArray;
import dev.shardkit.session.Consolidated;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.error.StoreException;
import java.util.List;
import java.util.Optional;

/** Names the dimensions of an array that states none (Zarr core specification, "dimension_names"). Stateless. */
public final class DimensionNames {
    private DimensionNames() {}

    /**
     * Names the dimensions of an array. An array that has these names already is not written.
     *
     * @throws StoreException if the array has other names
     * @throws IllegalArgumentException unless there is a name for each dimension
     */
    public static void add(ZarrArray array, List<String> names) {
        if (names.size() != array.shape().length) {
            throw new IllegalArgumentException(
                    "expected " + array.shape().length + " names, one for each dimension, found " + names.size());
        }
        Optional<List<Optional<String>>> wanted =
                Optional.of(names.stream().map(Optional::of).toList());
        StoredNode node = ArrayInternals.of(array).node();
        node.changeMetadata(array.metadata(), now -> {
            if (now.dimensionNames().isPresent() && !now.dimensionNames().equals(wanted)) {
                throw node.located(new StoreException("expected the names of dimensions " + names + " or none, found "
                        + now.dimensionNames().get().stream()
                                .map(name -> name.orElse("null"))
                                .toList()));
            }
            return now.toBuilder().dimensionNames(wanted.get()).build();
        });
        Consolidated.changed(node);
    }
}
