package dev.shardkit.spi.array;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A whole chunk in memory, in C order. Partial writes modify it, and codecs without partial access decode to it. Words
 * are little-endian. Not thread-safe, except for disjoint boxes.
 */
public final class DenseChunk {
    private final ChunkType type;
    private final long[] strides;
    private final Elements elements;

    private DenseChunk(ChunkType type, Elements elements) {
        this.type = type;
        this.strides = Shapes.strides(type.shape());
        this.elements = elements;
    }

    /**
     * Creates a chunk in which every element is the fill value. The caller has checked the size against the limits.
     *
     * @throws ArithmeticException above 2^31-9 bytes or elements
     */
    public static DenseChunk filled(ChunkType type) {
        int length = Math.toIntExact(type.decodedSize().orElse(type.count())); // in bytes or elements
        Elements elements;
        if (type.decodedSize().isPresent()) {
            elements = Elements.Fixed.of(type.dataType(), ByteBuffer.allocate(length), ByteOrder.LITTLE_ENDIAN);
        } else {
            elements = new Elements.Variable(new byte[length][]);
        }
        DenseChunk chunk = new DenseChunk(type, elements);
        if (type.decodedSize().isEmpty() || !type.fill().isZero()) {
            chunk.target().fill(type.fill(), type.box());
        }
        return chunk;
    }

    /** Wraps elements in C order as a chunk; shares their memory. */
    public static DenseChunk of(ChunkType type, Elements elements) {
        if (elements.count() != type.count()) {
            throw new IllegalArgumentException(elements.count() + " elements for a chunk of " + type.count());
        }
        return new DenseChunk(type, elements);
    }

    /** Returns the elements in C order. */
    public Elements elements() {
        return elements;
    }

    /** Returns whether every element equals the fill value bit by bit. */
    public boolean isFill() {
        if (elements instanceof Elements.Variable v) {
            byte[] fill = type.fill().bytes();
            return Arrays.stream(v.values()).allMatch(x -> Arrays.equals(x, fill));
        }
        return ElementCopy.isAll((Elements.Fixed) elements, type.fill());
    }

    /** Returns a target that writes into this chunk. */
    public Target target() {
        return new Target() {
            @Override
            public void put(Elements source, long offset, long[] fromStrides, Box box) {
                ElementCopy.copy(
                        source, offset, fromStrides, elements, box.firstIn(type.shape()), strides, box.shape());
            }

            @Override
            public void fill(FillValue value, Box box) {
                ElementCopy.fill(value, elements, box.firstIn(type.shape()), strides, box.shape());
            }
        };
    }

    /** Returns a feed that reads from this chunk. */
    public Feed feed() {
        return (part, to, offset, toStrides) ->
                ElementCopy.copy(elements, part.firstIn(type.shape()), strides, to, offset, toStrides, part.shape());
    }
}
