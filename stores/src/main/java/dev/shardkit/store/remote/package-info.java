/**
 * Retried requests of remote stores over HTTP, for the modules of shardkit that have such stores; not exported to
 * others. A {@link dev.shardkit.store.remote.RetriedRead} reads a range, a
 * {@link dev.shardkit.store.remote.RetriedOperation} is any other request. Both are retried within a deadline, wait for
 * permits without a thread, and feed one measurement. One request and its response are in
 * {@code dev.shardkit.store.remote.exchange}.
 *
 * <p>{@code NetworkEstimate} decides which ranges are merged. Requests that run at once share the latency: with 32 of
 * them and a latency of 64 ms, each costs 2 ms. A gap of unwanted bytes is read if its bytes arrive within twice this
 * time, or within 0.3 ms, which is about the work of a request at both ends. Such a gap is always read up to 64 KiB;
 * wider ones only while there are more requests than may run at once, the narrowest first. Ranges that could still be
 * merged wait until the bandwidth is known. A fixed gap would be wrong on every network but one.
 *
 * <p>Each call has tries and a deadline of its own, not a budget that calls share: with a shared budget one call could
 * fail because others used it up, and its error could not say why. An overloaded server needs fewer concurrent
 * requests, not fewer tries, so answers 429 and 503 lower the store's limit of concurrent requests. The deadline runs
 * while a request or pause is under way, not while the call waits for a permit, and bytes that arrive extend it: a slow
 * link is not a dead one. If a connection breaks, the missing rest is requested, provided that the object has a
 * version.
 */
@NullMarked
package dev.shardkit.store.remote;

import org.jspecify.annotations.NullMarked;
