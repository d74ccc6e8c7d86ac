package dev.shardkit.codec.sharding;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.StridedRows;
import dev.shardkit.spi.array.Target;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * The decoded index of a shard as a {@code long[]}: the offset and the length of each inner chunk, in C order. The
 * index codecs decode to it and encode from it. Does not check the entries. In the rows of {@link StridedRows},
 * {@code a} counts elements of the source and {@code b} those of the destination.
 */
final class IndexWords {
    private final long[] words;
    private final long[] shape;
    private final long[] strides;

    IndexWords(long[] words, long[] shape) {
        this.words = words;
        this.shape = shape;
        this.strides = Shapes.strides(shape);
    }

    /** Returns a target that writes into the words. */
    Target target() {
        return new Target() {
            @Override
            public void put(Elements source, long offset, long[] fromStrides, Box box) {
                ByteBuffer bytes = bytesOf(source);
                StridedRows.walk(box, offset, fromStrides, box.firstIn(shape), strides, (a, aStep, b, bStep, n) -> {
                    if (aStep == 1 && bStep == 1) {
                        longs(bytes, a, n).get(words, (int) b, (int) n);
                        return;
                    }
                    for (long k = 0; k < n; k++) {
                        words[(int) (b + k * bStep)] = bytes.getLong((int) (8 * (a + k * aStep)));
                    }
                });
            }

            @Override
            public void fill(FillValue value, Box box) {
                long word = ByteBuffer.wrap(value.bytes())
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .getLong();
                long start = box.firstIn(shape);
                StridedRows.walk(box, start, strides, start, strides, (a, aStep, b, bStep, n) -> {
                    for (long k = 0; k < n; k++) {
                        words[(int) (b + k * bStep)] = word;
                    }
                });
            }
        };
    }

    /** Returns a feed that reads from the words. */
    Feed feed() {
        return (part, to, offset, toStrides) -> {
            ByteBuffer bytes = bytesOf(to);
            StridedRows.walk(part, part.firstIn(shape), strides, offset, toStrides, (a, aStep, b, bStep, n) -> {
                if (aStep == 1 && bStep == 1) {
                    longs(bytes, b, n).put(words, (int) a, (int) n);
                    return;
                }
                for (long k = 0; k < n; k++) {
                    bytes.putLong((int) (8 * (b + k * bStep)), words[(int) (a + k * aStep)]);
                }
            });
        };
    }

    private static ByteBuffer bytesOf(Elements elements) {
        if (elements instanceof Elements.Fixed f && f.elementSize() == Long.BYTES) {
            return f.bytes();
        }
        throw new IllegalArgumentException("expected index elements of 8 bytes");
    }

    private static LongBuffer longs(ByteBuffer bytes, long first, long count) {
        return bytes.slice((int) (8 * first), (int) (8 * count))
                .order(bytes.order())
                .asLongBuffer();
    }
}
