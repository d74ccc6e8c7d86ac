package dev.shardkit.store.remote.exchange;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.WholeBodyBudget;
import dev.shardkit.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Collects a part of a response's body: skips the bytes before the part, keeps the part, and only counts the rest. The
 * requested length bounds the memory. A size that only the server declares is trusted up to 64 MiB; beyond that, the
 * memory grows with the received bytes. Used by one thread at a time.
 */
public final class BodyCollector implements Transport.BodyReceiver {
    /** The largest first buffer for a declared size. */
    private static final long TRUSTED = 64L << 20;

    private static final long SMALLEST_PIECE = 64L << 10;
    private static final long LARGEST_PIECE = 1L << 30;
    /**
     * The maximum number of unneeded bytes that are read to the end of the body, so that the connection can be kept.
     */
    private static final long READ_ON = 64L << 10;

    /** Creates the outcome from the collected bytes. */
    @FunctionalInterface
    public interface Finish {
        /** Returns the outcome; {@code total} is the number of bytes of the body. */
        ResponseOutcome end(Bytes keptBytes, long total) throws IOException;
    }

    /**
     * The part of a body to collect.
     *
     * @param skip the number of bytes to skip
     * @param length the maximum number of bytes to keep
     * @param firstPiece the initial buffer size; 0 for a small one
     * @param remainder whether more bytes may follow
     * @param suffixLength the number of last bytes of the part that are needed; earlier ones may be discarded
     */
    record Part(long skip, long length, long firstPiece, Rest remainder, long suffixLength) {
        /** A part that stays in memory completely. */
        Part(long skip, long length, long firstPiece, Rest remainder) {
            this(skip, length, firstPiece, remainder, Long.MAX_VALUE);
        }
    }

    /** Says whether more bytes may follow the part. */
    enum Rest {
        NONE,
        ANY
    }

    private final Part part;
    /** The Content-Length. */
    private final OptionalLong declared;

    private final Finish finish;

    /** The kept bytes before those in {@link #currentBuffer}. */
    private final Deque<Bytes> fullBuffers = new ArrayDeque<>();
    /** The number of bytes in {@link #fullBuffers}. */
    private long bufferedBytes;

    private byte[] currentBuffer = new byte[0];
    /** The number of bytes in {@link #currentBuffer}. */
    private int filled;

    private long keptBytes;
    private long receivedBytes;
    /** Reserves the memory for the whole body; null if only the part is kept. */
    private @Nullable WholeBodyBudget budget;

    /** The number of bytes after which the body is not read further. */
    private long limit = Long.MAX_VALUE;

    /** Whether the part is exactly the requested range, so that its beginning can be used early. */
    private boolean isRange;

    private long objectSize;
    private @Nullable String objectVersion;

    /**
     * Creates a collector.
     *
     * @param declared the Content-Length, which the body must have
     */
    BodyCollector(Part part, OptionalLong declared, Finish finish) {
        this.part = part;
        this.declared = declared;
        this.finish = finish;
    }

    /** Returns a collector of a text, such as an error document: the first {@code maxBytes} bytes of a body. */
    public static BodyCollector text(int maxBytes, Finish finish) {
        return new BodyCollector(new Part(0, maxBytes, 0, Rest.ANY), OptionalLong.empty(), finish);
    }

    /** Returns a collector for a response whose body is not needed. */
    public static BodyCollector discarding(ResponseOutcome outcome) {
        return new BodyCollector(new Part(READ_ON, 0, 0, Rest.NONE), OptionalLong.empty(), (bytes, total) -> outcome);
    }

    /**
     * Sets the size and version of the object, so that the beginning of the part can be used before its end arrives.
     */
    BodyCollector deliveringEarly(long total, Optional<String> version) {
        objectSize = total;
        objectVersion = version.orElse(null);
        isRange = true;
        return this;
    }

    /** Returns the bytes of the range so far; empty if the part is not exactly the requested range. */
    public Optional<FetchResult.Found> beginning() {
        if (!isRange) {
            return Optional.empty();
        }
        List<Bytes> buffers = new ArrayList<>(fullBuffers);
        buffers.add(Bytes.of(currentBuffer, 0, filled));
        return Optional.of(
                new FetchResult.Found(Bytes.concat(buffers), objectSize, Optional.ofNullable(objectVersion)));
    }

    /** Keeps the whole body as long as the budget has memory for it, even if a part of it suffices. */
    BodyCollector collectWhole(WholeBodyBudget memory) {
        budget = memory;
        return this;
    }

    /** Stops reading the body when it exceeds {@code largest} bytes. */
    BodyCollector within(long largest) {
        limit = largest;
        return this;
    }

