/**
 * Contract suites for stores: one for every store, and one for each ability.
 * {@link dev.shardkit.testkit.store.RemoteAdapter} turns a local store into a remote one, so that both pass the same
 * suites. Servers for stores that speak HTTP are in {@code dev.shardkit.testkit.server}.
 */
@NullMarked
package dev.shardkit.testkit.store;

import org.jspecify.annotations.NullMarked;
