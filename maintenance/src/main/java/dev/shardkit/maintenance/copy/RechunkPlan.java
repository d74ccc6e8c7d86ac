package dev.shardkit.maintenance.copy;

import dev.shardkit.spi.error.UnsupportedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The passes of a copy to other chunks, and what they cost. A direct copy decodes a chunk of the source once for each
 * shard of the target that touches it. If that is too often, such as from planes to columns, two passes are cheaper:
 * the first one copies to an intermediate array, the second one from there to the target. The shards of the
 * intermediate array consist of whole chunks of the source, and its inner chunks divide both its shards and the shards
 * of the target, so each pass decodes each chunk once. Sizes are those of decoded elements. Immutable.
 *
 * <p>Model: {@code rechunker} of Pangeo, which also bounds the memory of a task and chooses intermediate chunks.
 *
 * <p>The plan tries shard lengths that are multiples of the source's chunks, dimension by dimension. Of the choices
 * that fit into a task's memory, it takes the one with the largest inner chunks. On the way, it drops a choice if
 * another one has larger inner chunks in smaller shards.
 */
public final class RechunkPlan {
    /** A direct copy with this number of reads and one write costs as much as two passes: two reads and two writes. */
    private static final double MAX_READS = 3;

    /** A task holds three copies of a shard: the loaded elements, the elements of the shard, and the encoded shard. */
    private static final int COPIES = 3;

    private final long[] shape;
    private final long elementBytes;
    private final long[] target;
    private final double averageReads;
    private final long[] intermediateShape;
    private final long[] intermediateChunkShape;

    private RechunkPlan(
            long[] shape,
            long elementBytes,
            long[] target,
            double reads,
            long[] intermediateShape,
            long[] intermediateChunkShape) {
        this.shape = shape;
        this.elementBytes = elementBytes;
        this.target = target;
        this.averageReads = reads;
        this.intermediateShape = intermediateShape;
        this.intermediateChunkShape = intermediateChunkShape;
    }

    /**
     * Plans a copy.
     *
     * @param shape the shape of the array
     * @param source the shape of its chunks, of its innermost ones if it has shards
     * @param target the shape of the shards of the target; without shards: of its chunks
     * @param elementBytes the bytes of an element
     * @param taskBytes the maximum memory of a task, in bytes
     * @throws UnsupportedException if a shard of the target, or a chunk of the source in two passes, needs more memory
     */
    public static RechunkPlan of(long[] shape, long[] source, long[] target, long elementBytes, long taskBytes) {
        long maxElements = taskBytes / COPIES / Math.max(1, elementBytes);
        long[] shard = clip(target, shape);
        if (product(shard) > maxElements) {
            throw tooLarge(
                    "a shard (without shards: a chunk) of the target",
                    shard,
                    elementBytes,
                    taskBytes,
                    "choose smaller ones");
        }
        double reads = averageReads(shape, source, target);
        if (reads <= MAX_READS) {
            return new RechunkPlan(shape.clone(), elementBytes, target.clone(), reads, new long[0], new long[0]);
        }
        Lengths best = best(shape, source, target, maxElements);
        if (best == null) {
            throw tooLarge(
                    "a chunk of the source", clip(source, shape), elementBytes, taskBytes, "leave the limit out");
        }
        return new RechunkPlan(
                shape.clone(), elementBytes, target.clone(), reads, best.shardShape(), best.chunkShape());
    }

    private static UnsupportedException tooLarge(
            String object, long[] shape, long elementBytes, long taskBytes, String advice) {
        return new UnsupportedException(object + " of " + Arrays.toString(shape) + " with " + elementBytes
                + " bytes for each element needs "
                + String.format(Locale.ROOT, "%.0f", taskMemory(product(shape) * elementBytes)) + " bytes ("
                + COPIES + " times its size) for each task, expected at most " + taskBytes
                + " bytes; allow more memory, or " + advice);
    }

    /** Returns the memory of a task that writes shards of this size. */
    private static double taskMemory(double bytes) {
        return COPIES * bytes;
    }

    private static long[] clip(long[] chunk, long[] shape) {
        long[] clipped = new long[shape.length];
        Arrays.setAll(clipped, d -> Math.min(chunk[d], Math.max(1, shape[d])));
        return clipped;
    }

    private static double product(long[] lengths) {
        return Arrays.stream(lengths).asDoubleStream().reduce(1, (a, b) -> a * b);
    }

    /** Returns how often a direct copy decodes a chunk of the source, on average. */
    private static double averageReads(long[] shape, long[] source, long[] target) {
        double reads = 1;
        for (int d = 0; d < shape.length; d++) {
            long length = Math.max(1, shape[d]);
            long chunks = ceilDiv(length, source[d]);
            // A chunk is decoded once for each shard that it touches, so this counts the pairs of a chunk and a shard
            // that overlap. Each start of a chunk or of a shard begins a new pair, and a common start begins only one.
            double pairs = chunks + (double) ceilDiv(length, target[d]) - ceilDiv(length, lcm(source[d], target[d]));
            reads *= pairs / chunks;
        }
        return reads;
    }

