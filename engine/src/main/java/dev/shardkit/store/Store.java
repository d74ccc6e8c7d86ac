package dev.shardkit.store;

import dev.shardkit.spi.error.UnsupportedException;
import java.util.Optional;

/**
 * Where keys have values (Zarr core specification, section "Stores"). Keys are {@code a/b/zarr.json}: names with single
 * slashes, none at the ends, no {@code .} or {@code ..}. Two questions are asked apart: how far its objects are
 * ({@link #reads}), and what it can do beside reading ({@link #find}). Thread-safe.
 */
public interface Store extends AutoCloseable {
    /** Where it is, for messages; never with a secret in it. */
    String describe();

    /** How its objects are read; always the same. A class may implement both interfaces, and return itself. */
    Reads reads();

    /**
     * An ability, if the store has it. By default it has those that its class implements. A store that wraps another
     * hands on the abilities that it keeps, and no others.
     */
    default <A extends Ability> Optional<A> find(Class<A> ability) {
        return ability.isInstance(this) ? Optional.of(ability.cast(this)) : Optional.empty();
    }

    /**
     * An ability that is needed.
     *
     * @param need what for, as the end of "store X cannot ..."
     * @throws UnsupportedException if the store does not have it
     */
    default <A extends Ability> A need(Class<A> ability, String need) {
        return find(ability).orElseThrow(() -> new UnsupportedException("store " + describe() + " cannot " + need));
    }

    /** Whether it has an ability. */
    default boolean can(Class<? extends Ability> ability) {
        return find(ability).isPresent();
    }

    /** Lets go of what it holds. Using it afterwards is the caller's mistake. */
    @Override
    default void close() {}
}
