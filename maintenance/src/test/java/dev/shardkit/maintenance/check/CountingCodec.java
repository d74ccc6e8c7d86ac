package dev.shardkit.maintenance.check;

import dev.shardkit.Codecs;
import dev.shardkit.ZarrOptions;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/** A codec that counts its calls. It changes the bytes, so that no reader can skip it. */
public final class CountingCodec implements BytesToBytesCodec, CodecFactory {
    private final AtomicLong used = new AtomicLong();

    /** Returns how often it has encoded or decoded. */
    public long used() {
        return used.get();
    }

    /** Returns options with this codec among the plug-ins. */
    public ZarrOptions options() {
        return ZarrOptions.defaults()
                .withRegistry(
                        Registry.builder().all(Registry.load()).codec(this).build());
    }

    /** Returns the metadata of the codec. */
    public static Json metadata() {
        return Codecs.named("test.sealed", Json.object());
    }

    @Override
    public Codec create(Config config) {
        return this;
    }

    @Override
    public String name() {
        return "test.sealed";
    }

    @Override
    public Json.Obj configuration() {
        return Json.object();
    }

    @Override
    public OptionalLong encodedSize(long decodedSize) {
        return OptionalLong.of(decodedSize);
    }

    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        used.incrementAndGet();
        byte[] bytes = decoded.toArray();
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] ^= 0x5a;
        }
        return Bytes.of(bytes);
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        return encode(encoded, scratch);
    }
}
