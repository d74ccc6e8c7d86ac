package dev.shardkit.hdf5.dataset;

import dev.shardkit.spi.StoreKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The dimension scales of a file. Also chooses names for dimensions without a scale, because xarray requires a name for
 * each dimension. As in netCDF-C and h5netcdf, such a dimension gets the name of a dimension with the same length in
 * its group, or else {@code phony_dim_N}. Used by one thread.
 */
public final class DimensionScales {
    /**
     * A dimension scale.
     *
     * @param group the path of its group
     * @param name the name of the scale and of the dimension
     * @param length the length of the dimension
     * @param id the id that netCDF-4 gave to the dimension; -1 if there is none
     */
    public record Scale(String group, String name, long length, long id) {}

    /** A dimension of a group. */
    private record Dimension(String name, long length) {}

    private final Supplier<List<Scale>> reader;
    private final Map<String, List<Dimension>> dimensionsByGroup = new HashMap<>();
    private Optional<List<Scale>> scales = Optional.empty();
    private long nextPhonyNumber;

    /**
     * Creates the dimension scales of a file.
     *
     * @param reader reads all dimension scales; called at most once, when the first one is needed
     */
    public DimensionScales(Supplier<List<Scale>> reader) {
        this.reader = reader;
    }

    /** Returns the scales, which the first call reads. */
    private List<Scale> readScales() {
        if (scales.isEmpty()) {
            List<Scale> read = reader.get();
            for (Scale scale : read) {
                // As in netCDF-C, the numbers of phony dimensions follow the ids of the scales.
                nextPhonyNumber = Math.max(nextPhonyNumber, scale.id()) + 1;
                dimensionsByGroup
                        .computeIfAbsent(scale.group(), group -> new ArrayList<>())
                        .add(new Dimension(scale.name(), scale.length()));
            }
            scales = Optional.of(read);
        }
        return scales.get();
    }

    /** Returns the name of the dimension with an id of netCDF-4. */
    Optional<String> nameOf(long id) {
        return readScales().stream()
                .filter(scale -> id >= 0 && scale.id() == id)
                .map(Scale::name)
                .findFirst();
    }

    /** Returns the names of all dimensions of a dataset. */
    public List<String> names(String path, Hdf5Dataset dataset) {
        List<String> names = new ArrayList<>();
        List<Optional<String>> ownNames = dataset.dimensions();
        for (int d = 0; d < ownNames.size(); d++) {
            names.add(
                    ownNames.get(d).isPresent()
                            ? ownNames.get(d).get()
                            : unusedName(path, dataset.shape()[d], ownNames, names));
        }
        return names;
    }

    /**
     * Returns the first dimension name of this length that the dataset does not use yet. Creates {@code phony_dim_N} if
     * there is none.
     */
    private String unusedName(String path, long length, List<Optional<String>> ownNames, List<String> names) {
        readScales();
        List<Dimension> groupDimensions =
                dimensionsByGroup.computeIfAbsent(StoreKeys.parent(path), group -> new ArrayList<>());
        Optional<String> found = groupDimensions.stream()
                .filter(dimension -> dimension.length() == length)
                .map(Dimension::name)
                .filter(name -> !names.contains(name) && !ownNames.contains(Optional.of(name)))
                .findFirst();
        if (found.isPresent()) {
            return found.get();
        }
        String newName = "phony_dim_" + nextPhonyNumber++;
        groupDimensions.add(new Dimension(newName, length));
        return newName;
    }
}
