package dev.shardkit.store;

/**
 * An optional feature of a store, other than reading: {@link Writes}, {@link Listings}, {@link Locks}, {@link Patches},
 * {@link StagedPuts}, {@link Copies}, {@link Moves}, {@link Commits}, {@link DeviceSync}, {@link TreeDeletions},
 * {@link LeftoverCleanup}, {@link StoredChecksums}, {@link ObjectLocations}, {@link NameChecks}, {@link WriteOnce}. A
 * store implements the abilities that it has, and {@link Store#find} returns them by type. A store that lacks an
 * ability does not implement it, so no method has to refuse. {@link WriteOnce} is a restriction instead: the puts and
 * deletes of such a store refuse to change a stored object. An operation asks for the abilities that it needs before it
 * plans or writes anything ({@link Store#need}). The test kit has a contract suite for each ability.
 */
public interface Ability {}
