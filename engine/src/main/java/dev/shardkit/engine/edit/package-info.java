/**
 * Changes of stored objects: plans an edit, and makes it under a lock or a condition, by a patch, a put or a multi-part
 * copy. How old content is read is in {@code run}; which cells change is decided above the engine.
 *
 * <p>{@link dev.shardkit.engine.edit.ObjectEdits} acquires the lock of an object before the edit is planned, and
 * releases it after the new content is stored. So a plan always sees the content that it changes. Without locks, the
 * put has a condition, and a writer that loses the race plans again.
 *
 * <p>Memory for the encoded content is reserved after the lock is acquired: writers that wait for a slow lock must not
 * take memory from others.
 *
 * <p>A blocking call to a remote store waits for the end of its edits and runs their steps itself where no other thread
 * has begun them. An asynchronous write holds a call thread only while it checks the stored metadata, so a thousand of
 * its calls need no thousand threads. If a remote store has locks, or if a write keeps {@code nonempty_chunks} or goes
 * through a storage transformer, a call thread waits instead, because acquiring a lock blocks.
 */
@NullMarked
package dev.shardkit.engine.edit;

import org.jspecify.annotations.NullMarked;
