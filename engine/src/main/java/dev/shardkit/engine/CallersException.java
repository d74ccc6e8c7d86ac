package dev.shardkit.engine;

/** Carries what a caller's own target or feed threw past those who take exceptions for faults of the data. */
final class CallersException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Throwable own;

    CallersException(Throwable own) {
        super(null, own, false, false);
        this.own = own;
    }

    /** What was thrown. */
    Throwable own() {
        return own;
    }
}
