package dev.shardkit.serve;

/** Thrown to send an error status. The client sees the message, so it must not contain names of files. */
final class HttpError extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;

    HttpError(int status, String message) {
        super(message);
        this.status = status;
    }

    /** Returns the error for a path that does not exist or must not be read. The client cannot tell which. */
    static HttpError notFound() {
        return new HttpError(404, "there is no object with this key");
    }

    /** Returns the HTTP status. */
    int status() {
        return status;
    }
}
