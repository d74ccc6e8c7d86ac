package dev.shardkit.registry;

import dev.shardkit.spi.ArrayCreation;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Store;
import java.util.Optional;

/** What the location of a store says of its nodes: their format, as in {@code n5:https://...}. Stateless. */
public final class NamedFormat {
    private NamedFormat() {}

    /** Returns the name of the node format that the location of {@code store} named; see {@link Registry#open}. */
    public static Optional<String> name(Store store) {
        return store instanceof NamedFormatStore named ? Optional.of(named.format()) : Optional.empty();
    }

    /** Returns the shape that the location of {@code store} states; see {@link NodeFormat#lacksShape}. */
    public static Optional<long[]> shape(Store store) {
        return store instanceof NamedFormatStore named ? named.shape() : Optional.empty();
    }

    /**
     * Refuses new nodes of Zarr v3 where the location names another format.
     *
     * @throws UnsupportedException if it does
     */
    public static void refuseZarr(Store store) {
        name(store).ifPresent(name -> {
            throw new UnsupportedException(
                    "the location names the format " + name + ", in which shardkit creates no such "
                            + "node; to create an array or group of Zarr v3, leave out \"" + name + ":\"");
        });
    }

    /** Returns how new arrays of the format that the location of {@code store} names are described, if it has any. */
    public static Optional<ArrayCreation> creation(Store store, Registry registry) {
        return name(store).flatMap(name -> registry.nodeFormats().stream()
                .filter(format -> format.name().equals(name))
                .findFirst()
                .flatMap(NodeFormat::creation));
    }
}
