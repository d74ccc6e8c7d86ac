package dev.shardkit.ome.pyramid;

import dev.shardkit.NdArray;
import dev.shardkit.PresentChunk;
import dev.shardkit.SliceWriter;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.ElementCopy;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.UnsupportedException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reduces a slice of level 0 to the slices of all coarser levels, while an image is recorded. All slices of a level
 * have one shape. Immutable and thread-safe.
 *
 * @param type the data type of the elements
 * @param shapes the shape of a slice of each level, with all dimensions of the array
 * @param reductions the reduction from each level to the next
 */
record SliceReductions(DataType type, List<long[]> shapes, List<Reduction> reductions) {
    /** Creates the reductions for slices of level 0 of this shape. */
    static SliceReductions of(DataType type, PyramidSettings plan, long[] sliceShape) {
        PyramidLevels levels = new PyramidLevels(plan, PyramidLevels.FIRST);
        List<long[]> shapes = new ArrayList<>(List.of(sliceShape));
        List<Reduction> reductions = new ArrayList<>();
        for (int level = 1; level < levels.count(); level++) {
            long[] finer = shapes.get(level - 1);
            int[] factors = levels.factors(finer);
            reductions.add(Reduction.of(type, plan.reducer(), plan.missing(), factors));
            shapes.add(Reduction.shape(finer, factors));
        }
        return new SliceReductions(type, shapes, reductions);
    }

    /**
     * Checks that elements are numbers of 1, 2, 4 or 8 bytes.
     *
     * @throws UnsupportedException if they are not
     */
    static void refuseOthers(DataType type) {
        if (type.number().isEmpty() || Long.bitCount(type.elementSize().orElse(0)) != 1) {
            throw new UnsupportedException("levels of a stream hold numbers, found " + type.name()
                    + "; make the pyramid when the array is complete");
        }
    }

    int levels() {
        return shapes.size();
    }

    /** Returns the shape of a slice of a level. */
    long[] shape(int level) {
        return shapes.get(level).clone();
    }

    /** Returns the size of a slice of a level in bytes. */
    long bytes(int level) {
        return Shapes.count(shapes.get(level)) * type.elementSize().orElseThrow();
    }

    /**
     * Reduces a slice of level 0, whose byte order is that of the buffer. Returns the slices of levels 1, 2 and so on.
     */
    List<ByteBuffer> coarser(ByteBuffer slice) {
        List<ByteBuffer> coarser = new ArrayList<>();
        ByteBuffer finer = reductions.isEmpty() ? slice : littleEndian(slice);
        for (int level = 0; level < reductions.size(); level++) {
            finer = reduced(level, finer);
            coarser.add(finer);
        }
        return coarser;
    }

    /** Returns the slice of the next level for a little-endian slice of {@code level}. */
    ByteBuffer reduced(int level, ByteBuffer finer) {
        ByteBuffer coarse =
                ByteBuffer.allocate(Math.toIntExact(bytes(level + 1))).order(ByteOrder.LITTLE_ENDIAN);
        reductions
                .get(level)
                .reduce(
                        Elements.Fixed.of(type, finer, finer.order()),
                        shapes.get(level),
                        Elements.Fixed.in(type, coarse));
        return coarse;
    }

    /**
     * Reduces stored slices of {@code level}, and writes the results to the next coarser level. Skips slices without a
     * stored shard, because all their elements are the fill value.
     *
     * @param finer the array of {@code level}
     * @param slices the slices, as a box of that array
     * @param along the dimension along which the slices follow one another
     * @param writer a writer of the coarser level, whose position is that of the first slice
     */
    void writeMissing(int level, ZarrArray finer, Box slices, int along, SliceWriter writer) {
        long[] origin = slices.origin();
        long[] shape = slices.shape();
        shape[along] = 1;
        for (Map.Entry<Long, Long> stored : storedRanges(finer, slices, along).entrySet()) {
            long begin = Math.max(origin[along], stored.getKey());
            writer.skip(begin - origin[along]);
            long end = Math.min(slices.end(along), stored.getValue());
            for (origin[along] = begin; origin[along] < end; origin[along]++) {
                writer.write(reduced(level, buffer(finer.read(Box.of(origin, shape)))));
            }
        }
        writer.skip(slices.end(along) - origin[along]);
    }

    /**
     * Returns the ranges along a dimension in which shards are stored. The keys are their starts, the values their
     * ends.
     */
    private static TreeMap<Long, Long> storedRanges(ZarrArray array, Box region, int along) {
        TreeMap<Long, Long> ranges = new TreeMap<>(); // sorted, as shards come in C order of all dimensions
        int shardLevel = 0; // stored objects, not the inner chunks in them
        for (PresentChunk shard : array.presence(region).atLevel(shardLevel)) {
            long begin = shard.box().origin(along);
            long end = shard.box().end(along);
            Map.Entry<Long, Long> before = ranges.floorEntry(begin);
            if (before != null && before.getValue() >= begin) {
                begin = before.getKey();
                end = Math.max(end, before.getValue());
            }
            Long endOfNext = ranges.remove(end);
            ranges.put(begin, endOfNext == null ? end : endOfNext);
        }
        return ranges;
    }

    private ByteBuffer littleEndian(ByteBuffer slice) {
        if (slice.order() == ByteOrder.LITTLE_ENDIAN) {
            return slice;
        }
        ByteBuffer copy = ByteBuffer.allocate(slice.remaining()).order(ByteOrder.LITTLE_ENDIAN);
        long[] ones = {1};
        Elements.Fixed elements = Elements.Fixed.of(type, slice, slice.order());
        ElementCopy.copy(elements, 0, ones, Elements.Fixed.in(type, copy), 0, ones, new long[] {elements.count()});
        return copy;
    }

    /** Returns the elements of a slice, little-endian. */
    ByteBuffer buffer(NdArray slice) {
        long bytes = slice.count() * type.elementSize().orElseThrow();
        ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
        Object array = slice.array();
        if (array instanceof byte[] values) {
            buffer.put(0, values);
        } else if (array instanceof short[] values) {
            buffer.asShortBuffer().put(values);
        } else if (array instanceof int[] values) {
            buffer.asIntBuffer().put(values);
        } else if (array instanceof long[] values) {
            buffer.asLongBuffer().put(values);
        } else if (array instanceof float[] values) {
            buffer.asFloatBuffer().put(values);
        } else {
            buffer.asDoubleBuffer().put((double[]) array);
        }
        return buffer;
    }
}
