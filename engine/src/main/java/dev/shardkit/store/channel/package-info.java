/**
 * How the content of an object passes through channels: many buffers written to a file, bytes collected in memory.
 * {@link dev.shardkit.store.Content} is the content itself. Only for shardkit's engine and stores.
 */
@NullMarked
package dev.shardkit.store.channel;

import org.jspecify.annotations.NullMarked;
