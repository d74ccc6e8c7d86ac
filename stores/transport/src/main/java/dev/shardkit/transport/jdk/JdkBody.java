package dev.shardkit.transport.jdk;

import dev.shardkit.transport.Head;
import dev.shardkit.transport.Headers;
import dev.shardkit.transport.Transport;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Passes the body of a response to a receiver. The result is the exception of the receiver, if it threw one. */
final class JdkBody implements HttpResponse.BodySubscriber<Optional<Throwable>> {
    private final CompletableFuture<Optional<Throwable>> end = new CompletableFuture<>();
    private final Transport.Body body;
    private Flow.@Nullable Subscription subscription;

    private JdkBody(Transport.Body body) {
        this.body = body;
    }

    /** Passes the head of a response to {@code receiver}. */
    static JdkBody of(Transport.Receiver receiver, HttpResponse.ResponseInfo info) {
        try {
            return new JdkBody(receiver.head(
                    new Head(info.statusCode(), new Headers(info.headers().map()))));
        } catch (Throwable e) {
            JdkBody broken = new JdkBody(bytes -> Transport.Wish.STOP);
            broken.end.complete(Optional.of(e));
            return broken;
        }
    }

    @Override
    public CompletionStage<Optional<Throwable>> getBody() {
        return end;
    }

    @Override
    public void onSubscribe(Flow.Subscription s) {
        subscription = s;
        if (end.isDone()) {
            s.cancel();
        } else {
            s.request(Long.MAX_VALUE);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        try {
            for (ByteBuffer buffer : buffers) {
                if (end.isDone()) {
                    return;
                } else if (body.take(buffer) == Transport.Wish.STOP) {
                    stop(null);
                }
            }
        } catch (Throwable e) {
            stop(e);
        }
    }

    private void stop(@Nullable Throwable thrown) {
        if (subscription != null) {
            subscription.cancel();
        }
        end.complete(Optional.ofNullable(thrown));
    }

    @Override
    public void onComplete() {
        end.complete(Optional.empty());
    }

    @Override
    public void onError(Throwable failure) {
        end.completeExceptionally(failure);
    }
}
