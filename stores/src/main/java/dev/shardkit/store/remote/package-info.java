/**
 * Requests of remote stores over HTTP, for the modules of shardkit that have such stores; not exported to others. A
 * {@link dev.shardkit.store.remote.Call} reads a range, an {@link dev.shardkit.store.remote.Errand} is any other
 * request. Both are retried within a deadline, wait for permits without a thread, and feed one measurement.
 */
@NullMarked
package dev.shardkit.store.remote;

import org.jspecify.annotations.NullMarked;
