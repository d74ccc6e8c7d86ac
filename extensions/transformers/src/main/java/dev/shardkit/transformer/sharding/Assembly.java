package dev.shardkit.transformer.sharding;

import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Replaces a shard by a new one: its chunks in C order, unchanged ones moved as encoded bytes, then the index. Drops
 * bytes that no entry refers to. Deterministic and without I/O. Not thread-safe.
 */
final class Assembly {
    private final Optional<ShardIndex> before;
    private final long[] words;
    private final List<Piece> pieces = new ArrayList<>();
    private final Map<Piece, Long> moved = new HashMap<>();
    private long end;

    private Assembly(Optional<ShardIndex> before, long count) {
        this.before = before;
        this.words = ShardIndex.noEntries(count);
    }

    /**
     * Returns the edit that applies {@code changed} to a shard.
     *
     * @param place the place of the shard, for errors
     * @param before the current index; empty if the shard does not exist or is overwritten entirely
     * @param changed the edits of chunks, by number
     */
    static Edit edit(long[] chunksPerShard, Place place, Optional<ShardIndex> before, SortedMap<Long, Edit> changed) {
        if (before.isPresent()
                && changed.entrySet().stream().allMatch(e -> keeps(e.getValue(), before.get(), e.getKey()))) {
            return before.get().hasAny() ? new Edit.Keep() : new Edit.Absent();
        } else if (before.isEmpty() && changed.values().stream().noneMatch(e -> e instanceof Edit.Replace)) {
            return new Edit.Absent();
        }
        before.ifPresent(index -> checkAll(index, chunksPerShard, place));
        Assembly assembly = new Assembly(before, Shapes.count(chunksPerShard));
        for (long i = 0; i < assembly.words.length / 2; i++) {
            assembly.put(i, Optional.ofNullable(changed.get(i)).orElseGet(Edit.Keep::new));
        }
        return assembly.finish();
    }

    private static boolean keeps(Edit edit, ShardIndex before, long i) {
        return edit instanceof Edit.Keep || (edit instanceof Edit.Absent && !before.has(i));
    }

    /** Rejects invalid entries, and overlapping chunks whose move would make the shard grow. */
    private static void checkAll(ShardIndex index, long[] chunksPerShard, Place place) {
        Map<Long, Long> seen = new HashMap<>();
        long sum = 0;
        for (long i = 0; i < Shapes.count(chunksPerShard); i++) {
            index.check(i, Shapes.unravel(i, chunksPerShard), place);
            if (index.has(i) && seen.put(index.offset(i), index.size(i)) == null) {
                sum += index.size(i);
            }
            if (sum > index.begin()) {
                throw new CorruptDataException("shard index: chunks that overlap and differ have more bytes than the "
                                + index.begin() + " that the shard has for them")
                        .locate(Optional.empty(), Optional.of(place), Optional.empty());
            }
        }
    }

    private void put(long i, Edit edit) {
        boolean was = before.isPresent() && before.get().has(i);
        long offset = was ? before.get().offset(i) : 0;
        if (edit instanceof Edit.Replace replace) {
            append(i, replace.pieces().stream().map(p -> shift(p, offset)).toList());
        } else if (edit instanceof Edit.Patch patch) {
            append(i, Overlay.of(patch).stream().map(p -> shift(p, offset)).toList());
        } else if (edit instanceof Edit.Keep && was) {
            Piece piece = new Piece.Moved(offset, before.get().size(i));
            Optional<Long> same = Optional.ofNullable(moved.putIfAbsent(piece, i));
            if (same.isPresent()) {
                set(i, words[(int) (2 * same.get())], words[(int) (2 * same.get() + 1)]);
            } else {
                append(i, List.of(piece));
            }
        }
    }

    private static Piece shift(Piece piece, long by) {
        return piece instanceof Piece.Moved m ? new Piece.Moved(Math.addExact(by, m.offset()), m.size()) : piece;
    }

    private void append(long i, List<Piece> content) {
        long start = end;
        for (Piece piece : content) {
            int last = pieces.size() - 1;
            if (last >= 0
                    && piece instanceof Piece.Moved m
                    && pieces.get(last) instanceof Piece.Moved b
                    && b.offset() + b.size() == m.offset()) {
                pieces.set(last, new Piece.Moved(b.offset(), b.size() + m.size()));
            } else if (piece.size() > 0) {
                pieces.add(piece);
            }
            end = Math.addExact(end, piece.size());
        }
        set(i, start, end - start);
    }

    private void set(long i, long offset, long size) {
        words[(int) (2 * i)] = offset;
        words[(int) (2 * i + 1)] = size;
    }

    private Edit finish() {
        for (long word : words) {
            if (word != ShardIndex.NONE) {
                pieces.add(new Piece.Literal(ShardIndex.encode(words)));
                return new Edit.Replace(pieces);
            }
        }
        return new Edit.Absent();
    }
}
