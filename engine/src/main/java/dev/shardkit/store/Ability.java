package dev.shardkit.store;

/**
 * Something that a store can do beside reading: {@link Writes}, {@link Lists}, {@link Locks}, {@link Patches},
 * {@link Copies}, {@link Moves}, {@link Forces}, {@link Prunes}, {@link Sweeps}, {@link Locates}. A store implements
 * those it has, and {@link Store#find} gives them by type. No method of an ability says that the store cannot.
 */
public interface Ability {}
