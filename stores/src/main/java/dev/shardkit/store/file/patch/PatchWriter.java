package dev.shardkit.store.file.patch;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.store.file.disk.Channels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes the bytes of a patch to its file.
 *
 * @param file the file that is changed
 */
public record PatchWriter(Edit.Patch edit, Path file) {
    /** The size in bytes of the checksum at the end of a shard's index. */
    private static final int CHECKSUM = 4;

    /**
     * Checks, before anything is written, that a patch overwrites and copies bytes of the old file only.
     *
     * @param name the file, for messages
     */
    public static void check(Edit.Patch edit, String name) {
        boolean isInside = edit.oldSize() >= 0;
        for (Edit.Write write : edit.overwritten()) {
            isInside &= write.offset() >= 0
                    && write.offset() <= edit.oldSize() - write.bytes().size();
        }
        for (Piece piece : edit.appended()) {
            isInside &= piece.size() >= 0
                    && (!(piece instanceof Piece.Copied copied)
                            || (copied.offset() >= 0 && copied.offset() <= edit.oldSize() - copied.size()));
        }
        if (!isInside) {
            throw new IllegalArgumentException("a patch of " + name + " exceeds its " + edit.oldSize() + " bytes");
        }
    }

    /**
     * Writes the appended pieces.
     *
     * @param indexLast whether all other bytes are forced before the end of the index, which is the last piece, is
     *     written. Without this, a power failure could leave a valid index without its inner chunks
     */
    public void append(FileChannel out, boolean indexLast) throws IOException {
        out.position(edit.oldSize());
        for (int i = 0; i < edit.appended().size(); i++) {
            Piece piece = edit.appended().get(i);
            boolean isLast = i == edit.appended().size() - 1;
            if (piece instanceof Piece.Literal literal && isLast && indexLast) {
                appendIndex(literal, out);
            } else if (piece instanceof Piece.Literal literal) {
                for (ByteBuffer bytes : literal.bytes().pieces()) {
                    Channels.write(out, bytes);
                }
            } else if (piece instanceof Piece.Copied copied) {
                copy(copied, out);
            } else if (piece.size() > 0) {
                // A gap: writing its last byte leaves a hole in the file, which reads as zeros.
                out.position(out.position() + piece.size() - 1);
                Channels.write(out, ByteBuffer.allocate(1));
            }
        }
    }

    /** Overwrites bytes of the old file. */
    public void overwrite(FileChannel out) throws IOException {
        for (Edit.Write write : edit.overwritten()) {
            long offset = write.offset();
            for (ByteBuffer piece : write.bytes().pieces()) {
                offset = Channels.write(out, offset, piece);
            }
        }
    }

    /** Appends the index, and forces the file before the checksum at its end: without it, the index is invalid. */
    private void appendIndex(Piece.Literal index, FileChannel out) throws IOException {
        long beforeChecksum = Math.max(0, index.bytes().size() - CHECKSUM);
        long written = 0;
        for (ByteBuffer piece : index.bytes().pieces()) {
            int first = (int) Math.max(0, Math.min(piece.remaining(), beforeChecksum - written));
            written += piece.remaining();
            if (first < piece.remaining()) {
                Channels.write(out, piece.slice(piece.position(), first));
                out.force(false);
            }
            Channels.write(out, first < piece.remaining() ? piece.position(piece.position() + first) : piece);
        }
    }

    /** Appends a copy of bytes of the old file. */
    private void copy(Piece.Copied copied, FileChannel out) throws IOException {
        if (file.getFileSystem() == FileSystems.getDefault()) {
            try (FileChannel source = FileChannel.open(file, StandardOpenOption.READ)) {
                Channels.copy(source, copied.offset(), copied.size(), out);
            }
        } else {
            // Some file systems in Java do not open a file for reading while it is open for writing.
            Channels.copyWithin(out, copied.offset(), copied.size());
        }
    }
}
