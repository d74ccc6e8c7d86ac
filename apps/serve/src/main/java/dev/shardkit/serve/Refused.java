package dev.shardkit.serve;

/** A request that gets an error status. The message is for the client, so it never names a file of this machine. */
final class Refused extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;

    Refused(int status, String message) {
        super(message);
        this.status = status;
    }

    /** Returns the answer for a path that does not exist or must not be read; it does not say which. */
    static Refused missing() {
        return new Refused(404, "there is no object with this key");
    }

    /** Returns the HTTP status. */
    int status() {
        return status;
    }
}