    @Override
    public Transport.Wish take(ByteBuffer buffer) {
        append(buffer);
        boolean isPastPart = receivedBytes > part.skip() + part.length();
        if (receivedBytes > limit || (isPastPart && part.remainder() == Rest.NONE)) {
            return Transport.Wish.STOP;
        } else if (budget == null
                && keptBytes == part.length()
                && declared.isPresent()
                && declared.getAsLong() - receivedBytes > READ_ON) {
            receivedBytes = declared.getAsLong(); // the rest is not needed, and counts as received
            return Transport.Wish.STOP;
        }
        return Transport.Wish.MORE;
    }

    /** Returns the number of kept bytes so far. */
    public long kept() {
        return keptBytes;
    }

    /**
     * Returns the number of bytes so far that count as progress. Without a declared end, skipped bytes do not count,
     * because they could go on forever.
     */
    public long useful() {
        return declared.isPresent() ? receivedBytes : keptBytes;
    }

    /** Returns the maximum number of bytes to keep. */
    private long maxKept() {
        return budget != null ? declared.orElse(Long.MAX_VALUE) : part.length();
    }

    private void append(ByteBuffer buffer) {
        long end = receivedBytes + buffer.remaining();
        while (buffer.hasRemaining()) {
            long skipped = budget != null ? 0 : Math.min(buffer.remaining(), Math.max(0, part.skip() - receivedBytes));
            if (skipped > 0) {
                buffer.position(buffer.position() + (int) skipped);
                receivedBytes += skipped;
            } else if (keptBytes >= maxKept()) {
                break;
            } else if (filled < currentBuffer.length || grow()) {
                int count = (int)
                        Math.min(Math.min(buffer.remaining(), currentBuffer.length - filled), maxKept() - keptBytes);
                buffer.get(currentBuffer, filled, count);
                filled += count;
                keptBytes += count;
                receivedBytes += count;
            }
        }
        receivedBytes = end;
    }

    /**
     * Allocates a buffer for more bytes. Returns false if the budget has no memory for the whole body; from then on
     * only the part is kept.
     */
    private boolean grow() {
        storeBuffer();
        boolean keepsWhole = budget != null;
        // Of a suffix, only the last bytes are needed.
        while (!keepsWhole
                && !fullBuffers.isEmpty()
                && bufferedBytes - fullBuffers.element().size() >= part.suffixLength()) {
            bufferedBytes -= fullBuffers.remove().size();
        }
        // The first buffer has the expected size. Each later one doubles the memory.
        long expected = keepsWhole ? declared.orElse(0) : part.firstPiece();
        boolean isFirst = keptBytes == 0 && expected > 0;
        long size = isFirst ? Math.min(expected, TRUSTED) : Math.max(keptBytes, SMALLEST_PIECE);
        size = Math.min(size, keepsWhole ? Long.MAX_VALUE : Math.max(part.suffixLength(), SMALLEST_PIECE));
        size = Math.min(Math.min(LARGEST_PIECE, maxKept() - keptBytes), size);
        if (budget != null && !budget.reserve(keptBytes + size)) {
            keepPartAlone();
            return false;
        }
        currentBuffer = new byte[(int) size];
        return true;
    }

    private void storeBuffer() {
        if (filled > 0) {
            fullBuffers.add(Bytes.of(currentBuffer, 0, filled));
            bufferedBytes += filled;
        }
        currentBuffer = new byte[0];
        filled = 0;
    }

    /** Discards all kept bytes outside the part, because the budget has no memory for the whole body. */
    private void keepPartAlone() {
        budget = null;
        Bytes copied = copyPart(Bytes.concat(List.copyOf(fullBuffers)));
        keptBytes = copied.size();
        copied = copied.slice(
                Math.max(0, copied.size() - part.suffixLength()), Math.min(copied.size(), part.suffixLength()));
        fullBuffers.clear();
        // A copy, because a slice would keep all buffers in memory.
        fullBuffers.add(copied.size() <= LARGEST_PIECE ? Bytes.of(copied.toArray()) : copied);
        bufferedBytes = copied.size();
    }

    /** Returns the bytes of the part from {@code bytes}, the body's beginning or all of it. */
    private Bytes copyPart(Bytes bytes) {
        long start = Math.min(part.skip(), bytes.size());
        return bytes.slice(start, Math.min(part.length(), bytes.size() - start));
    }

    /** Creates the outcome after the last byte. Throws if the body is shorter than declared. */
    public ResponseOutcome end() throws IOException {
        if (declared.isPresent() && receivedBytes < declared.getAsLong()) {
            throw new IOException("short body: expected " + declared.getAsLong() + " bytes, found " + receivedBytes);
        }
        storeBuffer();
        Bytes bytes = Bytes.concat(List.copyOf(fullBuffers));
        if (budget == null) {
            return finish.end(bytes, receivedBytes);
        }
        ResponseOutcome outcome = finish.end(copyPart(bytes), receivedBytes);
        return outcome instanceof ResponseOutcome.Found found && bytes.size() == found.total()
                ? new ResponseOutcome.Found(found.bytes(), found.total(), found.version(), Optional.of(bytes))
                : outcome;
    }
}
