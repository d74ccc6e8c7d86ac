package dev.shardkit.selection;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A selection of single elements by the coordinates of points; the result has one dimension. An {@link AxisSelection}
 * selects by indices of one dimension instead. Immutable.
 */
public final class Points {
    private final long[][] points;

    private Points(long[][] points) {
        this.points = points;
    }

    /** Selects these points, which the caller must not change afterwards. */
    public static Points of(long[][] points) {
        return new Points(points);
    }

    /** Returns how many points there are. */
    public int count() {
        return points.length;
    }

    /** Returns the smallest box of the array that contains all points; there must be some. */
    public Box bounds() {
        return bounds(IntStream.range(0, points.length).toArray());
    }

    /** Returns the smallest box that contains the points with these numbers. */
    private Box bounds(int[] numbers) {
        long[] low = points[numbers[0]].clone();
        long[] shape = new long[low.length];
        for (int d = 0; d < low.length; d++) {
            long high = low[d];
            for (int i : numbers) {
                low[d] = Math.min(low[d], points[i][d]);
                high = Math.max(high, points[i][d]);
            }
            shape[d] = high - low[d] + 1;
        }
        return Box.of(low, shape);
    }

    /**
     * Points in one tile.
     *
     * @param bounds the smallest box that contains them
     * @param members their numbers, ordered by coordinates, then by number
     */
    private record Group(Box bounds, int[] members) {}

    /** Groups the points by tile. The groups are in the order of the ends of the tiles. */
    private List<Group> groups(Tiling tiling) {
        long[][] ends = new long[points.length][];
        for (int i = 0; i < ends.length; i++) {
            ends[i] = new long[points[i].length];
            for (int d = 0; d < ends[i].length; d++) {
                ends[i][d] = tiling.endOfTile(d, points[i][d]);
            }
        }
        int[] order = IntStream.range(0, points.length)
                .boxed()
                .sorted(Comparator.<Integer, long[]>comparing(i -> ends[i], Arrays::compare)
                        .thenComparing(i -> points[i], Arrays::compare)) // stable: equal points stay in order
                .mapToInt(Integer::intValue)
                .toArray();
        List<Group> groups = new ArrayList<>();
        for (int i = 0; i < order.length; ) {
            int end = i + 1;
            while (end < order.length && Arrays.equals(ends[order[end]], ends[order[i]])) {
                end++;
            }
            int[] members = Arrays.copyOfRange(order, i, end);
            groups.add(new Group(bounds(members), members));
            i = end;
        }
        return groups;
    }

    /** Divides a read: one box for each tile with points. */
    public ReadDivision division(Tiling tiling) {
        List<Group> groups = groups(tiling);
        return new ReadDivision() {
            @Override
            public long count() {
                return groups.size();
            }

            @Override
            public Box box(long i) {
                return groups.get((int) i).bounds();
            }

            @Override
            public Target target(long i, Target result) {
                return new PointsTarget(result, points, groups.get((int) i).members()).window(box(i));
            }
        };
    }

    /**
     * New values of the points in one tile.
     *
     * @param bounds the smallest box that contains the points
     * @param feed supplies the array's elements, with holes between the points; index zero is the array's origin
     */
    public record Part(Box bounds, Feed feed) {}

    /**
     * Divides a write by tiles. If a point is listed twice, the element of its last occurrence is stored.
     *
     * @param values supplies the elements, in the order of the points
     */
    public List<Part> parts(Tiling tiling, Feed values) {
        return groups(tiling).stream()
                .map(group -> new Part(group.bounds(), PointsFeed.of(values, points, group.members())))
                .toList();
    }
}
