/**
 * The interfaces that a store implements, local or remote, to read and write objects under keys, with the values that
 * they exchange. They are in one package, because an author of a store needs most of them. The stores themselves are in
 * other modules, the choices of callers in {@link dev.shardkit.store.policy}, calls that block in
 * {@link dev.shardkit.store.access}. A store plug-in is a {@link dev.shardkit.store.Store}, a
 * {@link dev.shardkit.store.StoreFactory} that opens it, and one line in
 * {@code META-INF/services/dev.shardkit.store.StoreFactory}.
 *
 * <p>A store reads by {@link dev.shardkit.store.LocalReads} (calls that block: files, memory) or
 * {@link dev.shardkit.store.RemoteReads} (futures: HTTP, object stores). To be written it implements
 * {@link dev.shardkit.store.Writes}, or {@link dev.shardkit.store.BlockingWrites} if its calls block. Each other
 * {@link dev.shardkit.store.Ability} is optional. A store that changes a part of another one extends
 * {@link dev.shardkit.store.ForwardingStore}.
 */
@NullMarked
package dev.shardkit.store;

import org.jspecify.annotations.NullMarked;
