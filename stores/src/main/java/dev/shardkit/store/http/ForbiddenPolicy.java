package dev.shardkit.store.http;

/**
 * What HTTP 403 (forbidden) means for the read of an object. Amazon S3 answers 403 for an object that does not exist if
 * the caller may not list the bucket, and servers in front of buckets pass that on.
 */
public enum ForbiddenPolicy {
    /**
     * The caller may not read the object: an error. This is the default, because a missing chunk reads as fill values.
     */
    REFUSE,
    /**
     * The object does not exist. Use this only if all objects can be read: an object that the caller may not read looks
     * missing, too. 403 for wrong or expired credentials remains an error if the server tells it apart.
     */
    MISSING
}
