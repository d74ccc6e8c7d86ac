package dev.shardkit.engine.error;

/** Wraps an exception of the caller's own target or feed, so that the engine does not report it as corrupt data. */
public final class CallersException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Throwable own;

    public CallersException(Throwable own) {
        super(null, own, false, false);
        this.own = own;
    }

    /** Returns the wrapped exception. */
    public Throwable own() {
        return own;
    }
}
