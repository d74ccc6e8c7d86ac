package dev.shardkit.spi.plan;

import dev.shardkit.spi.error.DataLocation;

/**
 * One read of one stored object. Immutable and thread-safe.
 *
 * @param key the object's key in the store
 * @param range the byte range to read
 * @param location the location of the bytes, for errors
 * @param decoder turns the bytes into a value
 * @param maxObjectBytes the largest accepted size of the whole object in bytes, for servers that ignore ranges and send
 *     all of it; {@link Long#MAX_VALUE} if unknown
 * @param maxWholeRead the largest size in bytes at which the whole object may be received in one request, because the
 *     plan will read all of it; 0 if it reads only parts
 */
public record ReadRequest<V>(
        String key,
        ByteRange range,
        DataLocation location,
        Decoder<V> decoder,
        long maxObjectBytes,
        long maxWholeRead) {
    /** Reads a range of an object of any size. */
    public ReadRequest(String key, ByteRange range, DataLocation location, Decoder<V> decoder) {
        this(key, range, location, decoder, Long.MAX_VALUE, 0);
    }

    /** Returns the same read for another decoder. */
    public <W> ReadRequest<W> decodedBy(Decoder<W> other) {
        return new ReadRequest<>(key, range, location, other, maxObjectBytes, maxWholeRead);
    }
}
