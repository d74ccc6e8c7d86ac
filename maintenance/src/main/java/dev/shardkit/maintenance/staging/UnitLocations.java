package dev.shardkit.maintenance.staging;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The locations of the units in a box: object key and byte range. Takes twenty bytes for each unit. Not thread-safe.
 */
final class UnitLocations {
    private static final long MISSING = -1;
    private static final long DECODE = -2;

    private final Box cells;
    private final int[] objects;
    private final long[] offsets;
    private final long[] sizes;
    private final List<String> keys = new ArrayList<>();

    UnitLocations(Box cells) {
        this.cells = cells;
        int count = Math.toIntExact(cells.count());
        this.objects = new int[count];
        this.offsets = new long[count];
        this.sizes = new long[count];
        Arrays.fill(sizes, MISSING);
    }

    /** Returns the box of units. */
    Box cells() {
        return cells;
    }

    int addObject(String key) {
        keys.add(key);
        return keys.size() - 1;
    }

    void put(long[] cell, int object, long offset, long size) {
        int i = index(cell);
        objects[i] = object;
        offsets[i] = offset;
        sizes[i] = size;
    }

    /** Marks the units in {@code all} for decoding, because the stored shape or encoding differs. */
    void markForDecoding(Box all) {
        Box here = all.intersect(cells);
        for (long i = 0; i < here.count(); i++) {
            sizes[index(here.at(i))] = DECODE;
        }
    }

    /** Returns the index of a unit in this box, in C order. */
    int index(long[] cell) {
        return (int) Shapes.ravel(Box.of(cell, cells.shape()).relativeTo(cells).origin(), cells.shape());
    }

    boolean isMissing(int index) {
        return sizes[index] == MISSING;
    }

    boolean needsDecoding(int index) {
        return sizes[index] == DECODE;
    }

    String key(int index) {
        return keys.get(objects[index]);
    }

    long offset(int index) {
        return offsets[index];
    }

    long size(int index) {
        return sizes[index];
    }
}
