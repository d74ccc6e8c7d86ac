package dev.shardkit;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.List;
import java.util.Optional;

/**
 * The roles that the dimensions of an array have in an {@link Acquisition}: some are those of a frame, and along one of
 * the others its streams write ({@link AcquisitionOptions#dimensions}). Immutable.
 */
public final class FrameDimensions {
    private final List<String> names;
    private final int along;
    private final boolean[] isFrame;

    private FrameDimensions(List<String> names, int along, boolean[] isFrame) {
        this.names = names;
        this.along = along;
        this.isFrame = isFrame;
    }

    static FrameDimensions of(ArrayMetadata array, AcquisitionOptions options) {
        List<Optional<String>> given = array.dimensionNames().orElse(List.of());
        if (given.isEmpty() || given.stream().anyMatch(Optional::isEmpty)) {
            throw new UnsupportedException("an acquisition needs names of all dimensions of the array, found " + given);
        }
        List<String> names = given.stream().map(Optional::get).toList();
        List<String> frame = options.frame().isEmpty()
                ? names.subList(Math.max(0, names.size() - 2), names.size())
                : options.frame();
        boolean[] isFrame = new boolean[names.size()];
        frame.forEach(name -> isFrame[index(names, name)] = true);
        int along = index(names, options.streamsAlong().orElse(names.get(0)));
        if (isFrame[along]) {
            throw new IllegalArgumentException("expected streams along a dimension that is not one of the frame "
                    + frame + ", found \"" + names.get(along) + "\"");
        }
        return new FrameDimensions(names, along, isFrame);
    }

    /**
     * Returns the dimension of a name.
     *
     * @throws IllegalArgumentException if there is none
     */
    static int index(List<String> names, String name) {
        int d = names.indexOf(name);
        if (d < 0) {
            throw new IllegalArgumentException(
                    "expected a dimension of the array " + names + ", found \"" + name + "\"");
        }
        return d;
    }

    /** Returns the names of all dimensions. */
    public List<String> names() {
        return names;
    }

    /** Returns the dimension along which the streams write. */
    public int along() {
        return along;
    }

    /** Returns whether each dimension is one of a frame. */
    public boolean[] isFrame() {
        return isFrame.clone();
    }
}
