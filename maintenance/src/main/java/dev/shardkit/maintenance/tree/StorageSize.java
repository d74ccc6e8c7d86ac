package dev.shardkit.maintenance.tree;

import dev.shardkit.ArrayStorage;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.chunks.StoredChunkList;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.ReadResult;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The size of an array: of its stored objects, and of its elements without encoding. Metadata documents do not count.
 * Immutable.
 *
 * @param objects the number of stored shards; without sharding, of stored chunks
 * @param stored the size of these objects in bytes
 * @param raw the size in bytes of all elements without encoding, whether their chunks are stored or not; empty if
 *     elements have no fixed size
 */
public record StorageSize(long objects, long stored, Optional<BigInteger> raw) {
    /** The maximum number of objects whose sizes are requested together. */
    private static final int BATCH = 4096;

    /**
     * Returns the size of an array. Lists the stored objects, with their sizes if the listing has them. If the store
     * does not support listing, or the listing has no sizes, reads the last byte of each object to get its size.
     *
     * @throws dev.shardkit.spi.error.ZarrException if the objects cannot be listed or read
     */
    public static StorageSize of(ZarrArray array) {
        StoredChunkList cells = StoredChunkList.of(array);
        if (cells.bytes().isPresent()) {
            return new StorageSize(cells.count(), cells.bytes().getAsLong(), raw(array));
        }
        ArrayStorage chunks = array.storage();
        long objects = 0;
        long stored = 0;
        for (long from = 0; from < cells.count(); from += BATCH) {
            List<long[]> batch = new ArrayList<>();
            for (long i = from; i < Math.min(cells.count(), from + BATCH); i++) {
                batch.add(cells.cell(i));
            }
            for (OptionalLong size : sizes(chunks, batch)) {
                objects += size.isPresent() ? 1 : 0;
                stored += size.orElse(0);
            }
        }
        return new StorageSize(objects, stored, raw(array));
    }

    private static List<OptionalLong> sizes(ArrayStorage chunks, List<long[]> cells) {
        return chunks.inspect(
                cells,
                (cell, source) -> source.read(
                        new ByteRange.Suffix(1),
                        (response, scratch) -> response instanceof ReadResult.Found found
                                ? OptionalLong.of(found.sourceSize())
                                : OptionalLong.empty()));
    }

    private static Optional<BigInteger> raw(ZarrArray array) {
        OptionalInt size = array.dataType().elementSize();
        return size.isEmpty()
                ? Optional.empty()
                : Optional.of(Shapes.exactCount(array.shape()).multiply(BigInteger.valueOf(size.getAsInt())));
    }
}
