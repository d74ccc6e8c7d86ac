package dev.shardkit.region;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Target;

/** A target that discards the elements and remembers whether one of them differs from the fill value. */
public final class FillCheck implements Target {
    private final DataType type;
    private final FillValue fill;
    private volatile boolean foundOther;

    public FillCheck(DataType type, FillValue fill) {
        this.type = type;
        this.fill = fill;
    }

    @Override
    public void put(Elements source, long offset, long[] strides, Box box) {
        if (foundOther || box.isEmpty()) {
            return;
        }
        DenseChunk part = DenseChunk.filled(ChunkType.of(type, fill, box.shape()));
        part.target().put(source, offset, strides, Box.of(box.shape()));
        if (!part.isFill()) {
            foundOther = true;
        }
    }

    @Override
    public void fill(FillValue value, Box box) {
        if (!value.equals(fill) && !box.isEmpty()) {
            foundOther = true;
        }
    }

    /** Returns whether the target has received an element that differs from the fill value. */
    public boolean foundOtherThanFill() {
        return foundOther;
    }
}
