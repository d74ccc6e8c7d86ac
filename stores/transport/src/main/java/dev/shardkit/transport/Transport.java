package dev.shardkit.transport;

import java.nio.ByteBuffer;

/**
 * Sends HTTP requests and streams the responses. A transport runs exchanges on its own threads, so they continue while
 * all threads of the callers are blocked. Thread-safe.
 */
public interface Transport extends AutoCloseable {
    /** Says whether the receiver wants more of a body. */
    enum Wish {
        /** The next bytes are wanted. */
        MORE,
        /** No more bytes are wanted. The exchange ends here, and {@link Receiver#done} follows. */
        STOP
    }

    /** Receives the bytes of a body. */
    @FunctionalInterface
    interface BodyReceiver {
        /**
         * Receives the next bytes. Must not block. The buffer belongs to the transport and is invalid after the call.
         */
        Wish take(ByteBuffer bytes);
    }

    /**
     * Supplies one request and receives its response. Calls never overlap, but may come from different threads of the
     * transport.
     */
    interface Receiver {
        /**
         * Returns the request. Called once, before all other methods, right before the request is sent, so that a
         * signature or token is fresh. An exception is passed to {@link #failed}.
         */
        Request request();

        /**
         * Returns whether {@link #request} may block, for example to fetch credentials. If so, the transport calls it
         * on a separate thread. Otherwise it may call it within {@link Transport#send}.
         */
        default boolean requestMayWait() {
            return true;
        }

        /**
         * Receives the head of the response and returns the receiver of its body. Must not block. Exceptions of this
         * method or of the body are passed to {@link #failed}.
         */
        BodyReceiver head(Head head);

        /**
         * Called when the body is complete, or after its receiver returned {@link Wish#STOP}. May block, unless
         * {@link #doneMayWait} returns false.
         */
        void done();

        /**
         * Returns whether {@link #done} may block. If not, the transport may call it on the thread that received the
         * body, which saves a thread switch. The call must then take microseconds only, and throw nothing.
         */
        default boolean doneMayWait() {
            return true;
        }

        /** Called when the exchange ended without a complete response. May block. */
        void failed(Throwable failure);
    }

    /** A running exchange. */
    interface Exchange {
        /**
         * Cancels the exchange. Closes its connection if the response is incomplete. Afterwards,
         * {@link Receiver#failed} may or may not be called.
         */
        void cancel();
    }

    /** Starts an exchange without blocking. All failures are reported to {@link Receiver#failed}, on another thread. */
    Exchange send(Receiver receiver);

    /**
     * Runs {@code work}, which may block, on a separate thread, or on the calling thread if no thread can be started.
     */
    void execute(Runnable work);

    /** Closes all connections and stops all threads. Running exchanges fail. */
    @Override
    void close();
}
