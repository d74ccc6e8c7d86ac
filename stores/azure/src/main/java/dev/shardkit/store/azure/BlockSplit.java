package dev.shardkit.store.azure;

import dev.shardkit.store.Content.Part;
import dev.shardkit.store.cloud.PutBody;
import java.util.ArrayList;
import java.util.List;

/**
 * Divides the value of a blob into blocks. A stored range that is large enough gets blocks of its own, which the server
 * can copy; all bytes between such ranges are sent. Blocks of Azure may have any size. Not thread-safe.
 */
final class BlockSplit {
    /** The largest number of blocks that Azure accepts. */
    static final int MAX_BLOCKS = 50_000;

    /**
     * The smallest range that is copied, in bytes. To copy a range takes a request of its own, as does each gap between
     * two copied ranges. To send the range takes no further request if it shares a block with its neighbours, but its
     * bytes travel twice, to this computer and back. At 100 MB/s, 1 MiB travels twice in 20 ms: about the time of a
     * request inside a cloud region.
     */
    static final long MIN_COPIED = 1 << 20;

    private final List<Long> ends = new ArrayList<>();
    private final long largest;
    private long blockStart;

    private BlockSplit(long largest) {
        this.largest = largest;
    }

    /**
     * Returns the ends of the blocks, as offsets in the value.
     *
     * @param partSize the maximum size of blocks; blobs that would have too many blocks get larger ones
     * @param copies whether the server copies ranges
     */
    static List<Long> of(PutBody body, long partSize, boolean copies) {
        if (!copies || body.isInMemory()) {
            BlockSplit equal = new BlockSplit(Math.max(partSize, (body.size() + MAX_BLOCKS - 1) / MAX_BLOCKS));
            equal.endAt(body.size());
            return equal.ends;
        }
        // Full blocks and copied ranges have at least minimumBlock bytes. So at most a quarter of the allowed blocks
        // end because they are full, and at most half of them at the two ends of a range.
        long minimumBlock = 4 * (body.size() / MAX_BLOCKS + 1);
        BlockSplit ends = new BlockSplit(Math.max(partSize, minimumBlock));
        long minCopied = Math.max(Math.min(MIN_COPIED, partSize), minimumBlock);
        long offset = 0;
        for (Part part : body.parts()) {
            if (part instanceof Part.Stored && part.size() >= minCopied) {
                ends.endAt(offset);
                ends.endAt(offset + part.size());
            }
            offset += part.size();
        }
        ends.endAt(body.size());
        return ends.ends;
    }

    /** Ends a block here, and before it where blocks are full. */
    private void endAt(long offset) {
        while (blockStart < offset) {
            blockStart = Math.min(offset, blockStart + largest);
            ends.add(blockStart);
        }
    }
}
