package dev.shardkit.store.http;

/**
 * The meaning of HTTP 403 (Forbidden) for the read of an object. If the caller may not list the bucket, Amazon S3 sends
 * 403 also for an object that does not exist, and servers in front of buckets pass this on.
 */
public enum ForbiddenPolicy {
    /**
     * The caller may not read the object, which is an error. This is the default: a chunk that is missing would read as
     * fill values.
     */
    REFUSE,
    /**
     * The object does not exist. Use this only if all objects can be read: an object that the caller may not read looks
     * missing, too. 403 for wrong or expired credentials remains an error if the server tells it apart.
     */
    MISSING
}
