package dev.shardkit;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.OptionalLong;

/** Makes a codec that changes no byte, and sees every encoded chunk on its way to the next decoder. */
public record SpyCodecFactory(String name, Spy spy) implements CodecFactory {
    /** Sees the bytes, and says which go on. */
    public interface Spy {
        Bytes see(Bytes encoded, Scratch scratch);
    }

    @Override
    public Codec create(Config config) {
        return new SpyCodec(name, spy);
    }

    private record SpyCodec(String name, Spy spy) implements BytesToBytesCodec {
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
            return spy.see(encoded, scratch);
        }

        @Override
        public OptionalLong encodedSize(long decodedSize) {
            return OptionalLong.of(decodedSize);
        }
    }
}
