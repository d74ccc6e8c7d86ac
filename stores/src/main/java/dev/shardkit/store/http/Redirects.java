package dev.shardkit.store.http;

/** Which redirects a store follows (RFC 9110, section 15.4). */
public enum Redirects {
    /** None: a redirect is an error. */
    NONE,
    /** Those to the same host and port, and from HTTP to HTTPS on the same host with the default ports. */
    SAME_HOST,
    /**
     * Those to any host. Another host or port receives no credentials: no authorization, no headers of the caller and
     * no user information.
     */
    ANY_HOST
}
