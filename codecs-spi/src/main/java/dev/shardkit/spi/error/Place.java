package dev.shardkit.spi.error;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A place in the stored data: the key of a stored object, or the name of an object in a file of another format, and the
 * path of inner chunks within it. Places are created often, so each is a single linked node. Immutable.
 */
public final class Place {
    private static final Set<String> DOCUMENTS = Set.of("zarr.json", ".zarray", ".zgroup", ".zattrs", ".zmetadata");
    private static final Place NOWHERE = new Place(null, null, null, new long[0]);

    private final @Nullable Place outer;
    private final @Nullable String key;
    private final @Nullable String name;
    private final long[] cell;

    private Place(@Nullable Place outer, @Nullable String key, @Nullable String name, long[] cell) {
        this.outer = outer;
        this.key = key;
        this.name = name;
        this.cell = cell;
    }

    /** Returns the place of bytes that are not part of a stored object. */
    public static Place nowhere() {
        return NOWHERE;
    }

    /** Returns the place of the whole object stored under {@code key}. */
    public static Place of(String key) {
        return new Place(null, key, null, new long[0]);
    }

    /**
     * Returns the place of an object in a file of another format, by the name that its users know, such as
     * {@code dataset /air}. It has no key, because users do not know the keys of the Zarr nodes that stand for it.
     */
    public static Place named(String name) {
        return new Place(null, null, name, new long[0]);
    }

    /**
     * Returns the place of the inner chunk at {@code cell} of the shard at this place. The caller gives the array up,
     * which must not change.
     */
    public Place inner(long[] cell) {
        return new Place(this, key, name, cell);
    }

    /** Returns this place, which has no key, relative to {@code outer}. */
    Place within(Place outer) {
        Place place = outer;
        for (long[] c : innerChunks()) {
            place = place.inner(c);
        }
        return place;
    }

    /** Returns the key of the stored object, if there is one. */
    public Optional<String> key() {
        return Optional.ofNullable(key);
    }

    /** Returns the cells of the inner chunks, outermost level first; empty for the object as a whole. */
    public List<long[]> innerChunks() {
        List<long[]> cells = new ArrayList<>();
        for (Place p = this; p.outer != null; p = p.outer) {
            cells.add(0, p.cell.clone());
        }
        return cells;
    }

    /** Whether {@link #within} may add a key: this place has neither a key nor a name. */
    boolean acceptsKey() {
        return key == null && name == null;
    }

    /** Whether the stored object is a metadata document. */
    boolean isDocument() {
        return key != null && DOCUMENTS.contains(key.substring(key.lastIndexOf('/') + 1));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(name != null ? name : "");
        text.append(key == null ? "" : (isDocument() ? "metadata " : "shard or chunk ") + key);
        for (long[] c : innerChunks()) {
            text.append(text.isEmpty() ? "" : ", ").append("inner chunk ").append(Arrays.toString(c));
        }
        return text.toString();
    }
}
