package dev.shardkit.store.cache;

import dev.shardkit.spi.plan.ByteRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How kept ranges cover a wanted range: parts in order, each from one file, and the gaps between them. Immutable.
 *
 * @param parts the kept parts
 * @param missing the gaps
 */
record RangeCover(List<Part> parts, List<ByteRange.Slice> missing) {
    /**
     * A part of the wanted range.
     *
     * @param kept the range of the file that holds it
     * @param wanted the part
     */
    record Part(ByteRange.Slice kept, ByteRange.Slice wanted) {}

    /** Returns a cover by one range, which contains the wanted one. */
    static RangeCover by(ByteRange.Slice kept, ByteRange.Slice wanted) {
        return new RangeCover(List.of(new Part(kept, wanted)), List.of());
    }

    /** Returns how these ranges cover {@code wanted}. */
    static RangeCover of(ByteRange.Slice wanted, List<ByteRange.Slice> kept) {
        List<ByteRange.Slice> ranges = new ArrayList<>(kept);
        ranges.removeIf(r -> r.offset() >= wanted.end() || r.end() <= wanted.offset());
        ranges.sort(Comparator.comparingLong(ByteRange.Slice::offset));
        List<Part> parts = new ArrayList<>();
        List<ByteRange.Slice> missing = new ArrayList<>();
        long at = wanted.offset();
        int next = 0;
        while (at < wanted.end()) {
            Optional<ByteRange.Slice> best = Optional.empty();
            for (; next < ranges.size() && ranges.get(next).offset() <= at; next++) {
                ByteRange.Slice range = ranges.get(next);
                if (range.end() > best.map(ByteRange.Slice::end).orElse(at)) {
                    best = Optional.of(range);
                }
            }
            long end;
            if (best.isPresent()) {
                end = Math.min(best.get().end(), wanted.end());
                parts.add(new Part(best.get(), new ByteRange.Slice(at, end - at)));
            } else {
                end = next < ranges.size() ? ranges.get(next).offset() : wanted.end();
                missing.add(new ByteRange.Slice(at, end - at));
            }
            at = end;
        }
        return new RangeCover(List.copyOf(parts), List.copyOf(missing));
    }

    boolean isComplete() {
        return missing.isEmpty();
    }

    /** Returns the smallest range that contains all missing bytes. Some bytes must be missing. */
    ByteRange.Slice gap() {
        long from = missing.get(0).offset();
        return new ByteRange.Slice(from, missing.get(missing.size() - 1).end() - from);
    }
}
