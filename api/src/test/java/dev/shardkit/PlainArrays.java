package dev.shardkit;

import dev.shardkit.registry.Registry;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.store.Store;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.OptionalLong;

/** Arrays for tests of the faces: 64 x 64 int32 in chunks of 8 x 8, by a codec that is the least one can be. */
public final class PlainArrays {
    private PlainArrays() {}

    /** Options with nothing but the core types and the plain codec. */
    public static ZarrOptions options() {
        return ZarrOptions.defaults()
                .withRegistry(Registry.builder()
                        .all(Registry.load(PlainArrays.class.getClassLoader()))
                        .codec(new Factory())
                        .build());
    }

    /** Creates one in {@code store}. */
    public static ZarrArray create(Store store) {
        ArraySpec spec =
                ArraySpec.of("int32", 64, 64).withChunkShape(8, 8).withCodecs(Codecs.named("plain", Json.object()));
        return Zarr.createArray(store, "", spec, IfExists.REFUSE, options());
    }

    /** Elements of which each is its own index. */
    public static int[] counting() {
        int[] values = new int[64 * 64];
        java.util.Arrays.setAll(values, i -> i);
        return values;
    }

    private static final class Factory implements CodecFactory {
        @Override
        public String name() {
            return "plain";
        }

        @Override
        public Codec create(Config config) {
            return new Plain();
        }
    }

    private record Plain() implements ArrayToBytesCodec {
        @Override
        public String name() {
            return "plain";
        }

        @Override
        public Json.Obj configuration() {
            return Json.object();
        }

        @Override
        public ChunkCodec bind(ChunkType type, Limits limits) {
            return new Bound(type);
        }
    }

    private record Bound(ChunkType type) implements ChunkCodec {
        @Override
        public OptionalLong encodedSize() {
            return type.decodedSize();
        }

        @Override
        public long maxEncodedSize() {
            return type.decodedSize().orElseThrow();
        }

        @Override
        public Optional<Bytes> encode(Feed feed, ShardWritePolicy policy, Scratch scratch) {
            DenseChunk chunk = DenseChunk.filled(type);
            feed.get(type.box(), chunk.elements(), 0, Shapes.strides(type.shape()));
            return chunk.isFill()
                    ? Optional.empty()
                    : Optional.of(Bytes.of(((Elements.Fixed) chunk.elements()).bytes()));
        }

        @Override
        public void decode(Bytes encoded, Box part, Target out, Scratch scratch) {
            Elements elements = Elements.Fixed.of(type.dataType(), encoded.buffer(), ByteOrder.LITTLE_ENDIAN);
            out.put(elements, part.firstIn(type.shape()), Shapes.strides(type.shape()), Box.of(part.shape()));
        }
    }
}
