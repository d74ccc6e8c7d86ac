package dev.shardkit.store.remote;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.BodyBudget;
import dev.shardkit.store.FetchResult;
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
 * Collects a part of a body: skips the beginning, keeps the part, and only counts the rest. Memory is bounded by the
 * request, or grows with the received bytes; a size that a server claims is trusted up to 64 MiB only.
 */
public final class BodyCollector implements Transport.Body {
    private static final long TRUSTED = 64L << 20;
    private static final long SMALLEST_PIECE = 64L << 10;
    private static final long LARGEST_PIECE = 1L << 30;
    /** The maximum number of unneeded bytes to read to the end, because that keeps the connection. */
    private static final long READ_ON = 64L << 10;

    /** Creates the outcome from the collected bytes. */
    @FunctionalInterface
    public interface Finish {
        /** Returns the outcome; {@code total} counts the bytes of the body. */
        ResponseOutcome end(Bytes kept, long total) throws IOException;
    }

    /**
     * The part of a body.
     *
     * @param skip the number of bytes to skip
     * @param keep the maximum number of bytes to keep
     * @param firstPiece the initial buffer size; 0 for a small one
     * @param rest whether more bytes may follow
     * @param last the minimum number of last bytes that stay in memory
     */
    record Part(long skip, long keep, long firstPiece, Rest rest, long last) {
        /** A part that stays in memory completely. */
        Part(long skip, long keep, long firstPiece, Rest rest) {
            this(skip, keep, firstPiece, rest, Long.MAX_VALUE);
        }
    }

    /** Whether more bytes may follow the part. */
    enum Rest {
        NONE,
        ANY
    }

    private final Part part;
    private final OptionalLong declared;
    private final Finish finish;
    private final Deque<Bytes> full = new ArrayDeque<>();
    /** The number of bytes in {@code full}. */
    private long held;

    private byte[] piece = new byte[0];
    private int filled;
    private long kept;
    private long seen;
    /** The memory for the whole body; empty if only the part is kept. */
    private @Nullable BodyBudget room;

    /** The body is not read beyond this size. */
    private long limit = Long.MAX_VALUE;

    private boolean isRange;
    private long objectSize;
    private @Nullable String ofVersion;

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

    /** Collects the beginning of a body, up to {@code most} bytes, in which a server explains its answer. */
    public static BodyCollector text(int most, Finish finish) {
        return new BodyCollector(new Part(0, most, 0, Rest.ANY), OptionalLong.empty(), finish);
    }

    /** For a response whose body is not needed. */
    public static BodyCollector nothing(ResponseOutcome outcome) {
        return new BodyCollector(new Part(READ_ON, 0, 0, Rest.NONE), OptionalLong.empty(), (bytes, total) -> outcome);
    }

    /**
     * Sets the object that the part belongs to, so that the beginning of the part can be used before its end arrives.
     */
    BodyCollector of(long total, Optional<String> version) {
        objectSize = total;
        ofVersion = version.orElse(null);
        isRange = true;
        return this;
    }

    /** Returns the bytes of the range so far; empty if this is not the body of exactly the requested range. */
    Optional<FetchResult.Found> beginning() {
        if (!isRange) {
            return Optional.empty();
        }
        List<Bytes> all = new ArrayList<>(full);
        all.add(Bytes.of(piece, 0, filled));
        return Optional.of(new FetchResult.Found(Bytes.concat(all), objectSize, Optional.ofNullable(ofVersion)));
    }

    /** Keeps the whole body as long as the budget has memory for it, even if a part of it suffices. */
    BodyCollector all(BodyBudget place) {
        room = place;
        return this;
    }

    /** Reads the body up to {@code largest} bytes, and a little more to see that it is larger. */
    BodyCollector within(long largest) {
        limit = largest;
        return this;
    }

