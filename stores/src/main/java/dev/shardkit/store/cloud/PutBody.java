package dev.shardkit.store.cloud;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.Content.Part;
import dev.shardkit.store.channel.ByteCollector;
import dev.shardkit.store.remote.RequestContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The content of an object to put: bytes in memory and ranges of stored objects. Immutable.
 *
 * @param parts the parts, none of them empty; neighbouring ranges of one object are one part
 * @param size the size in bytes
 */
public record PutBody(List<Part> parts, long size) {
    /**
     * Returns the body for a content. Copies content that is not given in parts, so the caller may reuse its memory.
     *
     * @param operation the operation, for messages
     */
    public static PutBody of(Content content, String operation) throws IOException {
        Optional<List<Part>> parts = content.parts();
        PutBody body;
        if (parts.isPresent()) {
            body = of(parts.get());
        } else {
            ByteCollector collector = new ByteCollector(content.size());
            content.writeTo(collector);
            body = of(collector.bytes());
        }
        if (body.size() != content.size()) {
            throw new StoreException(
                    operation + ": expected " + content.size() + " bytes from the content, found " + body.size());
        }
        return body;
    }

    /** Returns the body that consists of these bytes. */
    public static PutBody of(Bytes bytes) {
        return of(List.of(new Part.Literal(bytes)));
    }

    private static PutBody of(List<Part> parts) {
        List<Part> joined = new ArrayList<>();
        long size = 0;
        for (Part part : parts) {
            size = Math.addExact(size, part.size());
            int lastIndex = joined.size() - 1;
            if (lastIndex >= 0 && part instanceof Part.Stored next && continues(joined.get(lastIndex), next)) {
                Part.Stored previous = (Part.Stored) joined.get(lastIndex);
                long joinedSize = previous.size() + next.size();
                joined.set(
                        lastIndex, new Part.Stored(previous.key(), previous.version(), previous.offset(), joinedSize));
            } else if (part.size() > 0) {
                joined.add(part);
            }
        }
        return new PutBody(List.copyOf(joined), size);
    }

    private static boolean continues(Part part, Part.Stored next) {
        return part instanceof Part.Stored previous
                && next.key().equals(previous.key())
                && next.version().equals(previous.version())
                && next.offset() == previous.offset() + previous.size();
    }

    /** Returns the body that consists of {@code length} bytes of this one. */
    public PutBody slice(long offset, long length) {
        List<Part> overlapping = new ArrayList<>();
        long partOffset = 0;
        for (Part part : parts) {
            long start = Math.max(offset, partOffset);
            long overlap = Math.min(offset + length, partOffset + part.size()) - start;
            if (overlap > 0) {
                overlapping.add(slice(part, start - partOffset, overlap));
            }
            partOffset += part.size();
        }
        return new PutBody(List.copyOf(overlapping), length);
    }

    private static Part slice(Part part, long offset, long length) {
        return part instanceof Part.Stored stored
                ? new Part.Stored(stored.key(), stored.version(), stored.offset() + offset, length)
                : new Part.Literal(((Part.Literal) part).bytes().slice(offset, length));
    }

    /** Returns whether all bytes are in memory. */
    public boolean isInMemory() {
        return parts.stream().allMatch(Part.Literal.class::isInstance);
    }

    /** Returns the stored range that is the whole body; empty if the body is not a single stored range. */
    public Optional<Part.Stored> range() {
        return parts.size() == 1 && parts.get(0) instanceof Part.Stored stored ? Optional.of(stored) : Optional.empty();
    }

    /**
     * Reads the stored ranges, as soon as {@link RangeMemoryLimit} has memory for them, and calls {@code action} with
     * all bytes. The memory stays reserved until the future of {@code action} ends.
     */
    public <T> CompletableFuture<T> withBytes(RequestContext context, Function<Bytes, CompletableFuture<T>> action) {
        return RangeMemoryLimit.ofProcess()
                .within(MergedRangeReads.weight(parts), () -> CancellableFutures.compose(bytes(context), action));
    }

    private CompletableFuture<Bytes> bytes(RequestContext context) {
        MergedRangeReads reads = MergedRangeReads.of(parts, context);
        List<CompletableFuture<Bytes>> loaded = parts.stream()
                .map(part -> part instanceof Part.Stored stored
                        ? reads.read(stored)
                        : CompletableFuture.completedFuture(((Part.Literal) part).bytes()))
                .toList();
        return CancellableFutures.map(CancellableFutures.all(loaded), Bytes::concat);
    }
}
