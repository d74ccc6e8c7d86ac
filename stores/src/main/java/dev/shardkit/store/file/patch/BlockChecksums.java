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
    private final ByteBuffer found = ByteBuffer.allocate(JournalFormat.PIECE);
    private final ByteBuffer next = ByteBuffer.allocate(JournalFormat.PIECE);
    private final ByteBuffer sums = ByteBuffer.allocate(4 * (JournalFormat.PIECE / BLOCK + 1));
    private long at;
    private boolean changed;
    /** The number of blocks that are partly new: a write may have ended inside one. */
    private int mixed;

    BlockChecksums(FileChannel file, FileChannel journal, @Nullable RedoSection redo) {
        this.file = file;
        this.journal = journal;
        this.redo = redo;
        this.at = redo == null ? 0 : redo.from();
    }

    ContentBefore.Match match() {
        return changed ? ContentBefore.Match.PARTLY_NEW : ContentBefore.Match.OLD;
    }

    boolean compare(long sumsAt, long offset, long length) throws IOException {
        Optional<RedoSection.Write> write = redo == null ? Optional.empty() : redo.write(journal, at);
        if (redo != null
                && write.filter(w -> w.offset() == offset && w.length() == length)
                        .isEmpty()) {
            return false; // a redo of another span
        }
        long end = offset + length;
        long block = sumsAt;
        for (long p = offset; p < end; p += found.limit()) {
            if (!fill(file, p, end, found)) {
                return false;
            }
            sums.clear().limit(4 * (int) count(p, found.limit()));
            next.clear().limit(found.limit());
            if (!Channels.read(journal, block, sums)
                    || write.isPresent() && !Channels.read(journal, write.get().at() + p - offset, next)) {
                return false;
            }
            block += sums.limit();
            if (!compare(p, write.isPresent())) {
                return false;
            }
        }
        at = write.map(w -> w.at() + w.length()).orElse(0L);
        return true;
    }

    private boolean compare(long p, boolean known) {
        int i = 0;
        for (ByteBuffer b = block(p, found, 0); b.hasRemaining(); b = block(p, found, b.limit())) {
            if (ContentBefore.crc(b.duplicate()) != sums.getInt(4 * i++)) {
                int same = known ? b.mismatch(next.duplicate().limit(b.limit()).position(b.position())) : 0;
                mixed += same > 0 ? 1 : 0;
                if (same == 0 || mixed > 1) {
                    return false;
                }
                changed = true;
            }
        }
        return true;
    }

    /** Fills {@code piece} with bytes of the file, up to {@code end}. */
    static boolean fill(FileChannel file, long at, long end, ByteBuffer piece) throws IOException {
        // Up to the end of a block, so that no block lies in two pieces.
        long most = (at / BLOCK) * BLOCK + JournalFormat.PIECE;
        piece.clear().limit((int) (Math.min(end, most) - at));
        boolean complete = Channels.read(file, at, piece);
        piece.flip();
        return complete;
    }

    /** Returns the block of a piece at {@code from}; empty after the last one. */
    static ByteBuffer block(long at, ByteBuffer piece, int from) {
        int end = (int) Math.min(piece.limit(), ((at + from) / BLOCK + 1) * BLOCK - at);
        return piece.duplicate().limit(Math.max(from, end)).position(from);
    }

    /** Returns the number of blocks that a span touches. */
    static long count(long offset, long length) {
        return length == 0 ? 0 : (offset + length - 1) / BLOCK - offset / BLOCK + 1;
    }
}
