package dev.shardkit.transport.jdk;

import dev.shardkit.transport.Payload;
import dev.shardkit.transport.Request;
import dev.shardkit.transport.Transport;
import dev.shardkit.transport.TransportFullException;
import dev.shardkit.transport.internal.ExchangeThreads;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests with the JDK's {@link HttpClient}. Blocking calls run on threads of the transport, because the client
 * completes its futures on the common pool, which callers may block.
 */
public final class JdkTransport implements Transport {
    private static final String FULL = "too many concurrent streams";

    private final ExchangeThreads threads;
    private final JdkClient client;
    private final Set<Running> underWay = ConcurrentHashMap.newKeySet();

    JdkTransport(ExchangeThreads threads, JdkClient client) {
        this.threads = threads;
        this.client = client;
    }

    /** Creates a transport over a client of the caller, which stays open. */
    public static JdkTransport over(HttpClient client) {
        return new JdkTransport(new ExchangeThreads(), JdkClient.of(client));
    }

    @Override
    public Exchange send(Receiver receiver) {
        Running running = new Running(receiver);
        underWay.add(running);
        try {
            threads.begin(running);
        } catch (RuntimeException | Error e) { // closed, or no memory for a thread
            underWay.remove(running);
            throw e;
        }
        return running;
    }

    @Override
    public void execute(Runnable work) {
        threads.execute(work);
    }

    @Override
    public void close() {
        client.close();
        underWay.forEach(Running::cancel); // before 21, closing the client leaves them waiting
        threads.close();
    }

    private static HttpRequest request(Request request) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(request.uri()).method(request.method(), body(request));
        request.headers().forEach((name, value) -> {
            try {
                builder.setHeader(name, value);
            } catch (IllegalArgumentException e) { // whose message has the value
                throw new IllegalArgumentException("a header that cannot be sent: " + name);
            }
        });
        return builder.build();
    }

    /** Sends an empty PUT or POST with a Content-Length of 0, which many servers require. */
    private static HttpRequest.BodyPublisher body(Request request) {
        Payload payload = request.payload();
        if (payload.size() == 0) {
            return HttpRequest.BodyPublishers.noBody();
        }
        return HttpRequest.BodyPublishers.fromPublisher(new JdkPayload(payload), payload.size());
    }

    /** One exchange and the thread that waits for it. */
    private final class Running implements Runnable, Exchange {
        private final Receiver receiver;
        private @Nullable Thread thread;
        private boolean cancelled;

        Running(Receiver receiver) {
            this.receiver = receiver;
        }

        @Override
        public void run() {
            synchronized (this) {
                if (cancelled) {
                    underWay.remove(this);
                    return;
                }
                thread = Thread.currentThread();
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

        /** After this call, the transport no longer interrupts the thread. */
        private synchronized void end() {
            underWay.remove(this);
            thread = null;
            if (cancelled) {
                Thread.interrupted();
            }
        }

        @Override
        public synchronized void cancel() {
            if (!cancelled && thread != null) {
                thread.interrupt();
            }
            cancelled = true;
        }
    }

    /**
     * Sends the request and waits for the end of the response. Returns the exception of the receiver, if it threw one.
     */
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
