package dev.shardkit.transport.internal;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

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
    private Optional<C> open = Optional.empty();
    private Optional<Clock.Due> end = Optional.empty();
    private int users;

    /** A client that {@code maker} makes and {@code ender} ends, without waiting. */
    public OwnClient(Maker<C> maker, Consumer<C> ender) {
        this.maker = maker;
        this.ender = ender;
    }

    /** Returns the client for one exchange. {@link #giveBack} must follow, once. */
    public synchronized C use() throws IOException {
        if (open.isEmpty()) {
            open = Optional.of(maker.make());
        }
        end.ifPresent(Clock.Due::cancel);
        end = Optional.empty();
        users++;
        return open.get();
    }

    /** An exchange is over. */
    public synchronized void giveBack() {
        if (--users == 0) {
            end = Optional.of(Clock.after(IDLE_NANOS, this::endIfIdle));
        }
    }

    private synchronized void endIfIdle() {
        if (users == 0) {
            close();
        }
    }

    /** Ends the client, if there is one. Exchanges that are under way fail. */
    public synchronized void close() {
        end.ifPresent(Clock.Due::cancel);
        end = Optional.empty();
        open.ifPresent(ender);
        open = Optional.empty();
    }
}
