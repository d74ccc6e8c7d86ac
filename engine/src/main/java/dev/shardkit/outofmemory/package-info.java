/**
 * Ends calls after an OutOfMemoryError: completes their futures and releases their locks, with memory kept in reserve.
 * Budgets that prevent such errors are in {@code engine.threads}.
 *
 * <p>A call that meets an {@code OutOfMemoryError} ends with it, and so does each call that waits for it. Steps on
 * which other threads depend allocate nothing, or are repeated until there is memory: releasing locks and permits,
 * completing futures ({@link dev.shardkit.outofmemory.Completions}), the timer of remote stores. The process keeps
 * memory aside ({@code EmergencyReserve}), and the first step that fails releases it. Objects are made before a lock or
 * a permit is taken. Stores chain futures by {@code CancellableFutures}, because a future that the JDK derives stays
 * incomplete if its exception cannot be allocated. Queues that runs share are linked lists: an {@code ArrayDeque} that
 * cannot grow loses its elements.
 *
 * <p>So {@code catch (Throwable)} stands where a lock, a permit, a thread, a file or the future of a call would be kept
 * otherwise, and only there. Such blocks repeat a shape in place of calling a helper with a lambda: making the lambda
 * needs memory before the block begins.
 */
@NullMarked
package dev.shardkit.outofmemory;

import org.jspecify.annotations.NullMarked;
