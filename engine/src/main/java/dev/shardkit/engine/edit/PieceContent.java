package dev.shardkit.engine.edit;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.channel.GatheredWrites;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The new content of an object: literal bytes, ranges of the old object, and zeros. Used by one thread. */
record PieceContent(Edit.Replace edit, @Nullable ObjectSnapshot old) implements Content {
    /** The size of the buffer for zeros. */
    private static final int ZEROS = 1 << 16;

    @Override
    public long size() {
        return edit.size();
    }

    @Override
    public void writeTo(WritableByteChannel out) throws IOException {
        int remainingPieces = edit.pieces().size();
        List<ByteBuffer> literals = new ArrayList<>();
        for (Piece piece : edit.pieces()) {
            remainingPieces--;
            if (piece instanceof Piece.Literal literal) {
                literals.addAll(literal.bytes().pieces());
                continue;
            }
            GatheredWrites.write(literals, out);
            literals.clear();
            if (piece instanceof Piece.Copied copied) {
                Objects.requireNonNull(old, "no object to copy from").transferTo(copied.offset(), copied.size(), out);
            } else if (remainingPieces > 0 && out instanceof SeekableByteChannel file) {
                file.position(file.position() + piece.size()); // a hole: the next write gives the file its size
            } else {
                writeZeros(piece.size(), out);
            }
        }
        GatheredWrites.write(literals, out);
    }

    private static void writeZeros(long size, WritableByteChannel out) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocate((int) Math.min(size, ZEROS));
        for (long remaining = size; remaining > 0; remaining -= zeros.limit()) {
            zeros.clear().limit((int) Math.min(remaining, zeros.capacity()));
            GatheredWrites.write(List.of(zeros), out);
        }
    }
}
