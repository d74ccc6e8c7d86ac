package dev.shardkit.pictures;

import dev.shardkit.ArrayStorage;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.codec.ShardAccess.Layout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongPredicate;

/**
 * The size of one cell of the chunk grid: a chunk or a shard. Reads the index of a shard, but no chunk.
 *
 * @param key the key of the chunk
 * @param raw the size in bytes of its decoded elements that lie inside the array; 0 if elements have no fixed size
 * @param size the stored size in bytes; 0 if the chunk is not stored
 * @param shard the content of a stored shard; empty for other chunks
 */
public record StoredCell(String key, long raw, long size, Optional<Shard> shard) {
    /**
     * The content of a shard.
     *
     * @param innerChunks the number of inner chunks inside the array
     * @param stored the number of stored inner chunks inside the array
     * @param unused the number of bytes that belong neither to an inner chunk nor to the index
     */
    public record Shard(long innerChunks, long stored, long unused) {}

    /**
     * Returns the size of the chunk at {@code cell} of the chunk grid.
     *
     * @throws dev.shardkit.spi.error.ZarrException if the index cannot be read
     */
    public static StoredCell of(ZarrArray array, long[] cell) {
        ArrayStorage chunks = array.storage();
        OptionalInt elementSize = array.dataType().elementSize();
        long raw = elementSize.isEmpty()
                ? 0
                : chunks.box(cell).intersect(array.domain()).count() * elementSize.getAsInt();
        String key = chunks.key(cell);
        if (chunks.codec(cell).shardAccess().isEmpty()) {
            return new StoredCell(key, raw, chunks.storedSize(cell).orElse(0), Optional.empty());
        }
        Optional<Layout> layout = chunks.layout(cell);
        return layout.isEmpty()
                ? new StoredCell(key, raw, 0, Optional.empty())
                : new StoredCell(
                        key, raw, layout.get().shardSize(), Optional.of(shard(layout.get(), isInside(array, cell))));
    }

    /**
     * Returns a test of whether an inner chunk, given by its index in C order, has elements inside the array. All inner
     * chunks count as inside if a codec before the sharding codec, such as transpose, cannot map boxes of elements.
     */
    private static LongPredicate isInside(ZarrArray array, long[] cell) {
        ShardAccess shard = array.storage().codec(cell).shardAccess().orElseThrow();
        Box box = array.storage().box(cell);
        long[] origin = box.origin();
        Box insideArray = box.intersect(array.domain())
                .translate(Arrays.stream(origin).map(index -> -index).toArray());
        Optional<Box> inside = shard.encoded(insideArray); // in the dimensions of the stored shard, from its origin
        if (inside.isEmpty()) {
            return index -> true;
        }
        return index -> {
            long[] inner = Shapes.unravel(index, shard.gridShape());
            for (int d = 0; d < inner.length; d++) {
                if (inner[d] * shard.innerShape()[d] >= inside.get().shape(d)) {
                    return false;
                }
            }
            return true;
        };
    }

    private static Shard shard(Layout layout, LongPredicate isInside) {
        List<Extent> extents = new ArrayList<>();
        long count = 0;
        long stored = 0;
        for (long i = 0; i < layout.count(); i++) {
            Optional<Extent> extent = layout.extent(i);
            extent.ifPresent(extents::add);
            boolean counts = isInside.test(i);
            count += counts ? 1 : 0;
            stored += counts && extent.isPresent() ? 1 : 0;
        }
        extents.add(layout.index());
        // Unused bytes are the gaps between extents. Extents may overlap, because inner chunks may share bytes.
        extents.sort(Comparator.comparingLong(Extent::offset));
        long end = 0;
        long unused = 0;
        for (Extent extent : extents) {
            unused += Math.max(0, extent.offset() - end);
            end = Math.max(end, extent.offset() + extent.size());
        }
        return new Shard(count, stored, unused + Math.max(0, layout.shardSize() - end));
    }
}
