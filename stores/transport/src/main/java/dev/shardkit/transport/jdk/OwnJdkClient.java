package dev.shardkit.transport.jdk;

import dev.shardkit.transport.TransportSettings;
import dev.shardkit.transport.internal.OwnClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.http.HttpClient;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A client that shardkit creates when needed and closes when idle. */
final class OwnJdkClient implements JdkClient {
    /** {@code HttpClient.shutdownNow}, which exists since JDK 21. */
    private static final @Nullable MethodHandle SHUTDOWN = shutdown();

    private final OwnClient<Open> own;

    OwnJdkClient(TransportSettings settings, Executor executor) {
        this.own = new OwnClient<>(() -> make(settings, executor), Open::close);
    }

    private static Open make(TransportSettings settings, Executor executor) throws IOException {
        try {
            return new Open(settings, executor);
        } catch (UncheckedIOException e) { // no descriptor is left
            throw new IOException(
                    "no HTTP client could be created: " + e.getCause().getMessage(), e.getCause());
        }
    }

    private static @Nullable MethodHandle shutdown() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(HttpClient.class, "shutdownNow", MethodType.methodType(void.class));
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return null;
        }
    }

    @Override
    public Use use() throws IOException {
        HttpClient client = own.use().client;
        return new Use() {
            @Override
            public HttpClient client() {
                return client;
            }

            @Override
            public void close() {
                own.giveBack();
            }
        };
    }

    @Override
    public void close() {
        own.close();
    }

    /** A client and its selector thread, which does not end on its own. */
    private static final class Open implements Executor {
        private final Executor executor;
        private final HttpClient client;
        private volatile @Nullable Thread selector;

        Open(TransportSettings settings, Executor executor) {
            this.executor = executor;
            HttpClient.Builder builder = HttpClient.newBuilder()
                    .version(version(settings))
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(settings.connectTimeout())
                    .executor(this);
            settings.proxy().ifPresent(builder::proxy);
            settings.tls().ifPresent(builder::sslContext);
            this.client = builder.build();
        }

        private static HttpClient.Version version(TransportSettings settings) {
            return switch (settings.protocol()) {
                case HTTP_1_1 -> HttpClient.Version.HTTP_1_1;
                case HTTP_2 -> HttpClient.Version.HTTP_2;
            };
        }

        @Override
        public void execute(Runnable work) {
            if (selector == null && Thread.currentThread().getName().endsWith("-SelectorManager")) {
                selector = Thread.currentThread();
            }
            executor.execute(work);
        }

        /** Before 21, the JDK closes a client when it is garbage-collected, or when its thread is interrupted. */
        void close() {
            Thread selecting = selector;
            if (SHUTDOWN != null) {
                try {
                    SHUTDOWN.invokeExact(client);
                } catch (Throwable e) {
                    throw new IllegalStateException("an HTTP client could not be shut down", e);
                }
            } else if (selecting != null) {
                selecting.interrupt();
            }
        }
    }
}
