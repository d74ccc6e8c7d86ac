package dev.shardkit.transport;

import java.io.ByteArrayOutputStream;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** An exchange of a test, and its answer when that is there. */
final class Answer implements Transport.Receiver {
    private final Supplier<Request> request;
    private final long most;
    private final CompletableFuture<byte[]> end = new CompletableFuture<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private Optional<RuntimeException> thrown = Optional.empty();
    private CountDownLatch gate = new CountDownLatch(0);
    private volatile Optional<Head> head = Optional.empty();
    private volatile Transport.Exchange exchange = () -> {};

    private Answer(Supplier<Request> request, long most) {
        this.request = request;
        this.most = most;
    }

    private Answer sent(Transport transport) {
        exchange = transport.send(this);
        return this;
    }

    static Answer to(Transport transport, Request request) {
        return upTo(transport, request, Long.MAX_VALUE);
    }

    /** Stops the body when so many bytes are there. */
    static Answer upTo(Transport transport, Request request, long most) {
        return new Answer(() -> request, most).sent(transport);
    }

    static Answer of(Transport transport, Supplier<Request> request) {
        return new Answer(request, Long.MAX_VALUE).sent(transport);
    }

    /** Throws when the head comes. */
    static Answer thatThrows(Transport transport, Request request, RuntimeException thrown) {
        Answer answer = new Answer(() -> request, Long.MAX_VALUE);
        answer.thrown = Optional.of(thrown);
        return answer.sent(transport);
    }

    /** Waits for the gate when it is done. */
    static Answer thatWaits(Transport transport, Request request, CountDownLatch gate) {
        Answer answer = new Answer(() -> request, Long.MAX_VALUE);
        answer.gate = gate;
        return answer.sent(transport);
    }

    byte[] get() throws ExecutionException, InterruptedException, TimeoutException {
        return end.get(60, TimeUnit.SECONDS);
    }

    int status() {
        return head.orElseThrow().status();
    }

    Headers headers() {
        return head.orElseThrow().headers();
    }

    void cancel() {
        exchange.cancel();
    }

    @Override
    public Request request() {
        return request.get();
    }

    @Override
    public Transport.Body head(Head come) {
        thrown.ifPresent(e -> {
            throw e;
        });
        head = Optional.of(come);
        return bytes -> {
            byte[] piece = new byte[bytes.remaining()];
            bytes.get(piece);
            body.writeBytes(piece);
            return body.size() >= most ? Transport.Wish.STOP : Transport.Wish.MORE;
        };
    }

    @Override
    public void done() {
        TransportContract.await(gate);
        end.complete(body.toByteArray());
    }

    @Override
    public void failed(Throwable failure) {
        end.completeExceptionally(failure);
    }
}
