package dev.shardkit.testkit.transport;

import dev.shardkit.transport.Head;
import dev.shardkit.transport.Headers;
import dev.shardkit.transport.Request;
import dev.shardkit.transport.Transport;
import java.io.ByteArrayOutputStream;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request that a test sends, and its response as soon as it arrives. Fails if the transport makes the last call
 * within {@link Transport#send}.
 */
final class TransportExchange implements Transport.Receiver {
    private final Supplier<Request> request;
    /** The number of bytes after which to stop the body. */
    private final long max;
    /** Whether the supplier of the request may wait. */
    private final boolean mayWait;

    private final CompletableFuture<byte[]> end = new CompletableFuture<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    /** The exception to throw when the head arrives. */
    private @Nullable RuntimeException thrown;
    /** Opened by the first call of {@link #done} or {@link #failed}. */
    private final CountDownLatch lastCallCame = new CountDownLatch(1);
    /** The latch for which {@link #done} waits; open unless a test sets another. */
    private CountDownLatch gate = new CountDownLatch(0);

    private boolean doneMayWait = true;
    private volatile @Nullable Head head;
    private volatile Transport.Exchange exchange = () -> {};
    /** The thread that is in {@link Transport#send}; null outside. */
    private volatile @Nullable Thread sender;

    private TransportExchange(Supplier<Request> request, long max, boolean mayWait) {
        this.request = request;
        this.max = max;
        this.mayWait = mayWait;
    }

    private TransportExchange sent(Transport transport) {
        sender = Thread.currentThread();
        exchange = transport.send(this);
        sender = null;
        return this;
    }

    /** Sends a request. */
    static TransportExchange to(Transport transport, Request request) {
        return upTo(transport, request, Long.MAX_VALUE);
    }

    /** Sends a request, and stops the body after {@code max} bytes. */
    static TransportExchange upTo(Transport transport, Request request, long max) {
        return new TransportExchange(() -> request, max, false).sent(transport);
    }

    /** Sends a request whose supplier may wait. */
    static TransportExchange withRequestThatMayWait(Transport transport, Supplier<Request> request) {
        return new TransportExchange(request, Long.MAX_VALUE, true).sent(transport);
    }

    /** Sends a request whose supplier does not wait. */
    static TransportExchange atOnce(Transport transport, Supplier<Request> request) {
        return new TransportExchange(request, Long.MAX_VALUE, false).sent(transport);
    }

    /** Sends a request; its receiver throws {@code thrown} when the head arrives. */
    static TransportExchange thatThrows(Transport transport, Request request, RuntimeException thrown) {
        TransportExchange answer = new TransportExchange(() -> request, Long.MAX_VALUE, false);
        answer.thrown = thrown;
        return answer.sent(transport);
    }

    /** Sends a request; its receiver waits for {@code gate} in {@link #done}. */
    static TransportExchange thatWaits(Transport transport, Request request, CountDownLatch gate) {
        TransportExchange answer = new TransportExchange(() -> request, Long.MAX_VALUE, false);
        answer.gate = gate;
        return answer.sent(transport);
    }

    /** Sends a request; its receiver does not wait in {@link #done}. */
    static TransportExchange doneAtOnce(Transport transport, Request request) {
        TransportExchange answer = new TransportExchange(() -> request, Long.MAX_VALUE, false);
        answer.doneMayWait = false;
        return answer.sent(transport);
    }

    /** Waits for the end of the response, and returns its body. */
    byte[] get() throws ExecutionException, InterruptedException, TimeoutException {
        return end.get(60, TimeUnit.SECONDS);
    }

    int status() {
        return Objects.requireNonNull(head).status();
    }

    Headers headers() {
        return Objects.requireNonNull(head).headers();
    }

    /** Waits until {@link #done} has been called, which may still be waiting. Throws if {@link #failed} was called. */
    void awaitDone() throws ExecutionException, InterruptedException, TimeoutException {
        if (!lastCallCame.await(60, TimeUnit.SECONDS)) {
            throw new TimeoutException("no last call");
        }
        if (end.isCompletedExceptionally()) {
            end.get();
        }
    }

    void cancel() {
        exchange.cancel();
    }

    @Override
    public Request request() {
        return request.get();
    }

    @Override
    public boolean requestMayWait() {
        return mayWait;
    }

    @Override
    public Transport.BodyReceiver head(Head arrived) {
        if (thrown != null) {
            throw thrown;
        }
        head = arrived;
        return bytes -> {
            byte[] piece = new byte[bytes.remaining()];
            bytes.get(piece);
            body.writeBytes(piece);
            return body.size() >= max ? Transport.Wish.STOP : Transport.Wish.MORE;
        };
    }

    @Override
    public boolean doneMayWait() {
        return doneMayWait;
    }

    @Override
    public void done() {
        lastCallCame.countDown();
        TransportFixture.await(gate);
        assertNotWithinSend();
        end.complete(body.toByteArray());
    }

    @Override
    public void failed(Throwable failure) {
        assertNotWithinSend();
        end.completeExceptionally(failure);
        lastCallCame.countDown();
    }

    /** Fails the exchange if the last call comes within {@link Transport#send}. */
    private void assertNotWithinSend() {
        if (sender == Thread.currentThread()) {
            end.completeExceptionally(new AssertionError("the last call came within send"));
        }
    }
}
