package dev.shardkit.spi.plan;

import dev.shardkit.spi.error.Place;

/**
 * One read of one stored object. Immutable and thread-safe.
 *
 * @param key the object's key in the store
 * @param range the byte range to read
 * @param place the place of the bytes, for errors
 * @param decoder turns the bytes into a value
 */
public record Request<V>(String key, ByteRange range, Place place, Decoder<V> decoder) {}
