/**
 * Runs of plans that read: their requests to local and remote stores, the decoding of the answers, and the values that
 * are kept between runs. {@link dev.shardkit.engine.run.PlanExecution} is one run and defines its lock. Changes of
 * stored objects are in {@code edit}, threads in {@code threads}.
 *
 * <p><b>Local and remote.</b> In a local store a worker reads, decodes and scatters a merged request in one go
 * ({@code LocalRequests}). In a remote store requests run concurrently and workers decode the answers
 * ({@code RemoteRequests}). {@code Requests} is the seam between both.
 *
 * <p><b>Long answers</b> to merged reads are decoded while they arrive. The store checks the head of the answer and
 * passes on the bytes so far ({@link dev.shardkit.store.PartialResponseReceiver}), on a thread that may block. The
 * engine decodes all reads that these bytes complete, except the last one, so no call ends before the answer is
 * complete and checked.
 *
 * <p><b>Versions.</b> All answers about one object in a run have one version. A store defines its versions; without
 * one, nothing is cached between calls. Cached values are used if a request of the same call confirms their version. A
 * call that sends no request trusts a version for {@link dev.shardkit.store.RemoteReads#freshFor}, and otherwise sends
 * one small check at its end. A failure that was found through a cached value that no answer has confirmed makes the
 * run start again without this value.
 *
 * <p><b>Changes during a read.</b> The read is retried, a limited number of times: for remote stores fewer times than
 * for local ones, where a writer in place may change a file between any two looks. A read of elements has one part for
 * each stored chunk ({@code PartedRead}), and {@code ReadDependencies} records which part read which object:
 *
 * <ol>
 *   <li>A part that fails while one of its objects changes is dropped. Over a remote store that is a part whose answer
 *       has another version than an earlier answer for that object; its unsent requests are dropped too.
 *   <li>When the other parts are done, the engine checks the versions of all local objects, and of remote objects that
 *       it read only from the cache.
 *   <li>The next run has the parts that read a changed object, and all parts connected with them by shared objects
 *       ({@code PlanAttempts}).
 * </ol>
 *
 * <p>So each object has one version in the whole read; different objects may have been read at different moments. A
 * failure in a part whose own objects did not change ends the read. Reads of more than 65,536 objects and other plans
 * (metadata, edits, maintenance) are retried as a whole.
 *
 * <p><b>Monitors.</b> {@code PlanExecution} guards one run and its requests. {@code ValueCache} and {@code CacheBudget}
 * guard cached values, {@code RunSnapshots} its open objects. None is held while reading, decoding, sending,
 * cancelling, loading a value or calling a listener. {@code CacheBudget} takes one cache's monitor under its own, and a
 * run that of its {@code ReadDependencies}; there is no other nesting. What takes longest for small inner chunks,
 * making the parts of a join, happens outside the run's monitor: a worker reserves parts, makes them, and then enters
 * them. A shared read ({@code InFlightReads}) runs no listener and no plan, and a read that a decoder or store starts
 * in the middle of one sends its own request; so foreign code cannot block runs that wait for it. An {@code Error} in
 * foreign code ends its run.
 */
@NullMarked
package dev.shardkit.engine.run;

import org.jspecify.annotations.NullMarked;
