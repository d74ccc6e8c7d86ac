package dev.shardkit.spi.error;

import java.util.Optional;

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

    private transient Optional<String> array = Optional.empty();
    private transient Optional<Place> place = Optional.empty();
    private transient Optional<String> range = Optional.empty();

    ZarrException(String message, Optional<Throwable> cause) {
        super(message, cause.orElse(null));
    }

    /**
     * Adds the place of the failure. Facts that are already known are kept, since the first one is the most precise. A
     * place without a key (an inner chunk of bytes in memory) is completed by a place that has one.
     */
    public final synchronized ZarrException locate(
            Optional<String> array, Optional<Place> place, Optional<String> range) {
        if (this.array.isEmpty()) {
            this.array = array;
        }
        if (this.place.isEmpty()) {
            this.place = place.filter(p -> !p.toString().isEmpty());
            this.range = range;
        } else if (this.place.get().key().isEmpty() && place.flatMap(Place::key).isPresent()) {
            this.place = this.place.map(p -> p.within(place.get()));
            this.range = range;
        }
        return this;
    }

    /** Returns the array's location, if it is known. */
    public final synchronized Optional<String> array() {
        return array;
    }

    /** Returns the stored object and the inner chunk, if they are known. */
    public final synchronized Optional<Place> place() {
        return place;
    }

    /** Returns the original message, without the place. */
    public final String fact() {
        return String.valueOf(super.getMessage());
    }

    @Override
    public final synchronized String getMessage() {
        StringBuilder text = new StringBuilder(fact());
        String separator = " [";
        if (array.isPresent()) {
            text.append(separator)
                    .append(place.map(Place::isDocument).orElse(false) ? "node " : "array ")
                    .append(array.get());
            separator = ", ";
        }
        if (place.isPresent()) {
            text.append(separator).append(place.get());
            separator = ", ";
        }
        // Metadata documents are always read as a whole.
        if (range.isPresent() && !place.map(Place::isDocument).orElse(false)) {
            text.append(separator).append(range.get());
            separator = ", ";
        }
        return separator.equals(" [") ? text.toString() : text.append(']').toString();
    }
}
