package dev.shardkit.transport;

import java.io.IOException;

/** The connection takes no further exchange before another has ended. Nothing was sent. */
public final class TransportFullException extends IOException {
    private static final long serialVersionUID = 1;

    /** Wraps the client's own exception. */
    public TransportFullException(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
