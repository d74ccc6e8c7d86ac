package dev.shardkit.maintenance.staging;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The locations of stored units, the chunks of the level that a change of layout moves, in a box of the grid of units.
 * A location is an object key and a byte range. Takes twenty bytes for each unit. Not thread-safe.
 */
final class UnitLocations {
    /** Replaces the size of a unit that is not stored. */
    private static final long MISSING = -1;
    /** Replaces the size of a unit that must be decoded. */
    private static final long DECODE = -2;

    private final Box cells;
    /** For each unit, the index of its object's key in {@link #keys}. */
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

    /** Adds an object, and returns its number for {@link #put}. */
    int addObject(String key) {
        keys.add(key);
        return keys.size() - 1;
    }

    /** Sets the location of a unit: a byte range of an object. */
    void put(long[] cell, int object, long offset, long size) {
        int i = index(cell);
        objects[i] = object;
        offsets[i] = offset;
        sizes[i] = size;
    }

    /** Marks the units in {@code all} for decoding, because they are stored with another shape or encoding. */
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

    /** Returns the key of the object that has a unit. */
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
