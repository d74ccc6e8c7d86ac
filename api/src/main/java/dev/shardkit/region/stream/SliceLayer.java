package dev.shardkit.region.stream;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ElementCopy;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.StagedPuts;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive slices of a stream that lie in the same inner chunks, cut into tiles: one for each column and slice, with
 * little-endian elements in C order. After a column is encoded, its tiles are gone. Guarded by its pipeline.
 */
final class SliceLayer {
    /** The number of the first slice in the stream. */
    private final long first;

    /** The number of slices up to the end of the inner chunks. */
    private final int capacity;
    /** Whether the layer begins where its inner chunks begin; otherwise it begins inside them. */
    private final boolean isAligned;

    private final List<Slice> slices = new ArrayList<>();
    /** The number of slices if all are fill values and lie in any number of inner chunks; 0 for other layers. */
    private final long gap;

    private final int columns;
    /** The encoded forms of the columns. Empty until the first column is encoded, and in layers of fill values. */
    private @Nullable Encoded[] encoded = {};
    /** Whether all slices are fill values and need no encoded form. */
    private boolean isFill;

    /** Whether the layer takes no more slices. */
    private boolean closed;
    /** Whether the layer is ready to be stored: its columns are encoded, or it fills no whole inner chunks. */
    private boolean processed;

    SliceLayer(long first, int capacity, boolean isAligned, int columns) {
        this(first, capacity, isAligned, columns, 0);
    }

    private SliceLayer(long first, int capacity, boolean isAligned, int columns, long gap) {
        this.first = first;
        this.gap = gap;
        this.capacity = capacity;
        this.isAligned = isAligned;
        this.columns = columns;
    }

    /** Returns {@code count} slices of fill values. They are stored together, and need not be encoded. */
    static SliceLayer gap(long first, long count) {
        boolean isAligned = false; // a gap has no inner chunks to encode
        SliceLayer layer = new SliceLayer(first, 0, isAligned, 0, count);
        layer.closed = true;
        layer.processed = true;
        return layer;
    }

    boolean isGap() {
        return gap > 0;
    }

    /** The elements of a layer in one column, in encoded form. */
    sealed interface Encoded {
        /** Every element equals the fill value. */
        enum Fill implements Encoded {
            INSTANCE
        }

        /** Bytes in memory. */
        record InMemory(Bytes bytes) implements Encoded {}

        /** Bytes in the store. */
        record Staged(StagedPuts.Staged object, long offset, long size) implements Encoded {}
    }

    /** The elements of a slice, until all its columns are encoded. */
    sealed interface Slice {
        /**
         * Takes the memory of a column from the slice. Adds its tile, if the slice has tiles, to {@code tiles}. Returns
         * false if the column has no memory, or its memory was taken before.
         */
        boolean take(int column, List<ByteBuffer> tiles);

        /** A copy, with a tile for each column. */
        record Tiles(@Nullable ByteBuffer[] tiles) implements Slice {
            @Override
            public boolean take(int column, List<ByteBuffer> taken) {
                ByteBuffer tile = tiles[column];
                if (tile == null) {
                    return false;
                }
                taken.add(tile);
                tiles[column] = null;
                return true;
            }
        }

        /** Fill values. */
        enum Fill implements Slice {
            INSTANCE;

            @Override
            public boolean take(int column, List<ByteBuffer> taken) {
                return false;
            }
        }

        /**
         * The caller's memory.
         *
         * @param columns the columns that were not taken
         */
        record Owned(CallerSlices.SliceGroup group, Feed feed, BitSet columns) implements Slice {
            static Owned of(CallerSlices.SliceGroup group, int i, int columns) {
                BitSet all = new BitSet(columns);
                all.set(0, columns);
                return new Owned(group, group.feed(i), all);
            }

            @Override
            public boolean take(int column, List<ByteBuffer> taken) {
                boolean isFirst = columns.get(column);
                columns.clear(column);
                return isFirst;
            }
        }
    }

    /**
     * The memory of a column that is no longer needed. Its lists are allocated for all slices at first, so that adding
     * to them cannot run out of memory.
     */
    static final class Freed {
        private final List<ByteBuffer> tiles;
        private final List<CallerSlices.SliceGroup> released;
        private int count;

        private Freed(int slices) {
            this.tiles = new ArrayList<>(slices);
            this.released = new ArrayList<>(slices);
        }

