package dev.shardkit.cli.option;

import dev.shardkit.ZarrArray;
import dev.shardkit.cli.print.WrongUse;
import java.util.List;
import java.util.Optional;

/** A dimension in the option {@code --axis}: its name, or its number. Stateless. */
public final class NamedAxis {
    private NamedAxis() {}

    /** Returns the number of the dimension of {@code array}, counted from 0. */
    public static int of(ZarrArray array, String dimension) {
        return of(array.shape().length, array.dimensionNames().orElse(List.of()), dimension);
    }

    /** Returns the number of a dimension, counted from 0. */
    public static int of(int rank, List<Optional<String>> names, String dimension) {
        if (rank == 0) {
            throw new WrongUse("--axis: the array has no axes (its shape is []), found " + dimension);
        }
        int named = names.indexOf(Optional.of(dimension));
        if (named >= 0) {
            return named;
        }
        for (int d = 0; d < rank; d++) {
            if (dimension.equals(Integer.toString(d))) {
                return d;
            }
        }
        List<String> known = names.stream().flatMap(Optional::stream).toList();
        throw new WrongUse("--axis: expected a dimension from 0 to " + (rank - 1)
                + (known.isEmpty() ? "" : " or one of " + String.join(", ", known)) + ", found " + dimension);
    }
}
