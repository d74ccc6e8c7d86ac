/**
 * Finds the chunks that exist, and maintains an array's list of them; their elements are not read here. Not exported to
 * users.
 *
 * <p>A walk visits the stored chunks that may exist (by the store's listing, one directory at a time, or by one request
 * each) and reads their indexes; entries are checked as in reads. The attribute {@code nonempty_chunks} is a cache of
 * this. A write that keeps it updates it after its chunks. Reads never use it, because any other program may leave it
 * stale.
 */
@NullMarked
package dev.shardkit.presence;

import org.jspecify.annotations.NullMarked;
