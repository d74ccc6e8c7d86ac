/**
 * One HTTP request of a remote store and its response: what is asked for, and whether status, head and body are what
 * was asked for. Retries, deadlines, permits and measurements are in {@code dev.shardkit.store.remote}.
 */
@NullMarked
package dev.shardkit.store.remote.exchange;

import org.jspecify.annotations.NullMarked;
