package dev.shardkit.region.stream;

import dev.shardkit.region.box.Boxes;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.codec.DenseFeed;
import dev.shardkit.spi.plan.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/**
 * Supplies the elements of one inner chunk of a stream of slices, so that it can be encoded. The elements come from the
 * tiles of one column ({@link SliceColumns}) in one layer of slices, which is not encoded yet and must not change.
 */
record ColumnFeed(SliceColumns columns, SliceLayer layer, int column) implements DenseFeed {
    /** Returns the box of the column in this layer, with its origin at zero. */
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
            layer.copy(columns, column, (int) z, inTile, destination, start, strides);
        }
    }

    @Override
    public Optional<Bytes> dense(ByteOrder order) {
        // Tiles are little-endian. Elements of one byte have no byte order.
        boolean isTileOrder =
                order == ByteOrder.LITTLE_ENDIAN || columns.type().elementSize().orElse(0) == 1;
        if (!isTileOrder || !columns.isDense(column)) {
            return Optional.empty();
        }
        List<ByteBuffer> tiles = layer.tiles(column);
        return tiles.isEmpty()
                ? Optional.empty()
                : Optional.of(Bytes.concat(tiles.stream().map(Bytes::of).toList()));
    }
}
