package dev.shardkit.cli.base;

/** Thrown if a command is used correctly, but the stored data does not allow it. The exit status is 1. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RefusedException(String message) {
        super(message);
    }
}
