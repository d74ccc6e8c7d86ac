package dev.shardkit.store.http;

import dev.shardkit.spi.error.StoreException;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * The JDK's {@link HttpClient}, asked by blocking calls on threads of our own: what it gives a future for it completes
 * on the common pool, which callers may fill.
 */
final class JdkTransport implements Transport {
    private static final String FULL = "too many concurrent streams";

    private final HttpThreads threads;
    private final JdkClient client;

    JdkTransport(HttpThreads threads, JdkClient client) {
        this.threads = threads;
        this.client = client;
    }

    @Override
    public Exchange send(Receiver receiver) {
        Running running = new Running(receiver);
        threads.begin(running);
        return running;
    }

    @Override
    public void execute(Runnable work) {
        threads.execute(work);
    }

    @Override
    public void close() {
        client.close();
        threads.close();
    }

    private static HttpRequest request(Request request) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(request.uri()).GET();
        request.headers().forEach((name, value) -> {
            try {
                builder.setHeader(name, value);
            } catch (IllegalArgumentException e) { // whose message has the value
                throw new StoreException("a header that cannot be sent: " + name);
            }
        });
        return builder.build();
    }

    /** One exchange and the thread that waits for it. */
    private final class Running implements Runnable, Exchange {
        private final Receiver receiver;
        private Optional<Thread> thread = Optional.empty();
        private boolean cancelled;

        Running(Receiver receiver) {
            this.receiver = receiver;
        }

        @Override
        public void run() {
            synchronized (this) {
                if (cancelled) {
                    return;
                }
                thread = Optional.of(Thread.currentThread());
            }
            Optional<Throwable> failure;
            try {
                failure = exchange(receiver);
            } catch (Throwable e) {
                failure = Optional.of(e);
            }
            end();
            failure.ifPresentOrElse(receiver::failed, receiver::done);
        }

        /** After this no interrupt of ours can hit what the thread does next. */
        private synchronized void end() {
            thread = Optional.empty();
            if (cancelled) {
                Thread.interrupted();
            }
        }

        @Override
        public synchronized void cancel() {
            if (!cancelled) {
                cancelled = true;
                thread.ifPresent(Thread::interrupt);
            }
        }
    }

    /** Sends the request and waits for the answer's end; what the receiver threw. */
    private Optional<Throwable> exchange(Receiver receiver) throws IOException, InterruptedException {
        HttpRequest request = request(receiver.request());
        HttpResponse.BodyHandler<Optional<Throwable>> handler = info -> JdkBody.of(receiver, info);
        try (JdkClient.Use use = client.use()) {
            return use.isJdk()
                    ? use.client().send(request, handler).body()
                    : awaited(use.client().sendAsync(request, handler));
        } catch (IOException e) {
            throw String.valueOf(e.getMessage()).contains(FULL) ? new TransportFullException(e) : e;
        }
    }

    private static Optional<Throwable> awaited(CompletableFuture<HttpResponse<Optional<Throwable>>> future)
            throws IOException, InterruptedException {
        try {
            return future.get().body();
        } catch (InterruptedException e) {
            future.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io
                    ? io
                    : new IOException(String.valueOf(e.getCause()), e.getCause());
        }
    }
}
