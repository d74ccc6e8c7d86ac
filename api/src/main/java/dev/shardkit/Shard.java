package dev.shardkit;

import dev.shardkit.spi.array.Box;

/**
 * One shard of an array (without sharding: one chunk), stored or not. Immutable.
 *
 * @param cell its coordinates in the chunk grid
 * @param key the key of the object that is stored for it
 * @param box what of the region that was asked for lies in it, in the array's coordinates
 */
public record Shard(long[] cell, String key, Box box) {
    /** Takes a copy of {@code cell}. */
    public Shard {
        cell = cell.clone();
    }

    @Override
    public long[] cell() {
        return cell.clone();
    }

    /** Shards are equal when their keys and boxes are. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Shard s && key.equals(s.key) && box.equals(s.box);
    }

    @Override
    public int hashCode() {
        return 31 * key.hashCode() + box.hashCode();
    }

    @Override
    public String toString() {
        return key + " " + box;
    }
}
