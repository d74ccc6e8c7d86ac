package dev.shardkit.store;

import dev.shardkit.spi.plan.Bytes;
import java.util.OptionalLong;

/**
 * One part of an object that a store composes of other objects and literal bytes ({@link Reads#parts}). Immutable and
 * thread-safe.
 */
public sealed interface ObjectPart {
    /** Returns the size of this part in bytes. */
    long size();

    /**
     * Bytes of another object of the same store.
     *
     * @param key that object's key
     * @param offset the first byte
     * @param size the number of bytes
     * @param objectSize the size that the object must have, in bytes, or the read fails; empty for any size
     */
    record Stored(String key, long offset, long size, OptionalLong objectSize) implements ObjectPart {
        /** Throws {@link IllegalArgumentException} if offset or size are negative, or their sum overflows. */
        public Stored {
            if (offset < 0 || size < 0 || offset + size < 0) {
                throw new IllegalArgumentException("not a part of an object: offset " + offset + ", size " + size);
            }
        }
    }

    /** Bytes in memory. */
    record Literal(Bytes bytes) implements ObjectPart {
        @Override
        public long size() {
            return bytes.size();
        }
    }
}
