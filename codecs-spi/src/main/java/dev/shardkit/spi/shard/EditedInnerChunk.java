package dev.shardkit.spi.shard;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Applies an edit of an inner chunk while its shard is rewritten: returns the content of the inner chunk as pieces of
 * the new shard. Not thread-safe.
 */
public final class EditedInnerChunk {
    private final NavigableMap<Long, Piece> pieces = new TreeMap<>();
    private final long size;

    private EditedInnerChunk(Extent old) {
        if (old.size() > 0) {
            pieces.put(0L, new Piece.Copied(old.offset(), old.size()));
        }
        size = old.size();
    }

    /**
     * Returns the content after {@code edit}, with offsets from the shard's first byte; empty if the inner chunk is not
     * stored.
     *
     * @param old the current byte range of the inner chunk in the shard
     */
    public static Optional<List<Piece>> of(Edit edit, Optional<Extent> old) {
        if (edit instanceof Edit.Replace replace) {
            return Optional.of(shift(replace.pieces(), old.orElse(null)));
        } else if (edit instanceof Edit.Keep) {
            return old.map(e -> List.of(new Piece.Copied(e.offset(), e.size())));
        } else if (edit instanceof Edit.Patch patch) {
            EditedInnerChunk content = new EditedInnerChunk(old.orElseThrow());
            patch.overwritten().forEach(content::write);
            List<Piece> pieces = new ArrayList<>(content.pieces.values());
            pieces.addAll(shift(patch.appended(), old.orElseThrow()));
            return Optional.of(pieces);
        }
        return Optional.empty(); // Edit.Delete
    }

    /** Converts offsets in the inner chunk to offsets in the shard. */
    private static List<Piece> shift(List<Piece> pieces, @Nullable Extent old) {
        return pieces.stream()
                .map(p -> p instanceof Piece.Copied copied
                        ? new Piece.Copied(
                                Math.addExact(Objects.requireNonNull(old).offset(), copied.offset()), copied.size())
                        : p)
                .toList();
    }

    /** Replaces the bytes that a patch overwrites. */
    private void write(Edit.Write write) {
        long end = Math.addExact(write.offset(), write.bytes().size());
        if (end > size) {
            throw new IllegalArgumentException("a patch up to " + end + " of an inner chunk of " + size + " bytes");
        }
        split(write.offset());
        split(end);
        pieces.subMap(write.offset(), end).clear();
        pieces.put(write.offset(), new Piece.Literal(write.bytes()));
    }

    /** Splits the piece that extends across {@code position}, if any. */
    private void split(long position) {
        var entry = pieces.lowerEntry(position);
        if (entry == null || entry.getKey() + entry.getValue().size() <= position) {
            return;
        }
        long head = position - entry.getKey();
        long tail = entry.getValue().size() - head;
        pieces.put(entry.getKey(), slice(entry.getValue(), 0, head));
        pieces.put(position, slice(entry.getValue(), head, tail));
    }

    private static Piece slice(Piece piece, long offset, long size) {
        if (piece instanceof Piece.Copied copied) {
            return new Piece.Copied(copied.offset() + offset, size);
        }
        return piece instanceof Piece.Literal l
                ? new Piece.Literal(l.bytes().slice(offset, size))
                : new Piece.Zeros(size);
    }
}
