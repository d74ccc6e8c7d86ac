package dev.shardkit.spi.shard;

import dev.shardkit.spi.codec.Piece;
import java.util.ArrayList;
import java.util.List;

/** Collects the pieces of a stored object's new content, and merges neighbouring pieces. Not thread-safe. */
public final class PieceMerger {
    private final List<Piece> list = new ArrayList<>();
    private long size;

    /** Creates empty content. */
    public PieceMerger() {}

    /** Appends {@code piece}. */
    public void add(Piece piece) {
        if (piece.size() == 0) {
            return;
        }
        size = Math.addExact(size, piece.size());
        int last = list.size() - 1;
        if (last >= 0
                && piece instanceof Piece.Copied next
                && list.get(last) instanceof Piece.Copied previous
                && previous.offset() + previous.size() == next.offset()) {
            list.set(last, new Piece.Copied(previous.offset(), previous.size() + next.size()));
        } else if (last >= 0 && piece instanceof Piece.Zeros && list.get(last) instanceof Piece.Zeros previous) {
            list.set(last, new Piece.Zeros(previous.size() + piece.size()));
        } else {
            list.add(piece);
        }
    }

    /** Returns the size in bytes. */
    public long size() {
        return size;
    }

    /** Returns the pieces in order. */
    public List<Piece> list() {
        return list;
    }
}
