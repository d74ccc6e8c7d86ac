package dev.shardkit.cli.command.maintain;

import dev.shardkit.cli.print.SizedNode;
import dev.shardkit.maintenance.layout.LayoutAdvice.Layout;
import dev.shardkit.spi.json.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The cost of a typical read in a layout that {@code advise} recommends, if every chunk is stored. Immutable.
 *
 * @param read the kind of read: one element, one slice of a dimension, or everything
 * @param chunks the number of chunks, or inner chunks, that the read decodes
 * @param objects the number of stored objects that the read touches
 * @param bytes the estimated number of bytes that the read fetches: compressed chunks and shard indexes
 * @param maxRequests the maximum number of requests: one for each chunk and one for each shard index. Neighbouring
 *     chunks share requests, so a read may need fewer
 */
record LayoutCost(String read, double chunks, double objects, double bytes, double maxRequests) {
    /** The size of a shard index's entry, which holds the offset and the size of an inner chunk. */
    private static final int INDEX_ENTRY_BYTES = 2 * Long.BYTES;

    /** Returns the costs of one element, of one slice of each dimension, and of everything. */
    static List<LayoutCost> estimate(Layout layout, long[] shape) {
        if (Arrays.stream(shape).anyMatch(length -> length == 0)) {
            return List.of();
        }
        // A chunk takes a part of its shard's bytes: the ratio of their shapes.
        double chunkBytes = layout.objectBytes();
        for (int d = 0; d < shape.length && layout.shardShape().isPresent(); d++) {
            chunkBytes *= (double) layout.chunkShape()[d] / layout.shardShape().get()[d];
        }
        List<LayoutCost> costs = new ArrayList<>();
        costs.add(estimate("one element", layout, 1, 1, chunkBytes));
        for (int d = 0; d < shape.length && shape.length > 1; d++) {
            double chunks = layout.chunks() / chunkCount(shape[d], layout.chunkShape()[d]);
            double objects =
                    layout.objects() / chunkCount(shape[d], layout.shardShape().orElse(layout.chunkShape())[d]);
            costs.add(estimate("one slice of dimension " + d, layout, chunks, objects, chunkBytes));
        }
        costs.add(estimate("everything", layout, layout.chunks(), layout.objects(), chunkBytes));
        return List.copyOf(costs);
    }

    private static LayoutCost estimate(String read, Layout layout, double chunks, double objects, double chunkBytes) {
        double indexes = layout.shardShape().isPresent() ? objects : 0;
        double indexBytes = indexes * INDEX_ENTRY_BYTES * layout.chunks() / Math.max(1, layout.objects());
        return new LayoutCost(read, chunks, objects, chunks * chunkBytes + indexBytes, chunks + indexes);
    }

    private static double chunkCount(long length, long chunkLength) {
        return (length - 1) / chunkLength + 1;
    }

    /** Returns a line of text. */
    String toText() {
        return read + ": at most " + countText(maxRequests, "request") + ", about " + SizedNode.formatSize(round(bytes))
                + " in " + countText(chunks, "chunk") + " of " + countText(objects, "object");
    }

    Json.Obj toJson() {
        return Json.object()
                .with("read", Json.of(read))
                .with("chunks", toJsonNumber(chunks))
                .with("objects", toJsonNumber(objects))
                .with("bytes", toJsonNumber(bytes))
                .with("most_requests", toJsonNumber(maxRequests));
    }

    /** Returns a number as JSON, rounded to an integer. */
    static Json toJsonNumber(double value) {
        return new Json.Num(round(value).toString());
    }

    private static BigInteger round(double value) {
        return BigDecimal.valueOf(Math.rint(value)).toBigInteger();
    }

    private static String countText(double count, String noun) {
        return String.format(Locale.ROOT, "%,.0f %s%s", count, noun, Math.rint(count) == 1 ? "" : "s");
    }
}
