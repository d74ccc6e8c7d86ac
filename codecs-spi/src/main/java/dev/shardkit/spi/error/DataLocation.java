package dev.shardkit.spi.error;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A location in the stored data, for errors: the key of a stored object, or the name of an object in a file of another
 * format, and the inner chunks within it, from the outermost level inwards. Locations are created often, so the
 * location of an inner chunk is one small object that refers to the location of its shard. Immutable.
 */
public final class DataLocation {
    private static final Set<String> DOCUMENTS = Set.of("zarr.json", ".zarray", ".zgroup", ".zattrs", ".zmetadata");
    private static final DataLocation NOWHERE = new DataLocation(null, null, null, new long[0]);

    /** The location of the shard, if this is the location of an inner chunk; otherwise null. */
    private final @Nullable DataLocation outer;

    private final @Nullable String key;
    private final @Nullable String name;
    /** The coordinates of the inner chunk in its shard; empty if this is not the location of an inner chunk. */
    private final long[] cell;

    private DataLocation(@Nullable DataLocation outer, @Nullable String key, @Nullable String name, long[] cell) {
        this.outer = outer;
        this.key = key;
        this.name = name;
        this.cell = cell;
    }

    /** Returns the location of bytes that are not part of a stored object. */
    public static DataLocation nowhere() {
        return NOWHERE;
    }

    /** Returns the location of the whole object stored under {@code key}. */
    public static DataLocation of(String key) {
        return new DataLocation(null, key, null, new long[0]);
    }

    /**
     * Returns the location of an object in a file of another format, by the name that its users know, such as
     * {@code dataset /air}. It has no key, because users do not know the keys of the Zarr nodes that stand for it.
     */
    public static DataLocation named(String name) {
        return new DataLocation(null, null, name, new long[0]);
    }

    /**
     * Returns the location of the inner chunk at {@code cell} of the shard at this location. The caller must not change
     * {@code cell} afterwards, because it is not copied.
     */
    public DataLocation inner(long[] cell) {
        return new DataLocation(this, key, name, cell);
    }

    /** Returns the location of the same inner chunks within {@code outer}; this location must not have a key. */
    DataLocation within(DataLocation outer) {
        DataLocation result = outer;
        for (long[] c : innerChunks()) {
            result = result.inner(c);
        }
        return result;
    }

    /** Returns the key of the stored object, if there is one. */
    public Optional<String> key() {
        return Optional.ofNullable(key);
    }

    /** Returns the cells of the inner chunks, outermost level first; empty for the object as a whole. */
    public List<long[]> innerChunks() {
        List<long[]> cells = new ArrayList<>();
        for (DataLocation location = this; location.outer != null; location = location.outer) {
            cells.add(0, location.cell.clone());
        }
        return cells;
    }

    /** Returns whether {@link #within} may add a key: this location has neither a key nor a name. */
    boolean acceptsKey() {
        return key == null && name == null;
    }

    /** Returns whether the stored object is a metadata document. */
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
