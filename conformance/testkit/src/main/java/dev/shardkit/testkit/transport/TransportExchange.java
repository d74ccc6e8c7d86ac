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

/** An exchange of a test, and its response as soon as it arrives. */
final class TransportExchange implements Transport.Receiver {
    private final Supplier<Request> request;
    private final long max;
    private final boolean mayWait;
    private final CompletableFuture<byte[]> end = new CompletableFuture<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private @Nullable RuntimeException thrown;
    private final CountDownLatch atGate = new CountDownLatch(1);
    private CountDownLatch gate = new CountDownLatch(0);
    private boolean doneMayWait = true;
    private volatile @Nullable Head head;
    private volatile Transport.Exchange exchange = () -> {};

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

    static TransportExchange to(Transport transport, Request request) {
        return upTo(transport, request, Long.MAX_VALUE);
    }

    /** Stops the body after this number of bytes. */
    static TransportExchange upTo(Transport transport, Request request, long max) {
        return new TransportExchange(() -> request, max, false).sent(transport);
    }

    static TransportExchange of(Transport transport, Supplier<Request> request) {
        return new TransportExchange(request, Long.MAX_VALUE, true).sent(transport);
    }

    /** Makes the request without waiting. */
    static TransportExchange atOnce(Transport transport, Supplier<Request> request) {
        return new TransportExchange(request, Long.MAX_VALUE, false).sent(transport);
    }

    /** Throws when the head comes. */
    static TransportExchange thatThrows(Transport transport, Request request, RuntimeException thrown) {
        TransportExchange answer = new TransportExchange(() -> request, Long.MAX_VALUE, false);
        answer.thrown = thrown;
        return answer.sent(transport);
    }

    /** Waits for the gate when it is done. */
    static TransportExchange thatWaits(Transport transport, Request request, CountDownLatch gate) {
        TransportExchange answer = new TransportExchange(() -> request, Long.MAX_VALUE, false);
        answer.gate = gate;
        return answer.sent(transport);
    }

    /** Is done without waiting. */
    static TransportExchange doneAtOnce(Transport transport, Request request) {
        TransportExchange answer = new TransportExchange(() -> request, Long.MAX_VALUE, false);
        answer.doneMayWait = false;
        return answer.sent(transport);
    }

    byte[] get() throws ExecutionException, InterruptedException, TimeoutException {
        return end.get(60, TimeUnit.SECONDS);
    }

    int status() {
        return Objects.requireNonNull(head).status();
    }

    Headers headers() {
        return Objects.requireNonNull(head).headers();
    }

    /** Waits until the last call has come, which itself may wait. It must be {@link #done}. */
    void awaitDone() throws ExecutionException, InterruptedException, TimeoutException {
        if (!atGate.await(60, TimeUnit.SECONDS)) {
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
    public Transport.Body head(Head come) {
        if (thrown != null) {
            throw thrown;
        }
        head = come;
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
        atGate.countDown();
        TransportFixture.await(gate);
        fromAnotherThread();
        end.complete(body.toByteArray());
    }

    @Override
    public void failed(Throwable failure) {
        fromAnotherThread();
        end.completeExceptionally(failure);
        atGate.countDown();
    }

    private void fromAnotherThread() {
        if (sender == Thread.currentThread()) {
            end.completeExceptionally(new AssertionError("the last call came within send"));
        }
    }
}
