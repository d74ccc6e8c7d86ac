package dev.shardkit.spi.array;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Elements of a chunk as stored words, passed between codec and caller. The method that passes them defines the meaning
 * of their indices (strides, an offset). The receiver borrows them until it returns. As thread-safe as the underlying
 * memory.
 */
public sealed interface Elements {
    /** Returns the number of elements. */
    long count();

    /**
     * Elements of a fixed size.
     *
     * @param bytes element i starts at byte {@code i * elementSize}, counted from index 0; words have the buffer's byte
     *     order
     * @param elementSize the size of an element in bytes
     * @param wordSize the size of a word in bytes, a divisor of {@code elementSize}; byte order applies to words
     */
    record Fixed(ByteBuffer bytes, int elementSize, int wordSize) implements Elements {
        /** Wraps elements of {@code type} in {@code bytes}, from its position to its limit. */
        public static Fixed of(DataType type, ByteBuffer bytes, ByteOrder order) {
            return in(type, bytes.slice().order(order));
        }

        /**
         * Wraps elements of {@code type} in {@code bytes}, from index 0 to its limit. The caller gives the buffer up.
         */
        public static Fixed in(DataType type, ByteBuffer bytes) {
            return new Fixed(
                    bytes, type.elementSize().orElseThrow(), type.carrier().wordSize());
        }

        @Override
        public long count() {
            return bytes.limit() / elementSize;
        }
    }

    /** Elements of varying size, each as a byte array, which callers must not modify. */
    record Variable(byte[][] values) implements Elements {
        @Override
        public long count() {
            return values.length;
        }
    }
}
