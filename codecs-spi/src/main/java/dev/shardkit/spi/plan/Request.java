package dev.shardkit.spi.plan;

import dev.shardkit.spi.error.Place;

/**
 * One read of one stored object. Immutable and thread-safe.
 *
 * @param key the object's key in the store
 * @param range which bytes of the object
 * @param place what the bytes are, for errors
 * @param decoder makes the value
 */
public record Request<V>(String key, ByteRange range, Place place, Decoder<V> decoder) {}
