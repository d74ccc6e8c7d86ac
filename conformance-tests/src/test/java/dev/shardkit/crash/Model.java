package dev.shardkit.crash;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import java.util.Arrays;
import java.util.List;

/** What an array must hold: the last committed value of each element. Not thread-safe. */
final class Model {
    private final Setup setup;
    private final int columns;
    private int[] values;

    Model(Setup setup) {
        this.setup = setup;
        this.columns = (int) setup.shape()[1];
        this.values = new int[(int) (setup.shape()[0] * columns)];
    }

    /** A model that goes its own way. */
    Model copy() {
        Model copy = new Model(setup);
        copy.values = values.clone();
        return copy;
    }

    /** Makes a step committed. */
    void apply(Step step) {
        values = with(values, step);
    }

    private int[] with(int[] before, Step step) {
        int[] after = before.clone();
        Box region = step.region();
        for (long r = region.origin(0); r < region.end(0); r++) {
            for (long c = region.origin(1); c < region.end(1); c++) {
                after[(int) (r * columns + c)] = step.value(r, c);
            }
        }
        return after;
    }

    /**
     * Compares with what is in the array, and goes on from there.
     *
     * @param underway the step that may have been under way when the writer was killed
     * @param since steps made by others after that, all committed
     */
    void check(ZarrArray array, Step underway, List<Step> since, Tally tally) {
        int[] found = array.read().ints();
        int[] old = values;
        int[] fresh = with(values, underway);
        for (Step s : since) {
            old = with(old, s);
            fresh = with(fresh, s);
        }
        int[] fromFinal = old;
        int[] freshFinal = fresh;
        int[] before = new int[2]; // of each shard
        int[] after = new int[2];
        for (long i = 0; i < setup.cells()[0] * setup.cells()[1]; i++) {
            Box chunk = setup.chunk(i);
            boolean isOld = same(found, fromFinal, chunk);
            boolean isNew = same(found, freshFinal, chunk);
            int shard = (int) (i % setup.cells()[1] / (setup.cells()[1] / 2));
            before[shard] += isOld && !isNew ? 1 : 0;
            after[shard] += isNew && !isOld ? 1 : 0;
            if (!isOld && !isNew) {
                boolean touched = !chunk.intersect(underway.region()).isEmpty();
                tally.broken(
                        touched,
                        setup + " version " + underway.version() + " inner chunk " + i + ": expected "
                                + first(fromFinal, chunk) + " or " + first(freshFinal, chunk) + ", found "
                                + first(found, chunk));
            }
        }
        for (int shard = 0; shard < 2; shard++) {
            if (before[shard] > 0 && after[shard] > 0) {
                tally.half(setup + " version " + underway.version() + " shard " + shard + ": " + before[shard]
                        + " inner chunks are old, " + after[shard] + " new");
            }
        }
        tally.ended(before[0] + before[1], after[0] + after[1]);
        values = found;
    }

    private boolean same(int[] one, int[] other, Box chunk) {
        for (long r = chunk.origin(0); r < chunk.end(0); r++) {
            int from = (int) (r * columns + chunk.origin(1));
            int to = (int) (r * columns + chunk.end(1));
            if (!Arrays.equals(one, from, to, other, from, to)) {
                return false;
            }
        }
        return true;
    }

    private String first(int[] from, Box chunk) {
        int at = (int) (chunk.origin(0) * columns + chunk.origin(1));
        return Arrays.toString(Arrays.copyOfRange(from, at, at + 4));
    }
}
