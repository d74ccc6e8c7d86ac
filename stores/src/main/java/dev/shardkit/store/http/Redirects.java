package dev.shardkit.store.http;

/** The kinds of redirects that a store follows (RFC 9110, section 15.4). */
public enum Redirects {
    /** No redirects: each is an error. */
    NONE,
    /** Redirects to the same host and port, and from HTTP to HTTPS on the same host with the default ports. */
    SAME_HOST,
    /**
     * Redirects to any host. Another host or port receives no credentials: no authorization, no headers of the caller
     * and no user information.
     */
    ANY_HOST
}
