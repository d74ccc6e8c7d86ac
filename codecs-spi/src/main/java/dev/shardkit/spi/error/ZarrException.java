package dev.shardkit.spi.error;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The root of all failures that shardkit declares. A codec throws the local fact ("expected 8192 bytes, found 17");
 * callers with more context add the array, the key, the inner chunk and the byte range by {@link #locate}.
 *
 * <p>The caller's own mistakes (a region out of bounds, a wrong array type) cause {@link IllegalArgumentException} and
 * similar exceptions instead. A missing chunk is not a failure.
 */
public abstract sealed class ZarrException extends RuntimeException
        permits MetadataException, UnsupportedException, CorruptDataException, StoreException {
    private static final long serialVersionUID = 1L;

    private transient @Nullable String array;
    private transient @Nullable DataLocation place;
    private transient @Nullable String range;

    ZarrException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * Adds the place of the failure. Facts that are already known are kept, since the first one is the most precise. A
     * place without a key (an inner chunk of bytes in memory) is completed by a place that has one.
     */
    public final synchronized ZarrException locate(
            Optional<String> array, Optional<DataLocation> place, Optional<String> range) {
        if (this.array == null) {
            this.array = array.orElse(null);
        }
        if (this.place == null) {
            this.place = place.filter(p -> !p.toString().isEmpty()).orElse(null);
            this.range = range.orElse(null);
        } else if (this.place.acceptsKey() && place.flatMap(DataLocation::key).isPresent()) {
            this.place = this.place.within(place.get());
            this.range = range.orElse(null);
        }
        return this;
    }

    /** Returns the array's location, if it is known. */
    public final synchronized Optional<String> array() {
        return Optional.ofNullable(array);
    }

    /** Returns the stored object and the inner chunk, if they are known. */
    public final synchronized Optional<DataLocation> place() {
        return Optional.ofNullable(place);
    }

    /** Returns the original message, without the place. */
    public final String fact() {
        return String.valueOf(super.getMessage());
    }

    @Override
    public final synchronized String getMessage() {
        StringBuilder text = new StringBuilder(fact());
        boolean isDocument = place != null && place.isDocument();
        String separator = " [";
        if (array != null) {
            text.append(separator)
                    .append(isDocument ? "node " : place == null ? "at " : "array ")
                    .append(array);
            separator = ", ";
        }
        if (place != null) {
            text.append(separator).append(place);
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
