package dev.shardkit.transport.internal;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A client of ours: made for the first exchange, ended when none has been under way for a while or when it is closed,
 * and made anew for the next exchange. So a store that is never closed holds no thread and no socket for long.
 * Thread-safe.
 *
 * @param <C> the type of client
 */
public final class OwnClient<C> {
    /** Makes clients. */
    @FunctionalInterface
    public interface Maker<C> {
        /** Makes a client, or throws if there is no descriptor or thread for it. */
        C make() throws IOException;
    }

    private static final long IDLE_NANOS = Duration.ofSeconds(30).toNanos();

    private final Maker<C> maker;
    private final Consumer<C> ender;
    private final Predicate<C> alive;
    private volatile Optional<C> open = Optional.empty();
    private Optional<Clock.Due> look = Optional.empty();
    private long idleSince;
    private int users;

    /** A client that {@code maker} makes and {@code ender} ends, without waiting. */
    public OwnClient(Maker<C> maker, Consumer<C> ender) {
        this(maker, ender, client -> true);
    }

    /** As above; a client that is not {@code alive} any more is replaced. */
    public OwnClient(Maker<C> maker, Consumer<C> ender, Predicate<C> alive) {
        this.maker = maker;
        this.ender = ender;
        this.alive = alive;
    }

    /** Returns whether there is a client now, so that {@link #use} makes none. */
    public boolean isOpen() {
        return open.isPresent();
    }

    /** Returns the client for one exchange. {@link #giveBack} must follow, once. */
    public synchronized C use() throws IOException {
        if (open.isPresent() && !alive.test(open.get())) {
            open.ifPresent(ender);
            open = Optional.empty();
        }
        if (open.isEmpty()) {
            open = Optional.of(maker.make());
        }
        users++;
        return open.get();
    }

    /** An exchange is over. */
    public synchronized void giveBack() {
        if (--users == 0) {
            idleSince = System.nanoTime();
            if (look.isEmpty()) {
                look = Optional.of(Clock.after(IDLE_NANOS, this::endIfIdle));
            }
        }
    }

    /** One look is due at a time, not one for each exchange: that would wake the clock's thread each time. */
    private synchronized void endIfIdle() {
        look = Optional.empty();
        if (users > 0) {
            return;
        }
        long left = IDLE_NANOS - (System.nanoTime() - idleSince);
        if (left > 0) {
            look = Optional.of(Clock.after(left, this::endIfIdle));
        } else {
            close();
        }
    }

    /** Ends the client, if there is one. Exchanges that are under way fail. */
    public synchronized void close() {
        look.ifPresent(Clock.Due::cancel);
        look = Optional.empty();
        open.ifPresent(ender);
        open = Optional.empty();
    }
}
