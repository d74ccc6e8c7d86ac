/**
 * The read-only store of web servers. What all remote stores share is in {@code dev.shardkit.store.remote}.
 * Applications open it by an {@code http:} or {@code https:} URL, or with
 * {@link dev.shardkit.store.http.HttpStore#builder} for tokens, proxies, deadlines and retries. It reads ranges and
 * merges neighbouring ones into one request.
 */
@NullMarked
package dev.shardkit.store.http;

import org.jspecify.annotations.NullMarked;