    @Override
    public Transport.Wish take(ByteBuffer buffer) {
        keep(buffer);
        boolean tooMuch = seen > part.skip() + part.keep();
        if (seen > limit || (tooMuch && part.rest() == Rest.NONE)) {
            return Transport.Wish.STOP;
        } else if (room == null
                && kept == part.keep()
                && declared.isPresent()
                && declared.getAsLong() - seen > READ_ON) {
            seen = declared.getAsLong();
            return Transport.Wish.STOP;
        }
        return Transport.Wish.MORE;
    }

    /** Returns the number of kept bytes so far. */
    long kept() {
        return kept;
    }

    /** Returns how many of the bytes so far were progress; skipped bytes may not be. */
    long useful() {
        return declared.isPresent() ? seen : kept;
    }

    private long most() {
        return room != null ? declared.orElse(Long.MAX_VALUE) : part.keep();
    }

    private void keep(ByteBuffer buffer) {
        long end = seen + buffer.remaining();
        while (buffer.hasRemaining()) {
            long pass = room != null ? 0 : Math.min(buffer.remaining(), Math.max(0, part.skip() - seen));
            if (pass > 0) {
                buffer.position(buffer.position() + (int) pass);
                seen += pass;
            } else if (kept >= most()) {
                break;
            } else if (filled < piece.length || grow()) {
                int take = (int) Math.min(Math.min(buffer.remaining(), piece.length - filled), most() - kept);
                buffer.get(piece, filled, take);
                filled += take;
                kept += take;
                seen += take;
            }
        }
        seen = end;
    }

    /**
     * Allocates memory for more bytes. Returns false if there was not enough for the whole body, so that only the part
     * is kept now.
     */
    private boolean grow() {
        stow();
        boolean all = room != null;
        while (!all && !full.isEmpty() && held - full.element().size() >= part.last()) {
            held -= full.remove().size();
        }
        long expected = all ? declared.orElse(0) : part.firstPiece();
        boolean first = kept == 0 && expected > 0;
        long size = first ? Math.min(expected, TRUSTED) : Math.max(kept, SMALLEST_PIECE);
        size = Math.min(size, all ? Long.MAX_VALUE : Math.max(part.last(), SMALLEST_PIECE));
        size = Math.min(Math.min(LARGEST_PIECE, most() - kept), size);
        if (room != null && !room.reserve(kept + size)) {
            keepPartAlone();
            return false;
        }
        piece = new byte[(int) size];
        return true;
    }

    private void stow() {
        if (filled > 0) {
            full.add(Bytes.of(piece, 0, filled));
            held += filled;
        }
        piece = new byte[0];
        filled = 0;
    }

    private void keepPartAlone() {
        room = null;
        Bytes own = own(Bytes.concat(List.copyOf(full)));
        kept = own.size();
        own = own.slice(Math.max(0, own.size() - part.last()), Math.min(own.size(), part.last()));
        full.clear();
        // a copy, because a slice would keep all pieces in memory
        full.add(own.size() <= LARGEST_PIECE ? Bytes.of(own.toArray()) : own);
        held = own.size();
    }

    /** Returns the needed part of the body's beginning {@code all}. */
    private Bytes own(Bytes all) {
        long from = Math.min(part.skip(), all.size());
        return all.slice(from, Math.min(part.keep(), all.size() - from));
    }

    /** Creates the outcome after the last byte, whether or not the body is complete. */
    ResponseOutcome end() throws IOException {
        if (declared.isPresent() && seen < declared.getAsLong()) {
            throw new IOException("short body: expected " + declared.getAsLong() + " bytes, found " + seen);
        }
        stow();
        Bytes bytes = Bytes.concat(List.copyOf(full));
        if (room == null) {
            return finish.end(bytes, seen);
        }
        ResponseOutcome outcome = finish.end(own(bytes), seen);
        return outcome instanceof ResponseOutcome.Found found && bytes.size() == found.total()
                ? new ResponseOutcome.Found(found.bytes(), found.total(), found.version(), Optional.of(bytes))
                : outcome;
    }
}
