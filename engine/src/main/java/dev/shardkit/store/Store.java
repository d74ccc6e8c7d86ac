package dev.shardkit.store;

import dev.shardkit.spi.error.UnsupportedException;
import java.util.Optional;

/**
 * Maps keys to objects (Zarr core specification, section "Stores"). Keys are {@code a/b/zarr.json}: names with single
 * slashes, none at the ends, no {@code .} or {@code ..}. A store answers two questions separately: how its objects are
 * read ({@link #reads}), and what else it can do ({@link #find}). Thread-safe.
 */
public interface Store extends AutoCloseable {
    /** Returns where the store is, for messages; never contains a secret. */
    String describe();

    /** Returns how objects are read; always the same value. A class may implement both interfaces and return itself. */
    Reads reads();

    /**
     * Returns an ability, if the store has it. By default a store has the abilities that its class implements. A store
     * that wraps another passes on only the abilities that it keeps.
     */
    default <A extends Ability> Optional<A> find(Class<A> ability) {
        return ability.isInstance(this) ? Optional.of(ability.cast(this)) : Optional.empty();
    }

    /**
     * Returns an ability that an operation needs. An operation asks for all its abilities before it plans or writes
     * anything.
     *
     * @param purpose the operation, for the message "the store X cannot list objects; PURPOSE needs this"
     * @throws UnsupportedException if the store does not have it
     */
    default <A extends Ability> A need(Class<A> ability, String purpose) {
        return find(ability).orElseThrow(() -> MissingAbility.of(this, ability, purpose));
    }

    /** Returns whether the store has an ability. */
    default boolean can(Class<? extends Ability> ability) {
        return find(ability).isPresent();
    }

    /** Releases the store's resources. The caller must not use the store afterwards. */
    @Override
    default void close() {}
}
