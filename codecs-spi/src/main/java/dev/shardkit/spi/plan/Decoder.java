package dev.shardkit.spi.plan;

import java.util.Optional;

/**
 * Makes a value of the bytes that a read yields. Pure: called on any worker, perhaps again when the object has changed.
 * Thread-safe.
 *
 * @param <V> the value
 */
@FunctionalInterface
public interface Decoder<V> {
    /** Decodes {@code answer}; its bytes and whatever is borrowed from {@code scratch} are gone when this returns. */
    V decode(Answer answer, Scratch scratch);

    /**
     * What to keep the value under in a cache, beside store, key, version and range; empty (the default) if it is not
     * worth keeping. Equal identities mean equal decoders. A value that is kept must be immutable.
     */
    default Optional<Object> identity() {
        return Optional.empty();
    }

    /** How many bytes of memory {@code value} holds, for the cache's budget. */
    default long weight(V value) {
        return 0;
    }

    /** A decoder whose values are kept under {@code identity}. */
    static <V> Decoder<V> kept(Object identity, java.util.function.ToLongFunction<V> weight, Decoder<V> decoder) {
        return new Kept<>(identity, weight, decoder);
    }

    /** See {@link #kept}. */
    record Kept<V>(Object id, java.util.function.ToLongFunction<V> weigher, Decoder<V> decoder) implements Decoder<V> {
        @Override
        public V decode(Answer answer, Scratch scratch) {
            return decoder.decode(answer, scratch);
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
