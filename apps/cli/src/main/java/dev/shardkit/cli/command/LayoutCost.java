package dev.shardkit.cli.command;

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
 * The cost of a read in a recommended layout, if every chunk is stored. Immutable.
 *
 * @param read the read: one element, one slice of a dimension, or everything
 * @param chunks the chunks, or inner chunks, that it decodes
 * @param objects the stored objects that it reads from
 * @param bytes the estimated bytes that it fetches: chunks with the compression of the advice, and shard indexes
 * @param requests the most requests: one for each chunk, and one for the index of each shard. Neighbouring chunks share
 *     requests
 */
record LayoutCost(String read, double chunks, double objects, double bytes, double requests) {
    /** An entry of a shard's index for each inner chunk: its offset and its size, in bytes. */
    private static final int INDEX_ENTRY = 2 * Long.BYTES;

    /** Returns the costs of one element, of one slice of each dimension, and of everything. */
    static List<LayoutCost> of(Layout layout, long[] shape) {
        if (Arrays.stream(shape).anyMatch(length -> length == 0)) {
            return List.of();
        }
        double chunkBytes = layout.objectBytes();
        for (int d = 0; d < shape.length && layout.shardShape().isPresent(); d++) {
            chunkBytes *= (double) layout.chunkShape()[d] / layout.shardShape().get()[d];
        }
        List<LayoutCost> costs = new ArrayList<>();
        costs.add(of("one element", layout, 1, 1, chunkBytes));
        for (int d = 0; d < shape.length && shape.length > 1; d++) {
            double chunks = layout.chunks() / parts(shape[d], layout.chunkShape()[d]);
            double objects =
                    layout.objects() / parts(shape[d], layout.shardShape().orElse(layout.chunkShape())[d]);
            costs.add(of("one slice of dimension " + d, layout, chunks, objects, chunkBytes));
        }
        costs.add(of("everything", layout, layout.chunks(), layout.objects(), chunkBytes));
        return List.copyOf(costs);
    }

    private static LayoutCost of(String read, Layout layout, double chunks, double objects, double chunkBytes) {
        double indexes = layout.shardShape().isPresent() ? objects : 0;
        double indexBytes = indexes * INDEX_ENTRY * layout.chunks() / Math.max(1, layout.objects());
        return new LayoutCost(read, chunks, objects, chunks * chunkBytes + indexBytes, chunks + indexes);
    }

    private static double parts(long length, long part) {
        return (length - 1) / part + 1;
    }

    /** Returns a line of text. */
    String text() {
        return read + ": at most " + count(requests, "request") + ", about " + SizedNode.size(integer(bytes)) + " in "
                + count(chunks, "chunk") + " of " + count(objects, "object");
    }

    Json.Obj json() {
        return Json.object()
                .with("read", Json.of(read))
                .with("chunks", number(chunks))
                .with("objects", number(objects))
                .with("bytes", number(bytes))
                .with("most_requests", number(requests));
    }

    /** Returns a number as JSON, rounded to an integer. */
    static Json number(double value) {
        return new Json.Num(integer(value).toString());
    }

    private static BigInteger integer(double value) {
        return BigDecimal.valueOf(Math.rint(value)).toBigInteger();
    }

    private static String count(double count, String noun) {
        return String.format(Locale.ROOT, "%,.0f %s%s", count, noun, Math.rint(count) == 1 ? "" : "s");
    }
}
