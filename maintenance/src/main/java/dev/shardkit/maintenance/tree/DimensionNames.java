package dev.shardkit.maintenance.tree;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.consolidated.ConsolidatedUpdates;
import dev.shardkit.spi.error.StoreException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads and adds the dimension names of arrays (Zarr core specification, "dimension_names"). Stateless. */
public final class DimensionNames {
    /** Names that HDF5 readers generate for unnamed dimensions. They have no meaning. */
    private static final Pattern GENERIC = Pattern.compile("phony_dim_[0-9]+");

    private DimensionNames() {}

    /**
     * Returns the dimension names, without names that HDF5 readers generate ({@code phony_dim_N}).
     *
     * @return for each dimension a name or empty; empty if no dimension has a name
     */
    public static Optional<List<Optional<String>>> read(ZarrArray array) {
        return array.dimensionNames()
                .map(names -> names.stream()
                        .map(name -> name.filter(text -> !GENERIC.matcher(text).matches()))
                        .toList())
                .filter(names -> names.stream().anyMatch(Optional::isPresent));
    }

    /**
     * Names the dimensions of an array. No-op if it already has these names.
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
            if (read(array).isPresent() && !now.dimensionNames().equals(wanted)) {
                throw node.located(new StoreException("expected the names of dimensions " + names + " or none, found "
                        + now.dimensionNames().get().stream()
                                .map(name -> name.orElse("null"))
                                .toList()));
            }
            return now.toBuilder().dimensionNames(wanted.get()).build();
        });
        ConsolidatedUpdates.changed(node);
    }
}