        /** Returns in how many slices the column had memory. */
        int count() {
            return count;
        }

        List<ByteBuffer> tiles() {
            return tiles;
        }

        /** Returns the groups of the slices in the caller's memory whose last column this was. */
        List<CallerSlices.SliceGroup> released() {
            return released;
        }
    }

    long first() {
        return first;
    }

    int count() {
        return slices.size();
    }

    long end() {
        return first + gap + slices.size();
    }

    void add(Slice slice) {
        slices.add(slice);
        closed |= slices.size() == capacity;
    }

    /** Returns the number of slices that have memory. */
    int inMemory() {
        return (int)
                slices.stream().filter(slice -> !(slice instanceof Slice.Fill)).count();
    }

    /** Takes no more slices. */
    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    /** Returns whether the layer fills whole inner chunks, so that they can be encoded without the stored ones. */
    boolean isWhole() {
        return isAligned && slices.size() == capacity;
    }

    /** Returns whether the layer begins where inner chunks begin, but ends before they end. */
    boolean isBeginning() {
        return isAligned && slices.size() < capacity;
    }

    /** Sets the encoded form of all columns: every element equals the fill value. */
    void setFill() {
        isFill = true;
    }

    void setProcessed() {
        processed = true;
    }

    boolean isProcessed() {
        return processed;
    }

    /** Returns whether encoded bytes are in the store. */
    boolean isStaged() {
        return Arrays.stream(encoded).anyMatch(form -> form instanceof Encoded.Staged);
    }

    @Nullable
    Encoded encoded(int column) {
        if (isFill) {
            return Encoded.Fill.INSTANCE;
        }
        return encoded.length == 0 ? null : encoded[column];
    }

    /** Replaces the elements of a column by their encoded form. If memory runs out, nothing is changed. */
    Freed replace(int column, Encoded form) {
        if (encoded.length == 0) {
            encoded = new Encoded[columns];
        }
        Freed freed = new Freed(slices.size());
        encoded[column] = form;
        free(column, freed);
        return freed;
    }

    /** Takes the memory of a column from all slices. If memory runs out, nothing is changed. */
    Freed free(int column) {
        Freed freed = new Freed(slices.size());
        free(column, freed);
        return freed;
    }

    private void free(int column, Freed freed) {
        for (int i = 0; i < slices.size(); i++) {
            Slice slice = slices.get(i);
            if (slice.take(column, freed.tiles)) {
                freed.count++;
                if (slice instanceof Slice.Owned owned && owned.columns().isEmpty()) {
                    freed.released.add(owned.group());
                }
            }
        }
    }

    /** Drops the encoded form of a column that is stored. Returns its bytes in memory. */
    long dropEncoded(int column) {
        if (encoded.length == 0 || !(encoded[column] instanceof Encoded.InMemory memory)) {
            return 0;
        }
        encoded[column] = Encoded.Fill.INSTANCE; // any form without bytes: the column counts as encoded
        return memory.bytes().size();
    }

    /** Returns the first column that is not encoded; the number of columns if all are. */
    int firstOpen() {
        int column = isFill ? columns : 0;
        while (column < encoded.length && encoded[column] != null) {
            column++;
        }
        return column;
    }

    /** Returns the tiles of a column that is not encoded, one after the other; empty if a slice has no tiles. */
    List<ByteBuffer> tiles(int column) {
        List<ByteBuffer> tiles = new ArrayList<>();
        for (Slice slice : slices) {
            if (!(slice instanceof Slice.Tiles copy)) {
                return List.of();
            }
            tiles.add(Objects.requireNonNull(copy.tiles()[column]));
        }
        return tiles;
    }

    /** Copies a part of a column that is not encoded, in slice {@code i} of this layer, to {@code destination}. */
    void copy(SliceColumns columns, int column, int i, Box part, Elements destination, long offset, long[] strides) {
        Slice slice = slices.get(i);
        if (slice instanceof Slice.Owned owned) {
            Box inSlice = part.translate(
                    columns.across(column).relativeTo(columns.region()).origin());
            owned.feed().get(inSlice, destination, offset, strides);
        } else if (slice instanceof Slice.Tiles copy) {
            ByteBuffer tile = Objects.requireNonNull(copy.tiles()[column]);
            columns.copy(tile, column, part, destination, offset, strides);
        } else {
            ElementCopy.fill(columns.fill(), destination, offset, strides, part.shape());
        }
    }
}