    private static long ceilDiv(long a, long b) {
        return a / b + (a % b == 0 ? 0 : 1);
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    /** Returns the least common multiple; the largest long if it is larger. */
    private static long lcm(long a, long b) {
        return times(a, b / gcd(a, b));
    }

    private static long times(long a, long b) {
        return Math.multiplyHigh(a, b) == 0 && a * b >= 0 ? a * b : Long.MAX_VALUE;
    }

    /** The lengths of the intermediate shards and of their inner chunks, for the dimensions so far. */
    private record Lengths(long[] shardShape, long[] chunkShape, double shardSize, double chunkSize) {
        Lengths with(long shard, long chunk, long length) {
            long[] shards = Arrays.copyOf(shardShape, shardShape.length + 1);
            long[] chunks = Arrays.copyOf(chunkShape, chunkShape.length + 1);
            shards[shardShape.length] = shard;
            chunks[chunkShape.length] = chunk;
            return new Lengths(
                    shards, chunks, shardSize * Math.min(shard, length), chunkSize * Math.min(chunk, length));
        }
    }

    /**
     * Returns the lengths with the largest inner chunks whose shards have at most {@code maxElements} elements; null if
     * there are none. Extends the choices dimension by dimension and keeps the {@linkplain #efficientChoices efficient}
     * ones.
     */
    private static @Nullable Lengths best(long[] shape, long[] source, long[] target, long maxElements) {
        List<Lengths> choices = List.of(new Lengths(new long[0], new long[0], 1, 1));
        for (int d = 0; d < shape.length; d++) {
            List<Lengths> next = new ArrayList<>();
            for (Lengths choice : choices) {
                for (long[] pair : possibleLengths(Math.max(1, shape[d]), source[d], target[d])) {
                    Lengths more = choice.with(pair[0], pair[1], Math.max(1, shape[d]));
                    if (more.shardSize <= maxElements) {
                        next.add(more);
                    }
                }
            }
            choices = efficientChoices(next);
        }
        return choices.isEmpty() ? null : choices.get(choices.size() - 1);
    }

    /**
     * Drops each choice for which another one has inner chunks of the same or a larger size in shards of the same or a
     * smaller size. Returns the others by shard size.
     */
    private static List<Lengths> efficientChoices(List<Lengths> all) {
        List<Lengths> sorted = new ArrayList<>(all);
        sorted.sort((a, b) -> a.shardSize != b.shardSize
                ? Double.compare(a.shardSize, b.shardSize)
                : Double.compare(b.chunkSize, a.chunkSize));
        List<Lengths> efficient = new ArrayList<>();
        double largest = 0;
        for (Lengths one : sorted) {
            if (one.chunkSize > largest) {
                efficient.add(one);
                largest = one.chunkSize;
            }
        }
        return efficient;
    }

    /** Returns pairs of possible lengths in a dimension: of an intermediate shard, and of its inner chunks. */
    private static List<long[]> possibleLengths(long length, long source, long target) {
        List<long[]> pairs = new ArrayList<>();
        if (target >= length) { // the target has one shard here, so inner chunks of any length divide it
            for (long shard = Math.min(source, length); ; shard = times(shard, 2)) {
                pairs.add(new long[] {shard, shard});
                if (shard >= length) {
                    return pairs;
                }
            }
        }
        long common = gcd(source, target);
        for (long factor : divisors(target / common)) { // other factors make the shards larger, not the chunks
            if (times(source, factor) < length) {
                pairs.add(new long[] {source * factor, common * factor});
            }
        }
        pairs.add(new long[] {times(ceilDiv(length, target), target), target}); // the whole dimension
        return pairs;
    }

    private static List<Long> divisors(long number) {
        List<Long> divisors = new ArrayList<>();
        for (long n = 1; n <= number / n; n++) {
            if (number % n == 0) {
                divisors.add(n);
                if (n != number / n) {
                    divisors.add(number / n);
                }
            }
        }
        return divisors;
    }

    /** Whether one pass is enough: the copy needs no intermediate array. */
    public boolean isDirect() {
        return intermediateShape.length == 0 && averageReads <= MAX_READS;
    }

    /** Returns the shape of the shards of the intermediate array; empty if the copy is direct. */
    public long[] shardShape() {
        return intermediateShape.clone();
    }

    /** Returns the shape of the inner chunks of the intermediate array; empty if the copy is direct. */
    public long[] chunkShape() {
        return intermediateChunkShape.clone();
    }

    /** Returns the bytes that the passes decode. */
    public double readBytes() {
        return arrayBytes() * (isDirect() ? averageReads : 2);
    }

    /** Returns the bytes that the passes encode. */
    public double writtenBytes() {
        return arrayBytes() * (isDirect() ? 1 : 2);
    }

    /** Returns the memory that a task of the largest pass needs. */
    public double taskBytes() {
        double largest = product(clip(target, shape));
        double other = isDirect() ? 0 : product(clip(intermediateShape, shape));
        return taskMemory(Math.max(largest, other) * elementBytes);
    }

    private double arrayBytes() {
        return product(shape) * elementBytes;
    }

    /** Returns the plan in words: one line. */
    @Override
    public String toString() {
        String costs = "; decodes " + text(readBytes()) + " and encodes " + text(writtenBytes()) + "; each task needs "
                + text(taskBytes());
        if (isDirect()) {
            return "one pass, which decodes each chunk of the source " + number(averageReads) + " times on average"
                    + costs;
        }
        return "two passes, because one pass would decode each chunk of the source " + number(averageReads)
                + " times on average; intermediate array of up to " + text(arrayBytes()) + " with shards of "
                + Arrays.toString(intermediateShape) + " and inner chunks of " + Arrays.toString(intermediateChunkShape)
                + costs;
    }

    private static String number(double times) {
        return times < 10 ? String.format(Locale.ROOT, "%.1f", times) : String.format(Locale.ROOT, "%.0f", times);
    }

    private static String text(double bytes) {
        double mib = Math.max(1, Math.ceil(bytes / (1 << 20)));
        return mib < 10_240
                ? String.format(Locale.ROOT, "%.0f MiB", mib)
                : String.format(Locale.ROOT, "%.1f GiB", mib / 1024);
    }
}
