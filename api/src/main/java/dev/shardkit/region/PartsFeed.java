package dev.shardkit.region;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Combines several writes into one feed. Where parts overlap, the feed supplies the elements of the later part. Between
 * the parts, it has holes. Index zero of the feed is a position in the array. Immutable except for the elements of the
 * parts.
 */
public final class PartsFeed implements Feed {
    /**
     * The largest number of uncovered boxes that is tracked. Beyond it, a box counts as partly covered, which costs a
     * read but loses nothing.
     */
    private static final int MAX_LEFT = 256;

    private final List<WritePart> parts;
    private final long[] origin;
    private final PartsNear near;

    /** Finds the parts that may touch a box, and the best way to divide a box. */
    public interface PartsNear {
        List<WritePart> of(Box wanted);

        default Iterable<Box> cut(Box wanted) {
            return List.of(wanted);
        }
    }

    private PartsFeed(List<WritePart> parts, long[] origin, PartsNear near) {
        this.parts = parts;
        this.origin = origin;
        this.near = near;
    }

    /** Returns a feed of parts, in order. Its index zero is {@code origin} of the array. */
    public static PartsFeed of(List<WritePart> parts, long[] origin) {
        return new PartsFeed(parts, origin, wanted -> parts);
    }

    /** Returns a feed of parts that {@code near} finds. Its index zero is {@code origin} of the array. */
    static PartsFeed of(List<WritePart> parts, long[] origin, PartsNear near) {
        return new PartsFeed(parts, origin, near);
    }

    @Override
    public void get(Box part, Elements to, long offset, long[] strides) {
        Box wanted = part.translate(origin);
        for (WritePart p : near.of(wanted)) {
            Box common = p.box().intersect(wanted);
            if (common.isEmpty()) {
                continue;
            }
            long at = offset;
            for (int d = 0; d < strides.length; d++) {
                at += (common.origin(d) - wanted.origin(d)) * strides[d];
            }
            p.feed().get(common.relativeTo(p.box()), to, at, strides);
        }
    }

    @Override
    public Coverage coverage(Box part) {
        Optional<Coverage> all = Optional.empty();
        for (Box box : near.cut(part.translate(origin))) {
            Coverage one = of(box);
            all = Optional.of(all.map(a -> both(a, one)).orElse(one));
            if (all.get() == Coverage.SOME) {
                return Coverage.SOME;
            }
        }
        return all.orElse(Coverage.NONE);
    }

    private static Coverage both(Coverage a, Coverage b) {
        if (a == b) {
            return a;
        }
        return a == Coverage.NONE || b == Coverage.NONE || b == Coverage.SOME ? Coverage.SOME : Coverage.ALL;
    }

    private Coverage of(Box wanted) {
        List<WritePart> candidates = near.of(wanted);
        List<Box> left = List.of(wanted);
        boolean touched = false;
        boolean fill = true;
        for (int i = candidates.size() - 1; i >= 0 && !left.isEmpty(); i--) {
            WritePart p = candidates.get(i);
            List<Box> next = new ArrayList<>();
            for (Box box : left) {
                Box common = box.intersect(p.box());
                Coverage has = common.isEmpty() ? Coverage.NONE : p.feed().coverage(common.relativeTo(p.box()));
                if (has == Coverage.SOME || next.size() > MAX_LEFT) {
                    return Coverage.SOME;
                }
                boolean all = has != Coverage.NONE;
                touched |= all;
                fill &= !all || has == Coverage.FILL;
                next.addAll(all ? Boxes.minus(box, common) : List.of(box));
            }
            left = next;
        }
        if (!left.isEmpty()) {
            return touched ? Coverage.SOME : Coverage.NONE;
        }
        return fill ? Coverage.FILL : Coverage.ALL;
    }

    @Override
    public String toString() {
        return parts.size() + " parts";
    }
}
