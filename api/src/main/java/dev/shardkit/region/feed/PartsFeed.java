package dev.shardkit.region.feed;

import dev.shardkit.region.box.Boxes;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Combines several writes into one feed. Where parts overlap, the feed supplies the elements of the later part. Between
 * the parts, it has holes. Index zero of the feed is a given position in the array. Immutable except for the elements
 * of the parts.
 */
public final class PartsFeed implements Feed {
    /**
     * The largest number of uncovered boxes that is tracked. Beyond it, a box counts as partly covered, which costs a
     * read but loses nothing.
     */
    private static final int MAX_UNCOVERED = 256;

    private final List<WritePart> parts;
    private final long[] origin;
    private final PartsIndex index;

    /** An index of the parts by position, which also divides boxes into pieces that few parts touch. */
    public interface PartsIndex {
        /** Returns the parts that may touch {@code wanted}, in order. */
        List<WritePart> touching(Box wanted);

        /** Divides {@code wanted} into boxes that are looked up one by one. */
        default Iterable<Box> divide(Box wanted) {
            return List.of(wanted);
        }
    }

    private PartsFeed(List<WritePart> parts, long[] origin, PartsIndex index) {
        this.parts = parts;
        this.origin = origin;
        this.index = index;
    }

    /** Returns a feed of parts, in order. Its index zero is {@code origin} of the array. */
    public static PartsFeed of(List<WritePart> parts, long[] origin) {
        return new PartsFeed(parts, origin, wanted -> parts);
    }

    /** Returns a feed of parts that {@code index} finds. Its index zero is {@code origin} of the array. */
    static PartsFeed of(List<WritePart> parts, long[] origin, PartsIndex index) {
        return new PartsFeed(parts, origin, index);
    }

    @Override
    public void get(Box part, Elements destination, long offset, long[] strides) {
        Box wanted = part.translate(origin);
        for (WritePart writePart : index.touching(wanted)) {
            Box common = writePart.box().intersect(wanted);
            if (common.isEmpty()) {
                continue;
            }
            long start = offset;
            for (int d = 0; d < strides.length; d++) {
                start += (common.origin(d) - wanted.origin(d)) * strides[d];
            }
            writePart.feed().get(common.relativeTo(writePart.box()), destination, start, strides);
        }
    }

    @Override
    public Coverage coverage(Box part) {
        Optional<Coverage> combined = Optional.empty();
        for (Box box : index.divide(part.translate(origin))) {
            Coverage boxCoverage = coverageOf(box);
            combined = Optional.of(combined.map(a -> combine(a, boxCoverage)).orElse(boxCoverage));
            if (combined.get() == Coverage.SOME) {
                return Coverage.SOME;
            }
        }
        return combined.orElse(Coverage.NONE);
    }

    /** Returns the coverage of two boxes together. {@code a}, the coverage of the first one, is not {@code SOME}. */
    private static Coverage combine(Coverage a, Coverage b) {
        if (a == b) {
            return a;
        }
        return a == Coverage.NONE || b == Coverage.NONE || b == Coverage.SOME ? Coverage.SOME : Coverage.ALL;
    }

    /** Subtracts the parts from a box, the latest part first, until nothing is uncovered. */
    private Coverage coverageOf(Box wanted) {
        List<WritePart> candidates = index.touching(wanted);
        List<Box> uncovered = List.of(wanted);
        boolean anySupplied = false;
        boolean onlyFill = true;
        for (int i = candidates.size() - 1; i >= 0 && !uncovered.isEmpty(); i--) {
            WritePart candidate = candidates.get(i);
            List<Box> remaining = new ArrayList<>();
            for (Box box : uncovered) {
                Box common = box.intersect(candidate.box());
                Coverage coverage = common.isEmpty()
                        ? Coverage.NONE
                        : candidate.feed().coverage(common.relativeTo(candidate.box()));
                if (coverage == Coverage.SOME || remaining.size() > MAX_UNCOVERED) {
                    return Coverage.SOME;
                }
                boolean isSupplied = coverage != Coverage.NONE;
                anySupplied |= isSupplied;
                onlyFill &= !isSupplied || coverage == Coverage.FILL;
                remaining.addAll(isSupplied ? Boxes.minus(box, common) : List.of(box));
            }
            uncovered = remaining;
        }
        if (!uncovered.isEmpty()) {
            return anySupplied ? Coverage.SOME : Coverage.NONE;
        }
        return onlyFill ? Coverage.FILL : Coverage.ALL;
    }

    @Override
    public String toString() {
        return parts.size() + " parts";
    }
}
