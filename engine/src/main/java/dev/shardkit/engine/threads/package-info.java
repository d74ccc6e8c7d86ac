/**
 * The threads of the engine, and what decides who uses them: executors, permits, budgets, the futures of calls, and the
 * calls of callers' code. All threads except those of transports, the Hadoop store and the server are here. Knows
 * nothing of plans that run and of stored objects.
 *
 * <p><b>Rule.</b> A thread that may wait must never be one that others need to make progress. So workers compute and
 * never wait for one another, call threads wait for locks and stores, and callback threads run callers' code. Virtual
 * threads are used where blocking does not pin them.
 *
 * <p><b>Callers.</b> A blocking call works on the calling thread and asks workers for help only if there is more than
 * one unit of work. It never waits for a task that an executor has not begun, so it may be made from inside the
 * caller's own executor, even one with a single thread. A thread that waits for the future of a read without a limit
 * works for the read as one of the call's threads. If it is interrupted, the workers go on without it. A wait with a
 * limit only waits, because a unit of work may take longer than the limit. With a caller's executor, a thread that
 * waits for another asynchronous call, such as a write, makes the call itself if no thread of the executor has begun
 * it; callbacks then run on the thread that completes the future, and decoding needs no permit.
 *
 * <p><b>Workers</b> change between runs after a time slice, which is shorter while a new run waits. New runs go first,
 * and long runs get every second turn, so a small read does not wait for a large one. If a new run arrives, a unit that
 * decodes many inner chunks ends early, and the rest becomes another unit. Handles of one parallelism share their
 * threads; threads and pools end with the last handle.
 *
 * <p><b>End of a call.</b> A call that has ended touches neither the caller's memory nor the store
 * ({@link dev.shardkit.engine.threads.CallFuture}). Ending a future early stops its call, and the future completes when
 * no worker and no request can still touch the caller's memory and every put under way has its answer. A put is
 * awaited, because an abandoned put may still be made, after a later write of the same region.
 */
@NullMarked
package dev.shardkit.engine.threads;

import org.jspecify.annotations.NullMarked;
