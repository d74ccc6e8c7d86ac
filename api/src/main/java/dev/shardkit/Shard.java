package dev.shardkit;

import dev.shardkit.spi.array.Box;

/**
 * A shard of an array (without sharding: a chunk), stored or not. Immutable.
 *
 * @param cell its coordinates in the chunk grid
 * @param key the key of its stored object
 * @param box its part of the requested region, in the array's coordinates
 */
public record Shard(long[] cell, String key, Box box) {
    /** Copies {@code cell}. */
    public Shard {
        cell = cell.clone();
    }

    @Override
    public long[] cell() {
        return cell.clone();
    }

    /** Compares keys and boxes. */
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
