package dev.shardkit.store.http;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Room;
import dev.shardkit.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Takes a body: passes over its start, keeps a part, and of the rest only counts. Memory is what was asked for, or
 * follows what arrives; no claim of the server's is believed beyond 64 MiB.
 */
final class Collect implements Transport.Body {
    private static final long TRUSTED = 64L << 20;
    private static final long SMALLEST_PIECE = 64L << 10;
    private static final long LARGEST_PIECE = 1L << 30;
    /** So much of an unwanted rest is read on, since the connection is then kept. */
    private static final long READ_ON = 64L << 10;

    /** What the body makes, once all of it that matters is there. */
    @FunctionalInterface
    interface Finish {
        Outcome end(Bytes kept, long total) throws IOException;
    }

    /**
     * Which part of a body.
     *
     * @param skip so many bytes are passed over
     * @param keep at most so many are kept
     * @param firstPiece so much memory is taken at first; 0 for a little
     * @param rest whether bytes may follow; if not, they are an error
     * @param last of the bytes that are kept at least so many, the last ones, stay in memory
     */
    record Part(long skip, long keep, long firstPiece, Rest rest, long last) {
        /** All that is kept stays. */
        Part(long skip, long keep, long firstPiece, Rest rest) {
            this(skip, keep, firstPiece, rest, Long.MAX_VALUE);
        }
    }

    /** What may follow the part that is kept. */
    enum Rest {
        NONE,
        ANY
    }

    private final Part part;
    private final OptionalLong declared;
    private final Finish finish;
    private final Deque<Bytes> full = new ArrayDeque<>();
    /** How many bytes {@code full} has. */
    private long held;

    private byte[] piece = new byte[0];
    private int filled;
    private long kept;
    private long seen;
    /** Where all of the body is kept; empty if the part alone is. */
    private Optional<Room> room = Optional.empty();

    /**
     * Makes one.
     *
     * @param declared the Content-Length, which the body must have
     */
    Collect(Part part, OptionalLong declared, Finish finish) {
        this.part = part;
        this.declared = declared;
        this.finish = finish;
    }

    /** For an answer whose body does not matter. */
    static Collect nothing(Outcome outcome) {
        return new Collect(new Part(READ_ON, 0, 0, Rest.NONE), OptionalLong.empty(), (bytes, total) -> outcome);
    }

    /** Keeps all of the body while there is room for it, whatever part of it is wanted. */
    Collect all(Room place) {
        room = Optional.of(place);
        return this;
    }

    @Override
    public Transport.Wish take(ByteBuffer buffer) {
        keep(buffer);
        boolean tooMuch = seen > part.skip() + part.keep();
        if (tooMuch && part.rest() == Rest.NONE) {
            return Transport.Wish.STOP;
        } else if (room.isEmpty()
                && kept == part.keep()
                && declared.isPresent()
                && declared.getAsLong() - seen > READ_ON) {
            seen = declared.getAsLong();
            return Transport.Wish.STOP;
        }
        return Transport.Wish.MORE;
    }

    /** Returns how many of the bytes so far bring the end nearer: what is passed over may have none. */
    long useful() {
        return declared.isPresent() ? seen : kept;
    }

    private long most() {
        return room.isPresent() ? declared.orElse(Long.MAX_VALUE) : part.keep();
    }

    private void keep(ByteBuffer buffer) {
        long end = seen + buffer.remaining();
        while (buffer.hasRemaining()) {
            long pass = room.isPresent() ? 0 : Math.min(buffer.remaining(), Math.max(0, part.skip() - seen));
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

    /** Makes memory for more; false if there was no room to keep all, and now the part alone is kept. */
    private boolean grow() {
        stow();
        boolean all = room.isPresent();
        while (!all && !full.isEmpty() && held - full.element().size() >= part.last()) {
            held -= full.remove().size();
        }
        long expected = all ? declared.orElse(0) : part.firstPiece();
        boolean first = kept == 0 && expected > 0;
        long size = first ? Math.min(expected, TRUSTED) : Math.max(kept, SMALLEST_PIECE);
        size = Math.min(size, all ? Long.MAX_VALUE : Math.max(part.last(), SMALLEST_PIECE));
        size = Math.min(Math.min(LARGEST_PIECE, most() - kept), size);
        if (all && !room.get().holds(kept + size)) {
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
        room = Optional.empty();
        Bytes own = own(Bytes.concat(List.copyOf(full)));
        kept = own.size();
        own = own.slice(Math.max(0, own.size() - part.last()), Math.min(own.size(), part.last()));
        full.clear();
        // a copy, since a slice would hold on to all of the pieces
        full.add(own.size() <= LARGEST_PIECE ? Bytes.of(own.toArray()) : own);
        held = own.size();
    }

    /** The part of the body's beginning {@code all} that is wanted. */
    private Bytes own(Bytes all) {
        long from = Math.min(part.skip(), all.size());
        return all.slice(from, Math.min(part.keep(), all.size() - from));
    }

    /** The body has come to its end, or was stopped: what it makes. */
    Outcome end() throws IOException {
        if (declared.isPresent() && seen < declared.getAsLong()) {
            throw new IOException("short body: expected " + declared.getAsLong() + " bytes, found " + seen);
        }
        stow();
        Bytes bytes = Bytes.concat(List.copyOf(full));
        if (room.isEmpty()) {
            return finish.end(bytes, seen);
        }
        Outcome outcome = finish.end(own(bytes), seen);
        return outcome instanceof Outcome.Found found && bytes.size() == found.total()
                ? new Outcome.Found(found.bytes(), found.total(), found.version(), Optional.of(bytes))
                : outcome;
    }
}
