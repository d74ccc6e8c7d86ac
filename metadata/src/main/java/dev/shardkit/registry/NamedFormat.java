package dev.shardkit.registry;

import dev.shardkit.spi.ArrayCreation;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Store;
import java.util.Optional;

/**
 * Tells which formats the nodes of a store may have: the one that its location names, as in {@code n5:https://...}, or
 * those that the caller chose. Also restricts a store to such a choice. Does not recognize formats by their content.
 * Stateless.
 */
public final class NamedFormat {
    private NamedFormat() {}

    /** Returns the name of the node format that the location of {@code store} named; see {@link Registry#open}. */
    public static Optional<String> name(Store store) {
        return choice(store) instanceof FormatChoice.Named named ? Optional.of(named.name()) : Optional.empty();
    }

    /** Returns the formats that nodes of {@code store} may have. */
    public static FormatChoice choice(Store store) {
        return store instanceof ChosenFormatStore chosen ? chosen.choice() : FormatChoice.USUAL;
    }

    /**
     * Returns {@code store} with a choice of formats. A format that the location names stays in force;
     * {@link FormatChoice#USUAL} changes nothing.
     *
     * @throws UnsupportedException if no plug-in has the format that the choice names
     * @throws IllegalArgumentException if the store already has another format
     */
    public static Store choose(Store store, FormatChoice choice, Registry registry) {
        Optional<String> locationFormat = name(store);
        if (choice instanceof FormatChoice.Named named) {
            registry.choose(Plugin.Kind.NODE_FORMAT, named.name(), "");
            locationFormat.filter(name -> !name.equals(named.name())).ifPresent(name -> {
                throw new IllegalArgumentException("expected one format, found " + named.name()
                        + " in the options, and a store of the format " + name + "; leave one of them out");
            });
        }
        if (choice instanceof FormatChoice.Zarr && locationFormat.isPresent()) {
            throw new IllegalArgumentException(
                    "expected one format, found Zarr in the options, and a store of the format " + locationFormat.get()
                            + "; leave one of them out");
        }
        return locationFormat.isPresent() || choice instanceof FormatChoice.Usual || choice.equals(choice(store))
                ? store
                : new ChosenFormatStore(store, choice, Optional.empty());
    }

    /** Returns the shape that the location of {@code store} states; see {@link NodeFormat#lacksShape}. */
    public static Optional<long[]> shape(Store store) {
        return store instanceof ChosenFormatStore chosen ? chosen.shape() : Optional.empty();
    }

    /**
     * Refuses new nodes of Zarr v3 where the location names another format.
     *
     * @throws UnsupportedException if the location names another format
     */
    public static void refuseZarr(Store store) {
        name(store).ifPresent(name -> {
            throw new UnsupportedException("shardkit creates no such nodes of the format " + name
                    + "; to create an array or group of Zarr v3, leave out the name of the format");
        });
    }

    /**
     * Returns the way to create arrays in the format that the location of {@code store} names; empty if shardkit
     * creates none.
     */
    public static Optional<ArrayCreation> arrayCreation(Store store, Registry registry) {
        return name(store).flatMap(name -> registry.nodeFormats().stream()
                .filter(format -> format.name().equals(name))
                .findFirst()
                .flatMap(NodeFormat::arrayCreation));
    }
}
