package dev.shardkit.store.cache;

import dev.shardkit.spi.plan.ByteRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Says which cached ranges cover a requested range: parts in order, each from one file, and the gaps between them.
 * Immutable.
 *
 * @param parts the parts that cached ranges cover
 * @param missing the gaps
 */
record RangeCover(List<Part> parts, List<ByteRange.Slice> missing) {
    /**
     * A part of the requested range.
     *
     * @param cachedRange the range of the file that holds it
     * @param usedRange the range of the part itself
     */
    record Part(ByteRange.Slice cachedRange, ByteRange.Slice usedRange) {}

    /** Returns the cover by one cached range that contains the requested one. */
    static RangeCover by(ByteRange.Slice cachedRange, ByteRange.Slice usedRange) {
        return new RangeCover(List.of(new Part(cachedRange, usedRange)), List.of());
    }

    /** Returns the cover of {@code requested} by these cached ranges. */
    static RangeCover of(ByteRange.Slice requested, List<ByteRange.Slice> cachedRanges) {
        List<ByteRange.Slice> ranges = new ArrayList<>(cachedRanges);
        ranges.removeIf(r -> r.offset() >= requested.end() || r.end() <= requested.offset());
        ranges.sort(Comparator.comparingLong(ByteRange.Slice::offset));
        List<Part> parts = new ArrayList<>();
        List<ByteRange.Slice> missing = new ArrayList<>();
        long position = requested.offset();
        int next = 0;
        while (position < requested.end()) {
            // Of the cached ranges that cover this position, the one that reaches farthest.
            Optional<ByteRange.Slice> best = Optional.empty();
            for (; next < ranges.size() && ranges.get(next).offset() <= position; next++) {
                ByteRange.Slice range = ranges.get(next);
                if (range.end() > best.map(ByteRange.Slice::end).orElse(position)) {
                    best = Optional.of(range);
                }
            }
            long end;
            if (best.isPresent()) {
                end = Math.min(best.get().end(), requested.end());
                parts.add(new Part(best.get(), new ByteRange.Slice(position, end - position)));
            } else {
                end = next < ranges.size() ? ranges.get(next).offset() : requested.end();
                missing.add(new ByteRange.Slice(position, end - position));
            }
            position = end;
        }
        return new RangeCover(List.copyOf(parts), List.copyOf(missing));
    }

    boolean isComplete() {
        return missing.isEmpty();
    }

    /** Returns the smallest range that contains all missing bytes. Some bytes must be missing. */
    ByteRange.Slice gap() {
        long start = missing.get(0).offset();
        return new ByteRange.Slice(start, missing.get(missing.size() - 1).end() - start);
    }
}
