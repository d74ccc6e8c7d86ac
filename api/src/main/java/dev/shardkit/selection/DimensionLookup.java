package dev.shardkit.selection;

import java.util.List;
import java.util.Optional;

/** Finds dimensions by their names. Stateless. */
public final class DimensionLookup {
    private DimensionLookup() {}

    /**
     * Returns the number of the dimension called {@code name}.
     *
     * @throws IllegalArgumentException unless exactly one dimension has that name
     */
    public static int find(List<Optional<String>> names, String name) {
        int first = names.indexOf(Optional.of(name));
        if (first < 0 || first != names.lastIndexOf(Optional.of(name))) {
            throw new IllegalArgumentException((first < 0 ? "no dimension" : "more than one dimension") + " is called "
                    + name + "; the dimensions are "
                    + names.stream().map(n -> n.orElse("(no name)")).toList());
        }
        return first;
    }
}
