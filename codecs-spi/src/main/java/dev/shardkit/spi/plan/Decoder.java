package dev.shardkit.spi.plan;

import java.util.Optional;

/**
 * Turns the bytes of a read into a value. A pure function: any worker may call it, and a run calls it again if the
 * object has changed. Thread-safe.
 *
 * @param <V> the type of the value
 */
@FunctionalInterface
public interface Decoder<V> {
    /**
     * Decodes {@code result}. Its bytes and all memory borrowed from {@code scratch} become invalid when this method
     * returns.
     */
    V decode(ReadResult result, Scratch scratch);

    /**
     * Returns an identity for caching the value, in addition to store, key, version and range; empty (the default) if
     * the value should not be cached. Decoders with equal identities must be equivalent. Cached values must be
     * immutable.
     */
    default Optional<Object> identity() {
        return Optional.empty();
    }

    /** Returns how many bytes of memory {@code value} takes, for the cache's budget. */
    default long weight(V value) {
        return 0;
    }

    /** Returns a decoder whose values are cached under {@code identity}. */
    static <V> Decoder<V> kept(Object identity, java.util.function.ToLongFunction<V> weight, Decoder<V> decoder) {
        return new Kept<>(identity, weight, decoder);
    }

    /** A decoder with an identity; see {@link #kept}. */
    record Kept<V>(Object id, java.util.function.ToLongFunction<V> weigher, Decoder<V> decoder) implements Decoder<V> {
        @Override
        public V decode(ReadResult result, Scratch scratch) {
            return decoder.decode(result, scratch);
        }

        @Override
        public Optional<Object> identity() {
            return Optional.of(id);
        }

        @Override
        public long weight(V value) {
            return weigher.applyAsLong(value);
        }
    }
}
