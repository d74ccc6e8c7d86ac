package dev.shardkit.transport;

import java.io.IOException;

/** Thrown when a connection accepts no further exchange until another one ends. Nothing was sent. */
public final class TransportFullException extends IOException {
    private static final long serialVersionUID = 1;

    /** Wraps the exception of the client. */
    public TransportFullException(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
