package dev.shardkit.store.file.patch;

import dev.shardkit.store.file.disk.Channels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Compares the spans of a file that a patch overwrites with their old checksums in the journal, and with the new bytes
 * in the journal's redo section. A span is divided into blocks of 512 bytes, the sector size of disks, which end at
 * multiples of 512 in the file. Used once, by {@link BeforeImageChecksums#match}.
 */
final class BlockChecksums {
    /** The size of a block in bytes. */
    private static final int BLOCK = 512;

    private final FileChannel file;
    private final FileChannel journal;
    private final @Nullable RedoSection redo;
    /** A piece of the file, which contains whole blocks. */
    private final ByteBuffer current = ByteBuffer.allocate(JournalFormat.PIECE);
    /** The new bytes for this piece. */
    private final ByteBuffer redone = ByteBuffer.allocate(JournalFormat.PIECE);
    /** The old checksums of the blocks of this piece. */
    private final ByteBuffer sums = ByteBuffer.allocate(4 * (JournalFormat.PIECE / BLOCK + 1));
    /** The offset in the journal of the next write of the redo section. */
    private long redoOffset;

    private boolean isChanged;

    /**
     * The number of blocks with both new and old bytes. A crash leaves at most one: that in which the write stopped.
     */
    private int mixedBlocks;

    BlockChecksums(FileChannel file, FileChannel journal, @Nullable RedoSection redo) {
        this.file = file;
        this.journal = journal;
        this.redo = redo;
        this.redoOffset = redo == null ? 0 : redo.writesOffset();
    }

    /** Returns the result, after {@link #compare} has returned true for all spans. */
    BeforeImageChecksums.Match match() {
        return isChanged ? BeforeImageChecksums.Match.PARTLY_NEW : BeforeImageChecksums.Match.OLD;
    }

    /**
     * Compares a span, whose checksums begin at {@code sumsOffset} in the journal. Returns false if a block has neither
     * its old nor its new content.
     */
    boolean compare(long sumsOffset, long offset, long length) throws IOException {
        Optional<RedoSection.Write> write = redo == null ? Optional.empty() : redo.write(journal, redoOffset);
        if (redo != null
                && write.filter(redoWrite -> redoWrite.offset() == offset && redoWrite.length() == length)
                        .isEmpty()) {
            return false; // the redo section is for other spans
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
        redoOffset = write.map(redoWrite -> redoWrite.bytesOffset() + redoWrite.length())
                .orElse(0L);
        return true;
    }

    /** Compares the blocks of the current piece, which begins at {@code position} in the file. */
    private boolean compare(long position, boolean hasRedo) {
        int index = 0;
        for (ByteBuffer block = block(position, current, 0);
                block.hasRemaining();
                block = block(position, current, block.limit())) {
            if (BeforeImageChecksums.crc(block.duplicate()) != sums.getInt(4 * index++)) {
                // The number of new bytes at the beginning of the block; -1 if all are new.
                int newBytes = hasRedo
                        ? block.mismatch(redone.duplicate().limit(block.limit()).position(block.position()))
                        : 0;
                mixedBlocks += newBytes > 0 ? 1 : 0;
                if (newBytes == 0 || mixedBlocks > 1) {
                    return false;
                }
                isChanged = true;
            }
        }
        return true;
    }

    /** Fills {@code buffer} with the next piece of the file, up to {@code end} at most. */
    static boolean fill(FileChannel file, long offset, long end, ByteBuffer buffer) throws IOException {
        // A piece ends at the end of a block, so that no block lies in two pieces.
        long limit = (offset / BLOCK) * BLOCK + JournalFormat.PIECE;
        buffer.clear().limit((int) (Math.min(end, limit) - offset));
        boolean complete = Channels.read(file, offset, buffer);
        buffer.flip();
        return complete;
    }

    /**
     * Returns the block at {@code start} of a piece; a buffer without bytes after the last block.
     *
     * @param offset the offset of the piece in the file
     */
    static ByteBuffer block(long offset, ByteBuffer buffer, int start) {
        int end = (int) Math.min(buffer.limit(), ((offset + start) / BLOCK + 1) * BLOCK - offset);
        return buffer.duplicate().limit(Math.max(start, end)).position(start);
    }

    /** Returns the number of blocks that a span touches. */
    static long count(long offset, long length) {
        return length == 0 ? 0 : (offset + length - 1) / BLOCK - offset / BLOCK + 1;
    }
}
