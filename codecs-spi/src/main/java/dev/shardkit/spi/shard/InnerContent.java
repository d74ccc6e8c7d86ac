package dev.shardkit.spi.shard;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.codec.Piece;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The content of an inner chunk after an edit, as pieces of the new shard; for the case that the shard is rewritten.
 * Not thread-safe.
 */
public final class InnerContent {
    private final NavigableMap<Long, Piece> pieces = new TreeMap<>();
    private final long size;

    private InnerContent(Extent old) {
        if (old.size() > 0) {
            pieces.put(0L, new Piece.Moved(old.offset(), old.size()));
        }
        size = old.size();
    }

    /**
     * Returns the content after {@code edit}, with offsets from the shard's first byte; empty if the inner chunk is not
     * stored.
     *
     * @param was the current byte range of the inner chunk in the shard
     */
    public static Optional<List<Piece>> of(Edit edit, Optional<Extent> was) {
        if (edit instanceof Edit.Replace replace) {
            return Optional.of(shift(replace.pieces(), was.orElse(null)));
        } else if (edit instanceof Edit.Keep) {
            return was.map(e -> List.of(new Piece.Moved(e.offset(), e.size())));
        } else if (edit instanceof Edit.Patch patch) {
            InnerContent content = new InnerContent(was.orElseThrow());
            patch.overwritten().forEach(content::write);
            List<Piece> all = new ArrayList<>(content.pieces.values());
            all.addAll(shift(patch.appended(), was.orElseThrow()));
            return Optional.of(all);
        }
        return Optional.empty();
    }

    private static List<Piece> shift(List<Piece> pieces, @Nullable Extent was) {
        return pieces.stream()
                .map(p -> p instanceof Piece.Moved m
                        ? new Piece.Moved(
                                Math.addExact(Objects.requireNonNull(was).offset(), m.offset()), m.size())
                        : p)
                .toList();
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
