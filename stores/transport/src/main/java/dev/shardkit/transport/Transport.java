package dev.shardkit.transport;

import java.nio.ByteBuffer;

/**
 * Sends HTTP requests and hands over the answers as they arrive. A transport has threads of its own that callers cannot
 * fill: exchanges go on, whatever the callers' threads wait for. Thread-safe.
 */
public interface Transport extends AutoCloseable {
    /** Whether a body goes on. */
    enum Wish {
        /** The next bytes are wanted. */
        MORE,
        /** No more bytes are wanted. The exchange ends here, and {@link Receiver#done} follows. */
        STOP
    }

    /** Takes the bytes of a body. */
    @FunctionalInterface
    interface Body {
        /** Takes the next bytes, without waiting. The buffer belongs to the transport and is invalid after the call. */
        Wish take(ByteBuffer bytes);
    }

    /** Makes one request and receives its answer. The calls follow one another, on any threads of the transport. */
    interface Receiver {
        /**
         * Makes the request. Called first, and once, when the request is about to be sent, so that a signature or a
         * token is fresh. What it throws is given to {@link #failed}.
         */
        Request request();

        /**
         * Returns whether {@link #request} may wait, for example for credentials. If so, the transport calls it on a
         * thread of its own that nothing else needs. Otherwise it may call it within {@link Transport#send}.
         */
        default boolean requestMayWait() {
            return true;
        }

        /**
         * Receives the head of the answer, without waiting. A client that sends again by itself may call this for each
         * answer; the last one counts. What this method or the body throws is given to {@link #failed}.
         */
        Body head(Head head);

        /** The exchange is over: the body has come to its end, or wished to stop. This call may wait. */
        void done();

        /** The exchange is over without a whole answer. This call may wait. */
        void failed(Throwable failure);
    }

    /** A request that is under way. */
    interface Exchange {
        /**
         * Ends the exchange, and closes its connection if an answer is still to come. The receiver may be told of a
         * failure afterwards, or of nothing.
         */
        void cancel();
    }

    /**
     * Begins an exchange, and does not wait. All failures are reported to {@link Receiver#failed}, from another thread.
     */
    Exchange send(Receiver receiver);

    /** Runs {@code work} on a thread that nothing else needs; on the calling one if there can be no other. */
    void execute(Runnable work);

    /** Ends threads and connections. Exchanges that are still under way fail. */
    @Override
    void close();
}
