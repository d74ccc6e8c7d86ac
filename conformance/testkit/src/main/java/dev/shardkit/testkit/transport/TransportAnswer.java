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
final class TransportAnswer implements Transport.Receiver {
    private final Supplier<Request> request;
    private final long most;
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

    private TransportAnswer(Supplier<Request> request, long most, boolean mayWait) {
        this.request = request;
        this.most = most;
        this.mayWait = mayWait;
    }

    private TransportAnswer sent(Transport transport) {
        sender = Thread.currentThread();
        exchange = transport.send(this);
        sender = null;
        return this;
    }

    static TransportAnswer to(Transport transport, Request request) {
        return upTo(transport, request, Long.MAX_VALUE);
    }

    /** Stops the body after this number of bytes. */
    static TransportAnswer upTo(Transport transport, Request request, long most) {
        return new TransportAnswer(() -> request, most, false).sent(transport);
    }

    static TransportAnswer of(Transport transport, Supplier<Request> request) {
        return new TransportAnswer(request, Long.MAX_VALUE, true).sent(transport);
    }

    /** Makes the request without waiting. */
    static TransportAnswer atOnce(Transport transport, Supplier<Request> request) {
        return new TransportAnswer(request, Long.MAX_VALUE, false).sent(transport);
    }

    /** Throws when the head comes. */
    static TransportAnswer thatThrows(Transport transport, Request request, RuntimeException thrown) {
        TransportAnswer answer = new TransportAnswer(() -> request, Long.MAX_VALUE, false);
        answer.thrown = thrown;
        return answer.sent(transport);
    }

    /** Waits for the gate when it is done. */
    static TransportAnswer thatWaits(Transport transport, Request request, CountDownLatch gate) {
        TransportAnswer answer = new TransportAnswer(() -> request, Long.MAX_VALUE, false);
        answer.gate = gate;
        return answer.sent(transport);
    }

    /** Is done without waiting. */
    static TransportAnswer doneAtOnce(Transport transport, Request request) {
        TransportAnswer answer = new TransportAnswer(() -> request, Long.MAX_VALUE, false);
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
            return body.size() >= most ? Transport.Wish.STOP : Transport.Wish.MORE;
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
