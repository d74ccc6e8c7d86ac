package dev.shardkit.cli.command.copy;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.tree.DimensionNames;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.spi.ArrayCreation;
import dev.shardkit.store.Store;
import java.util.List;
import java.util.Optional;

/**
 * Warns users who copy an array without dimension names to a format with fixed dimensions, such as x, y, z. Stateless.
 */
final class UnnamedDimensionsCheck {
    private UnnamedDimensionsCheck() {}

    /**
     * Returns a note that says which dimensions the copy assumes. Without it, a volume of z, y, x would silently become
     * one of x, y, z. Empty if the array has dimension names or fewer than two dimensions, or if the target's format
     * has no fixed dimensions.
     *
     * @param source the location of {@code node} as the user gave it
     */
    static Optional<String> note(String source, ZarrNode node, Store target, ZarrOptions options) {
        if (!(node instanceof ZarrArray array)
                || array.shape().length < 2
                || DimensionNames.read(array).isPresent()) {
            return Optional.empty();
        }
        return NamedFormat.arrayCreation(target, options.registry())
                .map(creation -> assumedDimensions(creation.dimensions(), array.shape().length))
                .filter(dimensions -> dimensions.size() == array.shape().length)
                .map(dimensions -> "note: " + source + " has no dimension names, so its dimensions are taken as "
                        + String.join(", ", dimensions)
                        + " in this order. If their order is another one, copy an array "
                        + "that names them: see create --like and --dimension-names");
    }

    /** Returns the dimensions of the format, without the channel if the array has fewer dimensions than the format. */
    private static List<String> assumedDimensions(List<String> dimensions, int rank) {
        return dimensions.size() <= rank
                ? dimensions
                : dimensions.stream()
                        .filter(name -> !name.equals(ArrayCreation.CHANNEL))
                        .toList();
    }
}
