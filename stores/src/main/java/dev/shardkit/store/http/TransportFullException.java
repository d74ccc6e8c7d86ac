package dev.shardkit.store.http;

import java.io.IOException;

/** The connection takes no further exchange before another has ended. */
final class TransportFullException extends IOException {
    private static final long serialVersionUID = 1;

    TransportFullException(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
