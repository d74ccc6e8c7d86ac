package dev.shardkit.store;

import dev.shardkit.spi.plan.Bytes;
import java.util.OptionalLong;

/** A part of a value that a store makes of other things ({@link Reads#parts}). Immutable and thread-safe. */
public sealed interface ObjectPart {
    /** How many bytes it adds. */
    long size();

    /**
     * Bytes of another object of the same store.
     *
     * @param key that object's key
     * @param offset the first byte
     * @param size how many
     * @param objectSize how many bytes the object must have, else it is not what was meant; empty if any size is right
     */
    record Stored(String key, long offset, long size, OptionalLong objectSize) implements ObjectPart {
        /** Refuses what is no range. */
        public Stored {
            if (offset < 0 || size < 0 || offset + size < 0) {
                throw new IllegalArgumentException("not a part of an object: offset " + offset + ", size " + size);
            }
        }
    }

    /** Bytes that are here. */
    record Literal(Bytes bytes) implements ObjectPart {
        @Override
        public long size() {
            return bytes.size();
        }
    }
}
