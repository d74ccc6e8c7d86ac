package dev.shardkit.store.file.patch;

import dev.shardkit.store.file.disk.Channels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Compares the bytes that a patch overwrites with their checksums, in blocks of a device's sector size. Blocks end at
 * multiples of 512 in the file.
 */
final class BlockChecksums {
    private static final int BLOCK = 512;

    private final FileChannel file;
    private final FileChannel journal;
    private final @Nullable RedoSection redo;
    private final ByteBuffer current = ByteBuffer.allocate(JournalFormat.PIECE);
    private final ByteBuffer redone = ByteBuffer.allocate(JournalFormat.PIECE);
    private final ByteBuffer sums = ByteBuffer.allocate(4 * (JournalFormat.PIECE / BLOCK + 1));
    private long redoOffset;
    private boolean isChanged;
    /** The number of blocks that are partly new: a write may have ended inside one. */
    private int mixedBlocks;

    BlockChecksums(FileChannel file, FileChannel journal, @Nullable RedoSection redo) {
        this.file = file;
        this.journal = journal;
        this.redo = redo;
        this.redoOffset = redo == null ? 0 : redo.writesOffset();
    }

    BeforeImageChecksums.Match match() {
        return isChanged ? BeforeImageChecksums.Match.PARTLY_NEW : BeforeImageChecksums.Match.OLD;
    }

    boolean compare(long sumsOffset, long offset, long length) throws IOException {
        Optional<RedoSection.Write> write = redo == null ? Optional.empty() : redo.write(journal, redoOffset);
        if (redo != null
                && write.filter(w -> w.offset() == offset && w.length() == length)
                        .isEmpty()) {
            return false; // a redo of another span
        }
        long end = offset + length;
        long blockSums = sumsOffset;
        for (long position = offset; position < end; position += current.limit()) {
            if (!fill(file, position, end, current)) {
                return false;
            }
            sums.clear().limit(4 * (int) count(position, current.limit()));
            redone.clear().limit(current.limit());
            if (!Channels.read(journal, blockSums, sums)
                    || write.isPresent()
                            && !Channels.read(journal, write.get().bytesOffset() + position - offset, redone)) {
                return false;
            }
            blockSums += sums.limit();
            if (!compare(position, write.isPresent())) {
                return false;
            }
        }
        redoOffset = write.map(w -> w.bytesOffset() + w.length()).orElse(0L);
        return true;
    }

    private boolean compare(long position, boolean hasRedo) {
        int index = 0;
        for (ByteBuffer block = block(position, current, 0);
                block.hasRemaining();
                block = block(position, current, block.limit())) {
            if (BeforeImageChecksums.crc(block.duplicate()) != sums.getInt(4 * index++)) {
                int equalBytes = hasRedo
                        ? block.mismatch(redone.duplicate().limit(block.limit()).position(block.position()))
                        : 0;
                mixedBlocks += equalBytes > 0 ? 1 : 0;
                if (equalBytes == 0 || mixedBlocks > 1) {
                    return false;
                }
                isChanged = true;
            }
        }
        return true;
    }

    /** Fills {@code buffer} with bytes of the file, up to {@code end}. */
    static boolean fill(FileChannel file, long offset, long end, ByteBuffer buffer) throws IOException {
        // Up to the end of a block, so that no block lies in two pieces.
        long limit = (offset / BLOCK) * BLOCK + JournalFormat.PIECE;
        buffer.clear().limit((int) (Math.min(end, limit) - offset));
        boolean complete = Channels.read(file, offset, buffer);
        buffer.flip();
        return complete;
    }

    /** Returns the block of a piece at {@code start}; empty after the last one. */
    static ByteBuffer block(long offset, ByteBuffer buffer, int start) {
        int end = (int) Math.min(buffer.limit(), ((offset + start) / BLOCK + 1) * BLOCK - offset);
        return buffer.duplicate().limit(Math.max(start, end)).position(start);
    }

    /** Returns the number of blocks that a span touches. */
    static long count(long offset, long length) {
        return length == 0 ? 0 : (offset + length - 1) / BLOCK - offset / BLOCK + 1;
    }
}
