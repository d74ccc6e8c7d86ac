package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.FileAdoption;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.shard.ShardIndex;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * Turns foreign files, such as HDF5, into shards by appending an index of the encoded chunks in them. A mark of 64
 * bytes separates the file from the index. The fields of the mark are little-endian: {@code shardkit:adopted} in ASCII,
 * the number 1, the size of the file, the size of the index, the CRC-32C of these fields, and zeros. The mark
 * distinguishes an adopted file from shardkit's own shards: shardkit does not change it in place, and can remove the
 * index again. A rewrite treats the mark as a foreign footer. Immutable.
 *
 * @param format the format of the index
 */
record AdoptedShards(IndexFormat format) implements FileAdoption {
    private static final byte[] MAGIC = "shardkit:adopted".getBytes(StandardCharsets.US_ASCII);
    private static final long VERSION = 1;
    private static final int MARK_BYTES = 64;
    /** The number of bytes at the start of the mark that its checksum covers. */
    private static final int CHECKED_BYTES = MAGIC.length + 3 * Long.BYTES;

    @Override
    public Bytes trailer(long fileSize, List<Optional<Extent>> extents) {
        if (format.isFirst()) {
            throw new UnsupportedException(
                    "a foreign file needs the index at its end: expected index_location \"end\", found \"start\"");
        } else if (extents.size() != format.count()) {
            throw new IllegalArgumentException("expected " + format.count() + " inner chunks, found " + extents.size());
        }
        long[] entries = ShardIndex.noEntries(format.count());
        for (int i = 0; i < extents.size(); i++) {
            if (extents.get(i).isPresent()) {
                entries[2 * i] = extents.get(i).get().offset();
                entries[2 * i + 1] = extents.get(i).get().size();
            }
        }
        try (Scratch scratch = new Scratch()) {
            return Bytes.concat(List.of(Bytes.of(mark(fileSize, format.size())), format.encode(entries, scratch)));
        }
    }

    private static ByteBuffer mark(long fileSize, long indexSize) {
        ByteBuffer mark = ByteBuffer.allocate(MARK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        mark.put(MAGIC).putLong(VERSION).putLong(fileSize).putLong(indexSize);
        CRC32C checksum = new CRC32C();
        checksum.update(mark.array(), 0, CHECKED_BYTES);
        mark.putInt((int) checksum.getValue());
        return mark.clear();
    }

    /**
     * Returns whether a mark fits between the last inner chunk and the index. If not, the shard is not an adopted file.
     * Most shards have no room there, which saves a request for the mark.
     */
    static boolean mayHaveMark(ShardIndex index) {
        long markBegin = index.index().offset() - MARK_BYTES;
        // Backwards, since the last inner chunk is usually the last in the shard, too.
        for (long i = index.count() - 1; i >= 0; i--) {
            if (!index.isMissing(i) && index.offset(i) + index.size(i) > markBegin) {
                return false;
            }
        }
        return markBegin >= 0;
    }

    @Override
    public Plan<OptionalLong> fileSize(Source shard) {
        long tail = MARK_BYTES + format.size();
        if (format.isFirst()) {
            return Plan.done(OptionalLong.empty());
        }
        return shard.read(new ByteRange.Suffix(tail), (result, scratch) -> {
            if (!(result instanceof ReadResult.Found found) || found.bytes().size() != tail) {
                return OptionalLong.empty();
            }
            long fileSize = found.sourceSize() - tail;
            boolean marked = found.bytes().slice(0, MARK_BYTES).contentEquals(Bytes.of(mark(fileSize, format.size())));
            return marked ? OptionalLong.of(fileSize) : OptionalLong.empty();
        });
    }
}
