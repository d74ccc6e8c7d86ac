package dev.shardkit.spi.array;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.type.CoreTypes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Copies, windows and permutations of random arrays are those of a naive loop. */
class ElementCopyTest {
    private static final List<DataType> TYPES = List.of(
            CoreTypes.UINT8,
            CoreTypes.BOOL,
            CoreTypes.FLOAT16,
            CoreTypes.INT32,
            CoreTypes.COMPLEX64,
            CoreTypes.FLOAT64,
            CoreTypes.COMPLEX128,
            CoreTypes.rawBits(16),
            CoreTypes.rawBits(24),
            CoreTypes.rawBits(32),
            CoreTypes.rawBits(64));

    /** Runs a test on random inputs. A failure names the seed of its input. */
    private static void tried(int times, Consumer<Random> test) {
        Random seeds = new Random();
        for (int i = 0; i < times; i++) {
            long seed = seeds.nextLong();
            try {
                test.accept(new Random(seed));
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e, e);
            }
        }
    }

    private static DataType type(Random random) {
        return TYPES.get(random.nextInt(TYPES.size()));
    }

    private static ByteOrder order(Random random) {
        return random.nextBoolean() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    }

    private static byte[] bytes(Random random, int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private static long[] longs(int count, IntToLongFunction value) {
        long[] longs = new long[count];
        Arrays.setAll(longs, value);
        return longs;
    }

    private static long[] shape(Random random) {
        return longs(random.nextInt(5), d -> random.nextInt(12) == 0 ? 0 : 1 + random.nextInt(5));
    }

    private static int[] permutation(Random random, int rank) {
        int[] order = new int[rank];
        for (int i = 0; i < rank; i++) {
            int at = random.nextInt(i + 1);
            order[i] = order[at];
            order[at] = i;
        }
        return order;
    }

    /** Returns a box within the shape, in a third of the calls all of it. */
    private static Box part(Random random, long[] shape) {
        long[] origin = new long[shape.length];
        long[] length = shape.clone();
        if (random.nextInt(3) > 0) {
            for (int d = 0; d < shape.length; d++) {
                origin[d] = random.nextInt((int) shape[d] + 1);
                length[d] = random.nextInt((int) (shape[d] - origin[d]) + 1);
            }
        }
        return Box.of(origin, length);
    }

    private static long[] sum(long[] a, long[] b) {
        return longs(a.length, d -> a[d] + b[d]);
    }

    private static long[] difference(long[] a, long[] b) {
        return longs(a.length, d -> a[d] - b[d]);
    }

    private static List<long[]> coordinates(Box box) {
        List<long[]> all = new ArrayList<>();
        for (long i = 0; !box.isEmpty() && i < box.count(); i++) {
            all.add(box.at(i));
        }
        return all;
    }

    /** Elements in memory, each of random bytes; seen element by element, as little-endian words. */
    private static final class Dense {
        final int size;
        final int word;
        final long[] shape;
        final ByteOrder order;
        final byte[] bytes;
        final Elements.Fixed elements;

        Dense(DataType type, long[] shape, ByteOrder order, Random random) {
            this.size = type.elementSize().getAsInt();
            this.word = type.carrier().wordSize();
            this.shape = shape;
            this.order = order;
            this.bytes = ElementCopyTest.bytes(random, Math.toIntExact(Shapes.count(shape) * size));
            this.elements = Elements.Fixed.of(type, ByteBuffer.wrap(bytes), order);
        }

        ByteBuffer get(long[] at) {
            int start = (int) Shapes.ravel(at, shape) * size;
            byte[] element = Arrays.copyOfRange(bytes, start, start + size);
            if (order == ByteOrder.BIG_ENDIAN) {
                byte[] stored = element.clone();
                for (int i = 0; i < size; i++) {
                    element[i] = stored[i / word * word + word - 1 - i % word];
                }
            }
            return ByteBuffer.wrap(element);
        }

        Map<List<Long>, ByteBuffer> all() {
            Map<List<Long>, ByteBuffer> all = new HashMap<>();
            coordinates(Box.of(shape)).forEach(at -> all.put(key(at), get(at)));
            return all;
        }
    }

    private static List<Long> key(long[] coordinates) {
        return Arrays.stream(coordinates).boxed().toList();
    }

    /** Maps have too many values to be shown. */
    private static void same(Map<List<Long>, ByteBuffer> expected, Map<List<Long>, ByteBuffer> found) {
        assertTrue(expected.equals(found), "other elements");
    }

    @Test
    void copy_betweenPermutedPartsOfTwoArrays_isThatOfTheNaiveLoop() {
        tried(2_000, random -> {
            DataType type = type(random);
            Box part = part(random, shape(random));
            int rank = part.rank();
            int[] order = permutation(random, rank);
            Dense from = new Dense(type, longs(rank, d -> part.end(d) + random.nextInt(2)), order(random), random);
            // The other side has its dimensions in another order, and the box somewhere else.
            long[] at = longs(rank, d -> random.nextInt(3));
            long[] toShape = Shapes.permute(longs(rank, d -> at[d] + part.shape(d) + random.nextInt(2)), order);
            Dense to = new Dense(type, toShape, order(random), random);
            Map<List<Long>, ByteBuffer> expected = to.all();
            for (long[] c : coordinates(part)) {
                expected.put(key(Shapes.permute(sum(difference(c, part.origin()), at), order)), from.get(c));
            }

            ElementCopy.copy(
                    from.elements,
                    Shapes.ravel(part.origin(), from.shape),
                    Shapes.strides(from.shape),
                    to.elements,
                    Shapes.ravel(Shapes.permute(at, order), toShape),
                    Shapes.permute(Shapes.strides(toShape), Shapes.inverse(order)),
                    part.shape());

            same(expected, to.all());
        });
    }

    @Test
    void windowsAndPermutations_ofATargetAndAFeed_areOneMappingOfCoordinates() {
        tried(2_000, random -> {
            DataType type = type(random);
            Dense whole = new Dense(type, shape(random), ByteOrder.LITTLE_ENDIAN, random);
            FillValue fill = FillValue.of(bytes(random, whole.size));
            DenseChunk chunk = DenseChunk.of(ChunkType.of(type, fill, whole.shape), whole.elements);
            Target target = chunk.target();
            Feed feed = chunk.feed();
            long[] shape = whole.shape;
            UnaryOperator<long[]> map = at -> at;
            for (int i = random.nextInt(4); i > 0; i--) {
                UnaryOperator<long[]> before = map;
                if (random.nextBoolean()) {
                    Box box = part(random, shape);
                    target = target.window(box);
                    feed = feed.window(box);
                    shape = box.shape();
                    map = at -> before.apply(sum(at, box.origin()));
                } else {
                    int[] order = permutation(random, shape.length);
                    target = target.permute(order);
                    feed = feed.permute(order);
                    shape = Shapes.permute(shape, order);
                    map = at -> before.apply(Shapes.permute(at, Shapes.inverse(order)));
                }
            }
            Box part = part(random, shape);
            Dense got = new Dense(type, part.shape(), order(random), random);

            feed.get(part, got.elements, 0, Shapes.strides(got.shape));

            for (long[] at : coordinates(part)) {
                assertEquals(whole.get(map.apply(at)), got.get(difference(at, part.origin())));
            }

            Dense put = new Dense(type, part.shape(), order(random), random);
            Box filled = part(random, shape);
            Map<List<Long>, ByteBuffer> expected = whole.all();
            for (long[] at : coordinates(part)) {
                expected.put(key(map.apply(at)), put.get(difference(at, part.origin())));
            }
            for (long[] at : coordinates(filled)) {
                expected.put(key(map.apply(at)), ByteBuffer.wrap(fill.bytes()));
            }

            target.put(put.elements, 0, Shapes.strides(put.shape), part);
            target.fill(fill, filled);

            same(expected, whole.all());
        });
    }

    @Test
    void chunk_isFill_exactlyIfEachElementIs() {
        tried(500, random -> {
            DataType type = type(random);
            long[] shape = shape(random);
            FillValue fill = FillValue.of(bytes(random, type.elementSize().getAsInt()));
            Dense dense = new Dense(type, shape, order(random), random);
            DenseChunk chunk = DenseChunk.of(ChunkType.of(type, fill, shape), dense.elements);
            chunk.target().fill(fill, Box.of(shape));
            assertTrue(chunk.isFill());
            assertTrue(dense.all().values().stream().allMatch(ByteBuffer.wrap(fill.bytes())::equals));
            if (dense.bytes.length > 0) {
                dense.bytes[random.nextInt(dense.bytes.length)]++;
                assertFalse(chunk.isFill());
            }
        });
    }

    @Test
    void elementsOfVaryingSize_areCopiedAndFilledLikeOthers() {
        tried(500, random -> {
            long[] shape = shape(random);
            FillValue fill = FillValue.of(bytes(random, random.nextInt(3)));
            ChunkType type = ChunkType.of(CoreTypes.BYTES, fill, shape);
            DenseChunk from = DenseChunk.filled(type);
            assertTrue(from.isFill());
            byte[][] values = ((Elements.Variable) from.elements()).values();
            for (int i = 0; i < values.length; i++) {
                values[i] = bytes(random, random.nextInt(4));
            }
            int[] order = permutation(random, shape.length);
            long[] permuted = Shapes.permute(shape, order);
            DenseChunk to = DenseChunk.filled(type.withShape(permuted));
            from.feed().permute(order).get(Box.of(permuted), to.elements(), 0, Shapes.strides(permuted));
            byte[][] copied = ((Elements.Variable) to.elements()).values();
            for (long[] at : coordinates(Box.of(shape))) {
                int there = (int) Shapes.ravel(Shapes.permute(at, order), permuted);
                assertArrayEquals(values[(int) Shapes.ravel(at, shape)], copied[there]);
            }
        });
    }
}
