package dev.shardkit.spi.array;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Elements of a chunk between codec and caller: stored words, not Java numbers. What their indices mean (strides, an
 * offset) is said where they are handed over. Borrowed by whoever gets them until it returns. As thread-safe as the
 * memory beneath.
 */
public sealed interface Elements {
    /** How many elements. */
    long count();

    /**
     * Elements of one size.
     *
     * @param bytes element i at byte {@code i * elementSize} from index 0; words in the buffer's byte order
     * @param elementSize the bytes of an element
     * @param wordSize the bytes of a word, which byte order applies to; divides elementSize
     */
    record Fixed(ByteBuffer bytes, int elementSize, int wordSize) implements Elements {
        /** Elements of {@code type} in {@code bytes}, from its position to its limit. */
        public static Fixed of(DataType type, ByteBuffer bytes, ByteOrder order) {
            ByteBuffer own = bytes.slice().order(order);
            return new Fixed(
                    own, type.elementSize().orElseThrow(), type.carrier().wordSize());
        }

        @Override
        public long count() {
            return bytes.limit() / elementSize;
        }
    }

    /** Elements of varying size, each its bytes; nobody writes into them. */
    record Variable(byte[][] values) implements Elements {
        @Override
        public long count() {
            return values.length;
        }
    }
}
