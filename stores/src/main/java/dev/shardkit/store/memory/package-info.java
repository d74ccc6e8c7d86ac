/**
 * The store of objects in memory, for tests and temporary data. Applications create it with
 * {@link dev.shardkit.store.memory.MemoryStore}, or open {@code memory:NAME}. It can also act as an object store
 * without locks.
 */
@NullMarked
package dev.shardkit.store.memory;

import org.jspecify.annotations.NullMarked;
