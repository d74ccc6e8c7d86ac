package dev.shardkit.spi.error;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The root of all failures that shardkit declares. A codec throws the local fact ("expected 8192 bytes, found 17");
 * callers with more context add the array, the key, the inner chunk and the byte range by {@link #locate}.
 *
 * <p>The caller's own mistakes (a region out of bounds, a wrong array type) cause {@link IllegalArgumentException} and
 * similar exceptions instead. A missing chunk is a failure only if the caller asked for one
 * ({@link MissingChunkException}).
 */
public abstract sealed class ZarrException extends RuntimeException
        permits MetadataException, UnsupportedException, CorruptDataException, StoreException {
    private static final long serialVersionUID = 1L;

    private transient @Nullable String array;
    private transient @Nullable DataLocation location;
    private transient @Nullable String range;

    ZarrException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * Adds the location of the failure. Keeps details that are already known, because the first caller knows them best.
     * If the known location has no key (an inner chunk of bytes in memory), a location with a key completes it.
     */
    public final synchronized ZarrException locate(
            Optional<String> array, Optional<DataLocation> location, Optional<String> range) {
        if (this.array == null) {
            this.array = array.orElse(null);
        }
        if (this.location == null) {
            this.location = location.filter(p -> !p.toString().isEmpty()).orElse(null);
            this.range = range.orElse(null);
        } else if (this.location.acceptsKey()
                && location.flatMap(DataLocation::key).isPresent()) {
            this.location = this.location.within(location.get());
            this.range = range.orElse(null);
        }
        return this;
    }

    /** Returns the array's location, if it is known. */
    public final synchronized Optional<String> array() {
        return Optional.ofNullable(array);
    }

    /** Returns the stored object and the inner chunk, if they are known. */
    public final synchronized Optional<DataLocation> location() {
        return Optional.ofNullable(location);
    }

    /** Returns the original message, without the location. */
    public final String fact() {
        return String.valueOf(super.getMessage());
    }

    @Override
    public final synchronized String getMessage() {
        StringBuilder text = new StringBuilder(fact());
        boolean isDocument = location != null && location.isDocument();
        String separator = " [";
        if (array != null) {
            text.append(separator)
                    .append(isDocument ? "node " : location == null ? "at " : "array ")
                    .append(array);
            separator = ", ";
        }
        if (location != null) {
            text.append(separator).append(location);
            separator = ", ";
        }
        // Metadata documents are always read as a whole.
        if (range != null && !isDocument) {
            text.append(separator).append(range);
            separator = ", ";
        }
        return separator.equals(" [") ? text.toString() : text.append(']').toString();
    }
}
