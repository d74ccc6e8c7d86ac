package dev.shardkit.cli.option;

import dev.shardkit.ZarrArray;
import dev.shardkit.cli.print.UsageException;
import java.util.List;
import java.util.Optional;

/** Resolves the option {@code --axis}: the name or the number of a dimension. Stateless. */
public final class AxisOption {
    private AxisOption() {}

    /** Returns the number of the dimension of {@code array}, counted from 0. */
    public static int dimension(ZarrArray array, String axis) {
        return dimension(array.shape().length, array.dimensionNames().orElse(List.of()), axis);
    }

    /** Returns the number of a dimension, counted from 0. */
    public static int dimension(int rank, List<Optional<String>> names, String axis) {
        if (rank == 0) {
            throw new UsageException("--axis: the array has no axes (its shape is []), found " + axis);
        }
        int named = names.indexOf(Optional.of(axis));
        if (named >= 0) {
            return named;
        }
        for (int d = 0; d < rank; d++) {
            if (axis.equals(Integer.toString(d))) {
                return d;
            }
        }
        List<String> known = names.stream().flatMap(Optional::stream).toList();
        throw new UsageException("--axis: expected a dimension from 0 to " + (rank - 1)
                + (known.isEmpty() ? "" : " or one of " + String.join(", ", known)) + ", found " + axis);
    }
}
