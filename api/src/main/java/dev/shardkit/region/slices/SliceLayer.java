package dev.shardkit.region.slices;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Stages;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
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

    private final int capacity;
    /** Whether the slices will fill whole inner chunks. */
    private final boolean isWhole;

    private final List<@Nullable ByteBuffer[]> slices = new ArrayList<>();
    private final @Nullable Encoded[] encoded;
    private boolean closed;
    private boolean processed;

    SliceLayer(long first, int capacity, boolean isWhole, int columns) {
        this.first = first;
        this.capacity = capacity;
        this.isWhole = isWhole;
        this.encoded = new Encoded[columns];
    }

    /** The elements of a layer in one column, in encoded form. */
    sealed interface Encoded {
        /** Every element equals the fill value. */
        record Fill() implements Encoded {}

        /** Bytes in memory. */
        record InMemory(Bytes bytes) implements Encoded {}

        /** Bytes in the store. */
        record Staged(Stages.Staged object, long offset, long size) implements Encoded {}
    }

    long first() {
        return first;
    }

    int count() {
        return slices.size();
    }

    long end() {
        return first + slices.size();
    }

    /** Adds the tiles of a slice, one for each column. */
    void add(ByteBuffer[] tiles) {
        slices.add(tiles);
        closed |= slices.size() == capacity;
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
        return isWhole && slices.size() == capacity;
    }

    /** Returns whether the layer begins with inner chunks, and does not fill them. */
    boolean isBeginning() {
        return isWhole && slices.size() < capacity;
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
        return encoded[column];
    }

    /** Replaces the tiles of a column by their encoded form; returns the tiles. */
    List<ByteBuffer> replace(int column, Encoded form) {
        encoded[column] = form;
        return takeTiles(column);
    }

    /** Removes and returns the tiles of a column. */
    List<ByteBuffer> takeTiles(int column) {
        List<ByteBuffer> tiles = new ArrayList<>();
        for (@Nullable ByteBuffer[] slice : slices) {
            ByteBuffer tile = slice[column];
            if (tile != null) {
                tiles.add(tile);
                slice[column] = null;
            }
        }
        return tiles;
    }

    /** Returns the first column that is not encoded; the number of columns if all are. */
    int firstOpen() {
        int column = 0;
        while (column < encoded.length && encoded[column] != null) {
            column++;
        }
        return column;
    }

    /** Returns the tile of a column that is not encoded in slice {@code i} of this layer. */
    ByteBuffer tile(int column, int i) {
        return Objects.requireNonNull(slices.get(i)[column]);
    }
}
