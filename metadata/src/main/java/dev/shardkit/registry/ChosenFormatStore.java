package dev.shardkit.registry;

import dev.shardkit.spi.NodeFormat;
import dev.shardkit.store.ForwardingStore;
import dev.shardkit.store.Store;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * A store whose nodes are read in the formats that the location or the caller chose, instead of the formats that
 * shardkit tries by default. A location may choose the format: {@code n5:https://...}. If that format does not store
 * shapes, the location may state one, as in {@code wkw:https://...#shape=1,64,64,64}. Passes on all abilities of the
 * store.
 */
final class ChosenFormatStore extends ForwardingStore {
    private static final String SHAPE = "shape=";
    private static final int MAX_DIMENSIONS = 32;

    private final FormatChoice choice;
    private final Optional<long[]> shape;

    ChosenFormatStore(Store store, FormatChoice choice, Optional<long[]> shape) {
        super(store);
        this.choice = choice;
        this.shape = shape;
    }

    /** Returns the shape that the location states. */
    Optional<long[]> shape() {
        return shape.map(long[]::clone);
    }

    FormatChoice choice() {
        return choice;
    }

    /**
     * Returns the shape that a location states after {@code #}; empty if it states none.
     *
     * @throws IllegalArgumentException if it is not a list of lengths, or documents of {@code format} hold the shape
     */
    static Optional<long[]> shape(URI uri, NodeFormat format) {
        if (!statesShape(uri)) {
            return Optional.empty();
        } else if (!format.lacksShape()) {
            throw new IllegalArgumentException(
                    "expected a location of " + format.name() + " without #shape=, since its documents hold the shape");
        }
        String fragment = uri.getFragment();
        String[] lengths = fragment.substring(SHAPE.length()).split(",", -1);
        if (lengths.length > MAX_DIMENSIONS || Arrays.stream(lengths).anyMatch(n -> !n.matches("[0-9]{1,18}"))) {
            throw new IllegalArgumentException(
                    "expected lengths after #shape=, such as #shape=1,64,64,64, found \"" + fragment + "\"");
        }
        return Optional.of(Arrays.stream(lengths).mapToLong(Long::parseLong).toArray());
    }

    private static boolean statesShape(URI uri) {
        return uri.getFragment() != null && uri.getFragment().startsWith(SHAPE);
    }

    /**
     * Returns the location of the store: the part of {@code uri} after the name of the format. A text without a scheme
     * is a local path.
     */
    static URI location(URI uri) {
        String withShape = uri.toString();
        String text = statesShape(uri) ? withShape.substring(0, withShape.indexOf('#')) : withShape;
        String location = text.substring(text.indexOf(':') + 1);
        String path = uri.getSchemeSpecificPart().replaceFirst("(?is)^file:(?!/)", ""); // file:C:\data is a path
        // A scheme has at least two letters here; one letter is a drive of Windows.
        return path.matches("(?s)[A-Za-z][A-Za-z0-9+.-]+:.*")
                ? URI.create(location)
                : Path.of(path).toAbsolutePath().normalize().toUri();
    }
}
