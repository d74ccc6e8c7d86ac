package dev.shardkit.region.slices;

import dev.shardkit.region.Boxes;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.codec.DenseFeed;
import dev.shardkit.spi.plan.Bytes;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Supplies the tiles of one column of a layer, which is not encoded. The layer does not change meanwhile. */
record ColumnFeed(SliceColumns columns, SliceLayer layer, int column) implements DenseFeed {
    /** Returns the box of the tiles, at zero. */
    Box box() {
        Box across = columns.across(column);
        return Box.of(Boxes.cut(across, columns.dimension(), 0, layer.count()).shape());
    }

    @Override
    public void get(Box part, Elements destination, long offset, long[] strides) {
        int d = columns.dimension();
        Box inTile = Boxes.cut(part, d, 0, 1);
        for (long z = part.origin(d); z < part.end(d); z++) {
            long start = offset + (z - part.origin(d)) * strides[d];
            columns.copy(layer.tile(column, (int) z), column, inTile, destination, start, strides);
        }
    }

    @Override
    public Optional<Bytes> dense(ByteOrder order) {
        boolean isAsStored =
                order == ByteOrder.LITTLE_ENDIAN || columns.type().elementSize().orElse(0) == 1;
        if (!isAsStored || !columns.isDense(column)) {
            return Optional.empty();
        }
        List<Bytes> tiles = new ArrayList<>();
        for (int i = 0; i < layer.count(); i++) {
            tiles.add(Bytes.of(layer.tile(column, i)));
        }
        return Optional.of(Bytes.concat(tiles));
    }
}
