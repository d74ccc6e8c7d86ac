package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.codec.Piece;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The content of an inner chunk after a patch, as pieces; for the case that the shard is rewritten instead. Not
 * thread-safe.
 */
final class Overlay {
    private final NavigableMap<Long, Piece> pieces = new TreeMap<>();
    private final long size;

    private Overlay(Extent old) {
        pieces.put(0L, new Piece.Moved(old.offset(), old.size()));
        size = old.size();
    }

    /** Returns the content of the inner chunk stored at {@code old} after {@code patch}. */
    static List<Piece> of(Extent old, Edit.Patch patch) {
        Overlay overlay = new Overlay(old);
        patch.overwritten().forEach(overlay::write);
        return List.copyOf(overlay.pieces.values());
    }

    private void write(Edit.Write write) {
        long end = Math.addExact(write.offset(), write.bytes().size());
        if (end > size) {
            throw new IllegalArgumentException("a patch up to " + end + " of an inner chunk of " + size + " bytes");
        }
        cut(write.offset());
        cut(end);
        pieces.subMap(write.offset(), end).clear();
        pieces.put(write.offset(), new Piece.Literal(write.bytes()));
    }

    /** Splits the piece that extends across {@code at}, if any. */
    private void cut(long at) {
        var found = pieces.lowerEntry(at);
        if (found == null || found.getKey() + found.getValue().size() <= at) {
            return;
        }
        long head = at - found.getKey();
        long tail = found.getValue().size() - head;
        pieces.put(found.getKey(), slice(found.getValue(), 0, head));
        pieces.put(at, slice(found.getValue(), head, tail));
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
