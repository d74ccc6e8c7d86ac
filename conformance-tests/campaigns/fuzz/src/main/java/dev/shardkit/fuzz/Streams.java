package dev.shardkit.fuzz;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extensions;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.zip.DataFormatException;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;

/**
 * Fuzz target for the decoders of compressed streams. The first two bytes of the input are the decoded size; their
 * first bit says that this size is a maximum, not exact. The rest is the stream. All registered codecs of the same name
 * decode it: shardkit's, and the native one if its plug-in is on the class path. They must agree whether the stream is
 * valid, and on the decoded bytes. If they accept the stream and the decoder of another library does too, the decoded
 * bytes must be the same.
 */
final class Streams {
    static final Streams ZSTD =
            new Streams("zstd", Map.of("level", Json.of(1), "checksum", new Json.Bool(false)), Streams::zstd);
    static final Streams GZIP = new Streams("gzip", Map.of("level", Json.of(1)), Streams::gzip);
    static final Streams ZLIB = new Streams("numcodecs.zlib", Map.of("level", Json.of(1)), Streams::zlib);
    static final Streams BLOSC = new Streams(
            "blosc",
            Map.of(
                    "cname",
                    new Json.Str("lz4"),
                    "clevel",
                    Json.of(1),
                    "shuffle",
                    new Json.Str("noshuffle"),
                    "blocksize",
                    Json.of(0)),
            (stream, max) -> Optional.empty());

    /**
     * A decoder of another library. Returns the decoded bytes if it accepts the stream and they do not exceed
     * {@code max}.
     */
    private interface Peer {
        Optional<byte[]> decode(byte[] stream, int max);
    }

    private final List<BytesToBytesCodec> codecs;
    private final Peer peer;

    private Streams(String name, Map<String, Json> configuration, Peer peer) {
        this.codecs = ServiceLoader.load(CodecFactory.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(f -> f.name().equals(name))
                .map(f -> (BytesToBytesCodec) f.create(new Config(new Json.Obj(configuration), "", None.INSTANCE)))
                .toList();
        this.peer = peer;
    }

    void run(byte[] input) {
        if (input.length < 2) {
            return;
        }
        int max = (input[0] & 0x7f) << 8 | input[1] & 0xff;
        DecodedSize size = input[0] < 0 ? DecodedSize.atMost(max) : DecodedSize.exactly(max);
        byte[] stream = FuzzTarget.behind(input, 2);
        Optional<byte[]> first = decode(codecs.get(0), stream, size);
        for (BytesToBytesCodec other : codecs.subList(1, codecs.size())) {
            Optional<byte[]> second = decode(other, stream, size);
            FuzzTarget.check(
                    first.isPresent() == second.isPresent()
                            && (first.isEmpty() || Arrays.equals(first.get(), second.get())),
                    "the codecs of one name agree");
        }
        if (first.isPresent()) {
            checkPart(first.get(), stream);
            peer.decode(stream, max)
                    .ifPresent(theirs ->
                            FuzzTarget.check(Arrays.equals(first.get(), theirs), "another decoder decodes the same"));
        }
    }

    private static Optional<byte[]> decode(BytesToBytesCodec codec, byte[] stream, DecodedSize size) {
        try (Scratch scratch = new Scratch()) {
            Optional<byte[]> decoded = FuzzTarget.declared(
                    () -> codec.decode(Bytes.of(stream), size, scratch).toArray());
            decoded.ifPresent(bytes -> size.check(bytes.length, "the fuzzer"));
            return decoded;
        }
    }

    byte[] encode(byte[] bytes) {
        try (Scratch scratch = new Scratch()) {
            return codecs.get(0).encode(Bytes.of(bytes), scratch).toArray();
        }
    }

    /** Decodes only a part of the stream, and compares it with the same part of the decoded bytes. */
    private void checkPart(byte[] whole, byte[] stream) {
        int from = whole.length / 3;
        ByteRange.Slice part = new ByteRange.Slice(from, whole.length / 2 - from);
        try (Scratch scratch = new Scratch()) {
            byte[] found = codecs.get(0)
                    .decodePart(Bytes.of(stream), new DecodedSize.Exact(whole.length), part, scratch)
                    .toArray();
            FuzzTarget.check(
                    Arrays.equals(found, Arrays.copyOfRange(whole, from, whole.length / 2)),
                    "a part that is decoded alone is the same");
        }
    }

    private static Optional<byte[]> zstd(byte[] stream, int max) {
        byte[] out = new byte[max];
        try {
            int size = new ZstdDecompressor().decompress(stream, 0, stream.length, out, 0, max);
            return Optional.of(Arrays.copyOf(out, size));
        } catch (RuntimeException e) {
            return Optional.empty(); // aircompressor refuses some streams that the format allows
        }
    }

    private static Optional<byte[]> gzip(byte[] stream, int max) {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(stream))) {
            byte[] all = in.readNBytes(max + 1);
            return all.length <= max ? Optional.of(all) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<byte[]> zlib(byte[] stream, int max) {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(stream);
            byte[] out = new byte[max + 1];
            int size = inflater.inflate(out);
            return inflater.finished() && size <= max ? Optional.of(Arrays.copyOf(out, size)) : Optional.empty();
        } catch (DataFormatException e) {
            return Optional.empty();
        } finally {
            inflater.end();
        }
    }

    /** Refuses to create other codecs, because the codecs of streams contain none. */
    private enum None implements Extensions {
        INSTANCE;

        @Override
        public Codec codec(Json json, String pointer) {
            throw new UnsupportedException(pointer + ": no codec inside of this one");
        }

        @Override
        public DataType dataType(Json json, String pointer) {
            throw new UnsupportedException(pointer + ": no data type inside of this codec");
        }
    }
}
