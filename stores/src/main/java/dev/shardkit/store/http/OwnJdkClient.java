package dev.shardkit.store.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * A client of ours: made for the first exchange, ended when none has been under way for a while or when it is closed,
 * and made anew for the next exchange. So a store that nobody closes holds no thread and no socket for long.
 */
final class OwnJdkClient implements JdkClient {
    /**
     * What clients are made with.
     *
     * @param version HTTP/2 over TLS only: over plain HTTP the JDK would ask for an upgrade with the first requests,
     *     and hardly a server has it
     * @param connectTimeout how long to wait for a connection
     */
    record Settings(HttpClient.Version version, Duration connectTimeout) {}

    private static final long IDLE_NANOS = Duration.ofSeconds(30).toNanos();
    /** {@code HttpClient.shutdownNow}, which the JDK has from 21 on. */
    private static final Optional<MethodHandle> SHUTDOWN = shutdown();

    private final Settings settings;
    private final Executor executor;
    private Optional<Open> open = Optional.empty();
    private Optional<HttpTimer.Due> end = Optional.empty();
    private int users;

    OwnJdkClient(Settings settings, Executor executor) {
        this.settings = settings;
        this.executor = executor;
    }

    private static Optional<MethodHandle> shutdown() {
        try {
            return Optional.of(MethodHandles.publicLookup()
                    .findVirtual(HttpClient.class, "shutdownNow", MethodType.methodType(void.class)));
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return Optional.empty();
        }
    }

    @Override
    public synchronized Use use() throws IOException {
        if (open.isEmpty()) {
            try {
                open = Optional.of(new Open(settings, executor));
            } catch (UncheckedIOException e) { // no descriptor is left
                throw new IOException(
                        "no HTTP client could be made: " + e.getCause().getMessage(), e.getCause());
            }
        }
        end.ifPresent(HttpTimer.Due::cancel);
        users++;
        HttpClient client = open.get().client;
        return new Use() {
            @Override
            public HttpClient client() {
                return client;
            }

            @Override
            public void close() {
                giveBack();
            }
        };
    }

    private synchronized void giveBack() {
        if (--users == 0) {
            end = Optional.of(HttpTimer.after(IDLE_NANOS, this::endIfIdle));
        }
    }

    private synchronized void endIfIdle() {
        if (users == 0) {
            close();
        }
    }

    @Override
    public synchronized void close() {
        open.ifPresent(Open::close);
        open = Optional.empty();
    }

    /** A client and its one thread that never ends by itself. */
    private static final class Open implements Executor {
        private final Executor executor;
        private final HttpClient client;
        private volatile Optional<Thread> selector = Optional.empty();

        Open(Settings settings, Executor executor) {
            this.executor = executor;
            this.client = HttpClient.newBuilder()
                    .version(settings.version())
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(settings.connectTimeout())
                    .executor(this)
                    .build();
        }

        @Override
        public void execute(Runnable work) {
            if (selector.isEmpty() && Thread.currentThread().getName().endsWith("-SelectorManager")) {
                selector = Optional.of(Thread.currentThread());
            }
            executor.execute(work);
        }

        /** Before 21 the JDK ends a client when it is garbage, or when its thread is interrupted. */
        void close() {
            if (SHUTDOWN.isPresent()) {
                try {
                    SHUTDOWN.get().invokeExact(client);
                } catch (Throwable e) {
                    throw new IllegalStateException("an HTTP client could not be shut down", e);
                }
            } else {
                selector.ifPresent(Thread::interrupt);
            }
        }
    }
}
