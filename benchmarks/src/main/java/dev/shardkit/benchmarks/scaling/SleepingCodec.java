package dev.shardkit.benchmarks.scaling;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.concurrent.locks.LockSupport;

/**
 * A codec that changes no bytes. Decoding sleeps for a fixed time. Because sleeping uses no core, workers do not
 * compete for cores, as if the machine had one for each of them. Immutable and thread-safe.
 *
 * @param nanos the time to decode, in nanoseconds
 */
record SleepingCodec(long nanos) implements CodecFactory, BytesToBytesCodec {
    static final String NAME = "dev.shardkit.sleeping";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Codec create(Config config) {
        return this;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object();
    }

    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        return decoded;
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        return encoded;
    }
}
