package dev.shardkit.region;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Target;

/** A target that discards the elements and remembers whether one of them differs from the fill value. */
final class FillCheck implements Target {
    private final DataType type;
    private final FillValue fill;
    private volatile boolean foundOther;

    FillCheck(DataType type, FillValue fill) {
        this.type = type;
        this.fill = fill;
    }

    @Override
    public void put(Elements from, long offset, long[] strides, Box at) {
        if (foundOther || at.isEmpty()) {
            return;
        }
        DenseChunk part = DenseChunk.filled(ChunkType.of(type, fill, at.shape()));
        part.target().put(from, offset, strides, Box.of(at.shape()));
        if (!part.isFill()) {
            foundOther = true;
        }
    }

    @Override
    public void fill(FillValue value, Box at) {
        if (!value.equals(fill) && !at.isEmpty()) {
            foundOther = true;
        }
    }

    /** Returns whether the target has received an element that differs from the fill value. */
    boolean foundOtherThanFill() {
        return foundOther;
    }
}
