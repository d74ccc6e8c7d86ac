package dev.shardkit.transformer.sharding;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.plan.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What changes of a value make of it, as pieces: for when what holds it is rewritten. Without state. */
final class Overlay {
    private Overlay() {}

    /** The content after {@code patch}; moved pieces count from the value's first byte. */
    static List<Piece> of(Edit.Patch patch) {
        List<Edit.Write> writes = new ArrayList<>(patch.overwritten());
        writes.sort(Comparator.comparingLong(Edit.Write::offset));
        List<Piece> pieces = new ArrayList<>();
        long at = 0;
        for (Edit.Write write : writes) {
            pieces.add(new Piece.Moved(at, write.offset() - at));
            pieces.add(new Piece.Literal(write.bytes()));
            at = write.offset() + write.bytes().size();
        }
        pieces.add(new Piece.Moved(at, patch.oldSize() - at));
        pieces.addAll(patch.appended());
        return pieces.stream().filter(p -> p.size() > 0).toList();
    }

    /** The content after {@code bytes} took their place at {@code start}; what is missing before it becomes zeros. */
    static List<Piece> written(List<Piece> content, long start, Bytes bytes) {
        long size = content.stream().mapToLong(Piece::size).sum();
        long end = Math.addExact(start, bytes.size());
        List<Piece> pieces = new ArrayList<>(cut(content, 0, Math.min(start, size)));
        if (start > size) {
            pieces.add(new Piece.Zeros(start - size));
        }
        pieces.add(new Piece.Literal(bytes));
        pieces.addAll(cut(content, Math.min(end, size), size));
        return pieces.stream().filter(p -> p.size() > 0).toList();
    }

    private static List<Piece> cut(List<Piece> content, long from, long to) {
        List<Piece> pieces = new ArrayList<>();
        long at = 0;
        for (Piece piece : content) {
            long first = Math.max(from, at);
            long last = Math.min(to, at + piece.size());
            if (first < last) {
                pieces.add(slice(piece, first - at, last - first));
            }
            at += piece.size();
        }
        return pieces;
    }

    private static Piece slice(Piece piece, long offset, long size) {
        if (piece instanceof Piece.Moved m) {
            return new Piece.Moved(m.offset() + offset, size);
        }
        return piece instanceof Piece.Literal l
                ? new Piece.Literal(l.bytes().slice(offset, size))
                : new Piece.Zeros(size);
    }
}
