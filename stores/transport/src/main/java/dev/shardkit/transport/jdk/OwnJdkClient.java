package dev.shardkit.transport.jdk;

import dev.shardkit.transport.TransportSettings;
import dev.shardkit.transport.internal.OwnClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.http.HttpClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
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

    /** A client and its threads, which do not end on their own. */
    private static final class Open {
        private final HttpClient client;
        /** The group of the client's own thread, where the client cannot be shut down. */
        private final @Nullable ThreadGroup threads;

        @SuppressWarnings("removal") // only JDKs that need groups keep those that are not daemons
        Open(TransportSettings settings, Executor executor) {
            HttpClient.Builder builder = HttpClient.newBuilder()
                    .version(version(settings))
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(settings.connectTimeout())
                    .executor(executor);
            settings.proxy().ifPresent(builder::proxy);
            settings.tls().ifPresent(builder::sslContext);
            if (SHUTDOWN != null) {
                this.threads = null;
                this.client = builder.build();
            } else {
                this.threads = new ThreadGroup("shardkit-http-clients");
                threads.setDaemon(true);
                this.client = inGroup(threads, builder::build);
            }
        }

        /** Makes a client on a thread of the group, which the client's own thread inherits. */
        private static HttpClient inGroup(ThreadGroup group, Supplier<HttpClient> maker) {
            CompletableFuture<HttpClient> made = new CompletableFuture<>();
            Thread thread = new Thread(
                    group,
                    () -> {
                        try {
                            made.complete(maker.get());
                        } catch (Throwable e) {
                            made.completeExceptionally(e);
                        }
                    },
                    "shardkit-http-client");
            thread.setDaemon(true);
            thread.start();
            try {
                return made.join();
            } catch (CompletionException e) {
                if (e.getCause() instanceof RuntimeException r) {
                    throw r;
                } else if (e.getCause() instanceof Error error) {
                    throw error;
                }
                throw e;
            }
        }

        private static HttpClient.Version version(TransportSettings settings) {
            return switch (settings.protocol()) {
                case HTTP_1_1 -> HttpClient.Version.HTTP_1_1;
                case HTTP_2 -> HttpClient.Version.HTTP_2;
            };
        }

        /** Before 21, the JDK closes a client when it is garbage-collected, or when its thread is interrupted. */
        void close() {
            if (threads != null) {
                threads.interrupt();
                return;
            }
            try {
                SHUTDOWN.invokeExact(client);
            } catch (Throwable e) {
                throw new IllegalStateException("an HTTP client could not be shut down", e);
            }
        }
    }
}
