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
    /** The length of the checksum at the end of an index. */
    private static final int CHECKSUM = 4;

    /**
     * Checks that a patch stays inside the old file, before anything is written.
     *
     * @param name the file, for messages
     */
    public static void check(Edit.Patch edit, String name) {
        boolean isInside = edit.oldSize() >= 0;
        for (Edit.Write w : edit.overwritten()) {
            isInside &=
                    w.offset() >= 0 && w.offset() <= edit.oldSize() - w.bytes().size();
        }
        for (Piece p : edit.appended()) {
            isInside &= p.size() >= 0
                    && (!(p instanceof Piece.Copied m) || (m.offset() >= 0 && m.offset() <= edit.oldSize() - m.size()));
        }
        if (!isInside) {
            throw new IllegalArgumentException("a patch of " + name + " exceeds its " + edit.oldSize() + " bytes");
        }
    }

    /**
     * Writes the appended pieces.
     *
     * @param indexLast whether to force all other bytes before the end of the index, the last piece, is written.
     *     Otherwise a power failure could leave a valid index without its inner chunks
     */
    public void append(FileChannel out, boolean indexLast) throws IOException {
        out.position(edit.oldSize());
        for (int i = 0; i < edit.appended().size(); i++) {
            Piece p = edit.appended().get(i);
            boolean isLast = i == edit.appended().size() - 1;
            if (p instanceof Piece.Literal l && isLast && indexLast) {
                appendIndex(l, out);
            } else if (p instanceof Piece.Literal l) {
                for (ByteBuffer piece : l.bytes().pieces()) {
                    Channels.write(out, piece);
                }
            } else if (p instanceof Piece.Copied m) {
                move(m, out);
            } else if (p.size() > 0) {
                out.position(out.position() + p.size() - 1); // a hole
                Channels.write(out, ByteBuffer.allocate(1));
            }
        }
    }

    /** Overwrites bytes of the old file. */
    public void overwrite(FileChannel out) throws IOException {
        for (Edit.Write w : edit.overwritten()) {
            long offset = w.offset();
            for (ByteBuffer piece : w.bytes().pieces()) {
                offset = Channels.write(out, offset, piece);
            }
        }
    }

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

    private void move(Piece.Copied moved, FileChannel out) throws IOException {
        if (file.getFileSystem() == FileSystems.getDefault()) {
            try (FileChannel source = FileChannel.open(file, StandardOpenOption.READ)) {
                Channels.copy(source, moved.offset(), moved.size(), out);
            }
        } else {
            // Some file systems in Java do not open a file for reading while it is open for writing.
            Channels.copyWithin(out, moved.offset(), moved.size());
        }
    }
}
