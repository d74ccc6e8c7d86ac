package dev.shardkit.cli.command;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.copy.DimensionNames;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.spi.ArrayCreation;
import dev.shardkit.store.Store;
import java.util.List;
import java.util.Optional;

/** Arrays without dimension names that are copied to a format with fixed dimensions, such as x, y, z. Stateless. */
final class UnnamedDimensions {
    private UnnamedDimensions() {}

    /**
     * Returns a note on the order in which the copy takes the dimensions of {@code from}. Empty if the array has names
     * or fewer than two dimensions, or if the format of {@code to} has no fixed ones. A volume of z, y, x would
     * otherwise become one of x, y, z without a word.
     *
     * @param source the location of {@code from} as the user gave it
     */
    static Optional<String> note(String source, ZarrNode from, Store to, ZarrOptions options) {
        if (!(from instanceof ZarrArray array)
                || array.shape().length < 2
                || DimensionNames.given(array).isPresent()) {
            return Optional.empty();
        }
        return NamedFormat.creation(to, options.registry())
                .map(creation -> taken(creation.dimensions(), array.shape().length))
                .filter(dimensions -> dimensions.size() == array.shape().length)
                .map(dimensions -> "note: " + source + " has no dimension names, so its dimensions are taken as "
                        + String.join(", ", dimensions)
                        + " in this order. If their order is another one, copy an array "
                        + "that names them: see create --like and --dimension-names");
    }

    private static List<String> taken(List<String> dimensions, int rank) {
        return dimensions.size() <= rank
                ? dimensions
                : dimensions.stream()
                        .filter(name -> !name.equals(ArrayCreation.CHANNEL))
                        .toList();
    }
}
