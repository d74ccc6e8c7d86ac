package dev.shardkit.transport.jdk;

import dev.shardkit.transport.Payload;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.concurrent.Flow;

/** Publishes a payload to the JDK's client. Each subscriber receives all of it. */
record JdkPayload(Payload payload) implements Flow.Publisher<ByteBuffer> {
    /** The size of the pieces that the client receives. */
    private static final int SLICE = 64 << 10;

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        subscriber.onSubscribe(new Sending(payload.pieces().iterator(), subscriber));
    }

    /** One subscription. A subscriber may request more within {@code onNext}; the outermost call sends. */
    private static final class Sending implements Flow.Subscription {
        private final Iterator<ByteBuffer> pieces;
        private final Flow.Subscriber<? super ByteBuffer> subscriber;
        private ByteBuffer piece = ByteBuffer.allocate(0);
        private long wanted;
        private boolean busy;
        private boolean over;

        Sending(Iterator<ByteBuffer> pieces, Flow.Subscriber<? super ByteBuffer> subscriber) {
            this.pieces = pieces;
            this.subscriber = subscriber;
        }

        @Override
        public void request(long n) {
            synchronized (this) {
                wanted = n > Long.MAX_VALUE - wanted ? Long.MAX_VALUE : wanted + Math.max(0, n);
                if (busy) {
                    return;
                }
                busy = true;
            }
            while (goesOn()) {
                advance();
                if (piece.hasRemaining()) {
                    int n1 = Math.min(SLICE, piece.remaining());
                    ByteBuffer next = piece.slice(piece.position(), n1);
                    piece.position(piece.position() + n1);
                    subscriber.onNext(next);
                } else {
                    cancel();
                    subscriber.onComplete();
                }
            }
        }

        private synchronized boolean goesOn() {
            busy = !over && wanted > 0;
            wanted -= busy && wanted != Long.MAX_VALUE ? 1 : 0;
            return busy;
        }

        /** Moves to the next piece with remaining bytes, if there is one. */
        private void advance() {
            while (!piece.hasRemaining() && pieces.hasNext()) {
                piece = pieces.next();
            }
        }

        @Override
        public synchronized void cancel() {
            over = true;
        }
    }
}
