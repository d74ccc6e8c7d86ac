package dev.shardkit.store.cloud;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.Content.Part.Stored;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.remote.RequestContext;
import dev.shardkit.store.remote.RetriedRead;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Reads many ranges of stored objects by few requests: ranges with small gaps between them are read together. Serves
 * puts of objects that contain ranges of stored ones. Used by one thread.
 */
final class MergedRangeReads {
    /** The widest gap between two ranges, in bytes, that is read with them to save a request. */
    private static final long WIDEST_GAP = 64 << 10;

    /** A range that covers several requested ranges, and the future of its bytes. */
    private record Span(Stored range, CompletableFuture<Bytes> bytes) {}

    private final Map<Stored, Span> spans = new LinkedHashMap<>();

    private MergedRangeReads() {}

    /** Requests all stored ranges of {@code parts}. */
    static MergedRangeReads of(List<Content.Part> parts, RequestContext context) {
        MergedRangeReads reads = new MergedRangeReads();
        List<Stored> group = new ArrayList<>();
        for (Stored next : sorted(parts).toList()) {
            if (!group.isEmpty() && !isNear(group, next)) {
                reads.request(group, context);
                group.clear();
            }
            group.add(next);
        }
        reads.request(group, context);
        return reads;
    }

    /** Returns an upper bound of the bytes in memory for all stored ranges of {@code parts}, with a gap for each. */
    static long weight(List<Content.Part> parts) {
        return sorted(parts).mapToLong(range -> range.size() + WIDEST_GAP).sum();
    }

    private static Stream<Stored> sorted(List<Content.Part> parts) {
        return parts.stream()
                .filter(Stored.class::isInstance)
                .map(Stored.class::cast)
                .distinct()
                .sorted(Comparator.comparing(Stored::key)
                        .thenComparing(Stored::version)
                        .thenComparing(Stored::offset));
    }

    private static boolean isNear(List<Stored> group, Stored next) {
        Stored first = group.get(0);
        return next.key().equals(first.key())
                && next.version().equals(first.version())
                && next.offset() - end(group) <= WIDEST_GAP;
    }

    private static long end(List<Stored> ranges) {
        return ranges.stream()
                .mapToLong(range -> range.offset() + range.size())
                .max()
                .orElse(0);
    }

    /** Requests the range that covers a group of ranges. */
    private void request(List<Stored> group, RequestContext context) {
        if (group.isEmpty()) {
            return;
        }
        Stored first = group.get(0);
        Stored merged = new Stored(first.key(), first.version(), first.offset(), end(group) - first.offset());
        Span span = new Span(merged, read(merged, context));
        group.forEach(range -> spans.put(range, span));
    }

    /** Reads a range of the version that it names. */
    private static CompletableFuture<Bytes> read(Stored range, RequestContext context) {
        ByteRange bytes = new ByteRange.Slice(range.offset(), range.size());
        Optional<String> pin = Optional.of(range.version());
        var call = new RetriedRead(context, FetchRequest.of(range.key(), bytes, pin, StoreListener.NONE));
        return CancellableFutures.map(call.start(), fetched -> {
            if (fetched instanceof FetchResult.Found found) {
                return found.bytes();
            }
            throw new ObjectChangedException(
                    "expected version " + range.version() + " of " + range.key() + ", found no object");
        });
    }

    /** Returns the bytes of one of the ranges. */
    CompletableFuture<Bytes> read(Stored range) {
        Span span = spans.get(range);
        if (span == null) {
            throw new IllegalArgumentException("not one of the ranges: " + range);
        }
        return CancellableFutures.map(
                span.bytes(), bytes -> bytes.slice(range.offset() - span.range().offset(), range.size()));
    }
}
