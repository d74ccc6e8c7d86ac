package dev.shardkit.engine;

import dev.shardkit.store.BlockingStore;
import dev.shardkit.store.Durability;
import java.time.Duration;

/**
 * What a write needs beside its plan. Immutable.
 *
 * @param store where the objects are
 * @param array the key of the array's node, for locks
 * @param reading how old content is read
 * @param durability what a write survives
 * @param patience how long to wait for another writer of the same object
 */
public record WriteContext(
    BlockingStore store, String array, ReadContext reading, Durability durability, Duration patience) {}
