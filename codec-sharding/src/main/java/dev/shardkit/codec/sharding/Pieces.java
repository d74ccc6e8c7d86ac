package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Piece;
import java.util.ArrayList;
import java.util.List;

/** Content under construction; merges neighbouring pieces. Not thread-safe. */
final class Pieces {
    private final List<Piece> list = new ArrayList<>();
    private long size;

    /** Appends {@code piece}. */
    void add(Piece piece) {
        if (piece.size() == 0) {
            return;
        }
        size = Math.addExact(size, piece.size());
        int last = list.size() - 1;
        if (last >= 0
                && piece instanceof Piece.Moved m
                && list.get(last) instanceof Piece.Moved before
                && before.offset() + before.size() == m.offset()) {
            list.set(last, new Piece.Moved(before.offset(), before.size() + m.size()));
        } else if (last >= 0 && piece instanceof Piece.Zeros && list.get(last) instanceof Piece.Zeros before) {
            list.set(last, new Piece.Zeros(before.size() + piece.size()));
        } else {
            list.add(piece);
        }
    }

    /** Returns the size in bytes. */
    long size() {
        return size;
    }

    /** Returns the pieces in order. */
    List<Piece> list() {
        return list;
    }
}
