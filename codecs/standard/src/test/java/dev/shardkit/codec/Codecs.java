package dev.shardkit.codec;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.testkit.extension.LoadedExtensions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.ServiceLoader;

/** Makes codecs by name, as a registry does, and chunks to try them on. */
public final class Codecs {
    private Codecs() {}

    /** The codec that is called {@code name}, or was once. */
    public static Codec make(String name, Json.Obj configuration) {
        CodecFactory factory = ServiceLoader.load(CodecFactory.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(f -> f.name().equals(name) || f.aliases().contains(name))
                .findFirst()
                .orElseThrow();
        Config config = new Config(configuration, "/codecs/0/configuration", new LoadedExtensions());
        Codec codec = factory.create(config);
        config.refuseUnread();
        return codec;
    }

    /** {@code bytes} in a byte order. */
    public static Codec bytes(String endian) {
        return make("bytes", Json.object().with("endian", Json.of(endian)));
    }

    /** {@code transpose}. */
    public static Codec transpose(long... order) {
        return make("transpose", Json.object().with("order", Json.of(order)));
    }

    /** A chain, bound. */
    public static ChunkCodec bind(ChunkType type, Codec... codecs) {
        return CodecChain.of(List.of(codecs)).bind(type, Limits.defaults());
    }

    /** A chunk type that is filled with zero or nothing. */
    public static ChunkType type(DataType type, long... shape) {
        return ChunkType.of(type, type.defaultFill(), shape);
    }

    /** A chunk of these bytes, little-endian words. */
    public static DenseChunk chunk(ChunkType type, byte[] littleEndian) {
        return DenseChunk.of(
                type, Elements.Fixed.of(type.dataType(), ByteBuffer.wrap(littleEndian), ByteOrder.LITTLE_ENDIAN));
    }

    /** A part of an encoded chunk, in a chunk that held something else. */
    public static DenseChunk decode(ChunkCodec codec, byte[] encoded, Box part) {
        DenseChunk out = DenseChunk.filled(codec.type().withShape(part.shape()));
        if (out.elements() instanceof Elements.Fixed f) {
            for (int i = 0; i < f.bytes().limit(); i++) {
                f.bytes().put(i, (byte) 0xa5);
            }
        }
        try (Scratch scratch = new Scratch()) {
            codec.decode(Bytes.of(encoded), part, out.target(), scratch);
        }
        return out;
    }

    /** The bytes of a chunk, little-endian words. */
    public static byte[] content(DenseChunk chunk) {
        ByteBuffer bytes = ((Elements.Fixed) chunk.elements()).bytes();
        byte[] all = new byte[bytes.limit()];
        bytes.get(0, all);
        return all;
    }
}
