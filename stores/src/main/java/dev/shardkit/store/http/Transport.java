package dev.shardkit.store.http;

import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Map;

/**
 * The HTTP client below a store, whichever it is: sends GET requests and hands over what comes back, as it comes. It
 * has threads of its own that callers cannot fill: whatever the threads of callers wait for, exchanges go on.
 * Thread-safe.
 */
interface Transport {
    /**
     * A GET request.
     *
     * @param uri where to
     * @param headers what to send, beside the headers that the client itself must send
     */
    record Request(URI uri, Map<String, String> headers) {}

    /** The head of an answer. */
    record Head(int status, Headers headers) {}

    /** Whether a body goes on. */
    enum Wish {
        /** The next bytes are wanted. */
        MORE,
        /** No more bytes are wanted: the exchange ends here, and well. */
        STOP
    }

    /** Takes the bytes of a body. */
    @FunctionalInterface
    interface Body {
        /** Takes the next bytes; the buffer is the client's, and invalid after the call. */
        Wish take(ByteBuffer bytes);
    }

    /** Who sends a request and gets its answer. The calls come one after the other, on any threads of the transport. */
    interface Receiver {
        /** Makes the request; called first, and once. It may wait: the thread is of no other use meanwhile. */
        Request request();

        /**
         * The head has come. A client that sends again by itself may call this for each answer; the last one counts.
         * What this method or the body throws is given to {@link #failed}.
         */
        Body head(Head head);

        /** The exchange is over: the body has come to its end, or wished to stop. */
        void done();

        /** The exchange is over without a whole answer. */
        void failed(Throwable failure);
    }

    /** A request that is under way. */
    interface Exchange {
        /** Ends it, and closes its connection if an answer is still to come. The receiver may hear of that, or not. */
        void cancel();
    }

    /** Begins an exchange, and does not wait. Whatever goes wrong is told to the receiver, from another thread. */
    Exchange send(Receiver receiver);

    /** Runs {@code work} on a thread that nothing else needs; on the calling one if there can be no other. */
    void execute(Runnable work);

    /** Lets go of threads and connections. Exchanges that are still under way fail. */
    void close();
}
