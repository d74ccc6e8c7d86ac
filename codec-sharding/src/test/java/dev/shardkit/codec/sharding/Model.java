package dev.shardkit.codec.sharding;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.StridedRows;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.type.CoreTypes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;

/** An int32 array without chunks, shards or codecs, one element at a time: what everything else is compared with. */
final class Model {
    static final int POISON = 0xDEADBEEF;

    final long[] shape;
    final int[] data;

    private Model(long[] shape, int[] data) {
        this.shape = shape;
        this.data = data;
    }

    static Model filled(int value, long... shape) {
        int n = 1;
        for (long s : shape) {
            n *= (int) s;
        }
        int[] data = new int[n];
        Arrays.fill(data, value);
        return new Model(shape, data);
    }

    static Model counting(long... shape) {
        Model m = filled(0, shape);
        Arrays.setAll(m.data, i -> i);
        return m;
    }

    static Model random(Random random, long... shape) {
        Model m = filled(0, shape);
        Arrays.setAll(m.data, i -> random.nextInt());
        return m;
    }

    static Box randomPart(Random random, long[] shape) {
        long[] origin = new long[shape.length];
        long[] size = new long[shape.length];
        for (int d = 0; d < shape.length; d++) {
            origin[d] = random.nextInt((int) shape[d]);
            size[d] = 1 + random.nextInt((int) (shape[d] - origin[d]));
        }
        return Box.of(origin, size);
    }

    static ChunkType type(int fill, long... shape) {
        byte[] bytes = ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(fill)
                .array();
        return ChunkType.of(CoreTypes.INT32, FillValue.of(bytes), shape);
    }

    private int index(long[] at) {
        int i = 0;
        for (int d = 0; d < shape.length; d++) {
            i = i * (int) shape[d] + (int) at[d];
        }
        return i;
    }

    int get(long... at) {
        return data[index(at)];
    }

    void set(Box part, Model values) {
        for (long i = 0; i < part.count(); i++) {
            data[index(part.at(i))] = values.data[(int) i];
        }
    }

    Model part(Box part) {
        Model m = filled(0, part.shape());
        for (int i = 0; i < m.data.length; i++) {
            m.data[i] = data[index(part.at(i))];
        }
        return m;
    }

    private DenseChunk chunk(ByteOrder order) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * data.length).order(order);
        bytes.asIntBuffer().put(data);
        ChunkType type = type(0, shape);
        return DenseChunk.of(type, Elements.Fixed.of(type.dataType(), bytes, order));
    }

    Feed feed() {
        return chunk(ByteOrder.LITTLE_ENDIAN).feed();
    }

    /** A poisoned output. */
    static Output output(long... shape) {
        return new Output(filled(POISON, shape).chunk(ByteOrder.BIG_ENDIAN), shape);
    }

    record Output(DenseChunk chunk, long[] shape) {
        /** Takes each element once; a second time is a mistake of the codec. */
        Target target() {
            boolean[] written = new boolean[(int) chunk.elements().count()];
            return new Target() {
                @Override
                public void put(Elements from, long offset, long[] strides, Box at) {
                    mark(at, written);
                    chunk.target().put(from, offset, strides, at);
                }

                @Override
                public void fill(FillValue value, Box at) {
                    mark(at, written);
                    chunk.target().fill(value, at);
                }
            };
        }

        private void mark(Box at, boolean[] written) {
            long[] strides = Shapes.strides(shape);
            StridedRows.walk(at.shape(), at.firstIn(shape), strides, 0, strides, (a, step, b, bStep, n) -> {
                for (long k = 0; k < n; k++) {
                    int i = (int) (a + k * step);
                    if (written[i]) {
                        throw new AssertionError("element " + i + " is written twice");
                    }
                    written[i] = true;
                }
            });
        }

        Model model() {
            Model m = filled(0, shape);
            ((Elements.Fixed) chunk.elements()).bytes().asIntBuffer().get(m.data);
            return m;
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Model m && Arrays.equals(shape, m.shape) && Arrays.equals(data, m.data);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(data);
    }

    @Override
    public String toString() {
        return Arrays.toString(shape) + Arrays.toString(Arrays.copyOf(data, Math.min(data.length, 64)));
    }
}
