package dev.shardkit.hdf5;

import dev.shardkit.spi.StoreKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The dimension scales of a file, and names for dimensions that have none. Without a name for each dimension, xarray
 * opens no array. As netCDF-C and h5netcdf do, a dimension without a scale is taken for one of the same length in its
 * group; if there is none, it is called {@code phony_dim_N}. Used by one thread.
 */
final class DimensionScales {
    /**
     * A dimension scale.
     *
     * @param group the path of its group
     * @param name its name, which is that of the dimension
     * @param length the length of the dimension
     * @param id the number by which netCDF-4 knows the dimension; -1 if there is none
     */
    record Scale(String group, String name, long length, long id) {}

    /** A dimension of a group. */
    private record Dimension(String name, long length) {}

    private final Supplier<List<Scale>> reader;
    private final Map<String, List<Dimension>> groups = new HashMap<>();
    private Optional<List<Scale>> scales = Optional.empty();
    private long next;

    /**
     * Creates names.
     *
     * @param reader reads all dimension scales; called at most once, for the first dimension without a name
     */
    DimensionScales(Supplier<List<Scale>> reader) {
        this.reader = reader;
    }

    private List<Scale> all() {
        if (scales.isEmpty()) {
            List<Scale> read = reader.get();
            for (Scale scale : read) {
                next = Math.max(next, scale.id()) + 1;
                groups.computeIfAbsent(scale.group(), group -> new ArrayList<>())
                        .add(new Dimension(scale.name(), scale.length()));
            }
            scales = Optional.of(read);
        }
        return scales.get();
    }

    /** Returns the name of the dimension that netCDF-4 knows by a number. */
    Optional<String> name(long id) {
        return all().stream()
                .filter(scale -> id >= 0 && scale.id() == id)
                .map(Scale::name)
                .findFirst();
    }

    /** Returns the names of all dimensions of a dataset. */
    List<String> names(String path, Dataset dataset) {
        List<String> names = new ArrayList<>();
        List<Optional<String>> stated = dataset.dimensions();
        for (int d = 0; d < stated.size(); d++) {
            names.add(
                    stated.get(d).isPresent() ? stated.get(d).get() : unused(path, dataset.shape()[d], stated, names));
        }
        return names;
    }

    /** Returns the first dimension of a length that the dataset does not have yet. */
    private String unused(String path, long length, List<Optional<String>> stated, List<String> names) {
        all();
        List<Dimension> known = groups.computeIfAbsent(StoreKeys.parent(path), group -> new ArrayList<>());
        Optional<String> found = known.stream()
                .filter(dimension -> dimension.length() == length)
                .map(Dimension::name)
                .filter(name -> !names.contains(name) && !stated.contains(Optional.of(name)))
                .findFirst();
        if (found.isPresent()) {
            return found.get();
        }
        String made = "phony_dim_" + next++;
        known.add(new Dimension(made, length));
        return made;
    }
}
