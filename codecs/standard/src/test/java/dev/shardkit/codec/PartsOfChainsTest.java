package dev.shardkit.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.codec.zstd.ZstdCodec;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.testkit.SampleChunks;
import dev.shardkit.testkit.internal.Rounds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Parts of chunks behind all sorts of filters: each is that of the whole chunk, however little of it was decoded. */
class PartsOfChainsTest {
    private static final long[] SHAPE = {6, 20, 34};

    private final Random random = new Random(41);

    /** {@code zstd} whose frames have no checksum, so that parts of them are decoded by parts; notes which were. */
    private static final class Unchecked implements BytesToBytesCodec {
        private final ZstdCodec zstd = ZstdCodec.ofLevel(3);
        private final List<ByteRange> parts = new ArrayList<>();

        @Override
        public String name() {
            return "unchecked";
        }

        @Override
        public Json.Obj configuration() {
            return Json.object();
        }

        @Override
        public Bytes encode(Bytes decoded, Scratch scratch) {
            byte[] frame = zstd.encode(decoded, scratch).toArray();
            boolean checked = (frame[4] & 4) != 0;
            frame[4] &= ~4;
            return Bytes.of(frame, 0, frame.length - (checked ? 4 : 0));
        }

        @Override
        public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
            return zstd.decode(encoded, expected, scratch);
        }

        @Override
        public Bytes decodePart(Bytes encoded, DecodedSize.Exact expected, ByteRange.Slice part, Scratch scratch) {
            parts.add(part);
            return zstd.decodePart(encoded, expected, part, scratch);
        }
    }

    private static Codec blosc(String cname, String shuffle, int typesize) {
        return Codecs.make(
                "blosc",
                Json.object()
                        .with("cname", Json.of(cname))
                        .with("clevel", Json.of(5))
                        .with("shuffle", Json.of(shuffle))
                        .with("typesize", Json.of(typesize))
                        .with("blocksize", Json.of(1024)));
    }

    private static List<List<Codec>> filters(int elementSize) {
        Codec shuffle = Codecs.make("numcodecs.shuffle", Json.object().with("elementsize", Json.of(elementSize)));
        Codec gzip = Codecs.make("gzip", Json.object().with("level", Json.of(5)));
        return List.of(
                List.of(new Unchecked()),
                List.of(ZstdCodec.ofLevel(3)),
                List.of(gzip),
                List.of(shuffle, new Unchecked()),
                List.of(new Unchecked(), gzip),
                List.of(new Unchecked(), new Unchecked()),
                List.of(blosc("lz4", "shuffle", elementSize)),
                List.of(blosc("lz4", "noshuffle", elementSize)),
                List.of(blosc("zstd", "bitshuffle", elementSize)),
                List.of(blosc("lz4", "shuffle", elementSize), gzip));
    }

    private static List<List<Codec>> stages() {
        return List.of(
                List.of(),
                List.of(Codecs.transpose(2, 0, 1)),
                List.of(Codecs.transpose(1, 2, 0), Codecs.transpose(0, 2, 1)));
    }

    private static ChunkType type(String name) {
        DataType type = CoreTypes.all().stream()
                .filter(t -> t.name().equals(name))
                .findFirst()
                .orElseThrow();
        return Codecs.type(type, SHAPE);
    }

    /** Smooth with some noise, so that all codecs have something to do. */
    private DenseChunk sample(ChunkType type) {
        byte[] bytes = new byte[Math.toIntExact(type.decodedSize().orElseThrow())];
        int size = type.dataType().elementSize().orElseThrow();
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i % size == 0 ? random.nextInt(12) + i / 999 : i / 5000);
        }
        return Codecs.chunk(type, bytes);
    }

    private static ChunkCodec bind(ChunkType type, List<Codec> stages, List<Codec> filters) {
        List<Codec> all = new ArrayList<>(stages);
        all.add(Codecs.bytes("little"));
        all.addAll(filters);
        return Codecs.bind(type, all.toArray(Codec[]::new));
    }

    private static byte[] encode(ChunkCodec codec, DenseChunk chunk) {
        try (Scratch scratch = new Scratch()) {
            return codec.encode(chunk.feed(), ShardWritePolicy.defaults(), scratch)
                    .orElseThrow()
                    .toArray();
        }
    }

    @Test
    void anyPart_isThatOfTheWhole() {
        for (String name : new String[] {"uint8", "uint16", "float64"}) {
            ChunkType type = type(name);
            DenseChunk sample = sample(type);
            for (List<Codec> stages : stages()) {
                for (List<Codec> filters : filters(type.dataType().elementSize().orElseThrow())) {
                    ChunkCodec codec = bind(type, stages, filters);
                    byte[] encoded = encode(codec, sample);
                    for (int i = 0; i < 25; i++) {
                        Box part = i == 0
                                ? Box.of(new long[] {3, 0, 0}, new long[] {1, 20, 34})
                                : SampleChunks.randomPart(SHAPE, random);
                        assertArrayEquals(
                                Codecs.content(SampleChunks.part(sample, type, part)),
                                Codecs.content(Codecs.decode(codec, encoded, part)),
                                () -> name + " " + stages + " " + filters + " " + part);
                    }
                }
            }
        }
    }

    @Test
    void onlyWhatAPartNeeds_isAskedOfTheFirstFilter() {
        ChunkType type = type("uint16");
        Unchecked first = new Unchecked();
        Unchecked second = new Unchecked();
        ChunkCodec codec = bind(type, List.of(Codecs.transpose(1, 0, 2)), List.of(first, second));
        byte[] encoded = encode(codec, sample(type));
        Codecs.decode(codec, encoded, Box.of(new long[] {1, 2, 3}, new long[] {2, 3, 4}));
        // In the encoded chunk of 20 x 6 x 34: from (2, 1, 3) to (4, 2, 6).
        int from = (2 * 6 + 1) * 34 + 3;
        int to = (4 * 6 + 2) * 34 + 6 + 1;
        assertEquals(List.of(new ByteRange.Slice(2L * from, 2L * (to - from))), first.parts);
        Codecs.decode(codec, encoded, type.box());
        assertEquals(1, first.parts.size());
        assertEquals(List.of(), second.parts);
    }

    @Test
    void damagedChunks_areRefusedOrGiveThePart() {
        ChunkType type = type("uint16");
        DenseChunk sample = sample(type);
        int refused = 0;
        for (List<Codec> filters : filters(2)) {
            ChunkCodec codec = bind(type, List.of(), filters);
            byte[] encoded = encode(codec, sample);
            for (int i = 0; i < Rounds.of(80); i++) {
                byte[] bad = i % 5 == 0 ? Arrays.copyOf(encoded, random.nextInt(encoded.length)) : encoded.clone();
                if (bad.length > 0) {
                    bad[random.nextInt(i % 2 == 0 ? bad.length : Math.min(bad.length, 50))] ^=
                            (byte) (1 << random.nextInt(8));
                }
                Box part = SampleChunks.randomPart(SHAPE, random);
                try {
                    Codecs.decode(codec, bad, part);
                } catch (CorruptDataException | UnsupportedException e) {
                    refused++;
                }
            }
        }
        assertTrue(refused > Rounds.of(200), "refused " + refused);
    }

    /** A filter that gives another number of bytes than it was asked for is not believed. */
    @Test
    void aFilterThatGivesTooFew_isCorrupt() {
        ChunkType type = type("uint16");
        Unchecked good = new Unchecked();
        byte[] encoded = encode(bind(type, List.of(), List.of(good)), sample(type));
        BytesToBytesCodec bad = new BytesToBytesCodec() {
            @Override
            public String name() {
                return "bad";
            }

            @Override
            public Json.Obj configuration() {
                return Json.object();
            }

            @Override
            public Bytes encode(Bytes decoded, Scratch scratch) {
                return good.encode(decoded, scratch);
            }

            @Override
            public Bytes decode(Bytes in, DecodedSize expected, Scratch scratch) {
                return good.decode(in, expected, scratch);
            }

            @Override
            public Bytes decodePart(Bytes in, DecodedSize.Exact expected, ByteRange.Slice part, Scratch scratch) {
                return good.decodePart(in, expected, part, scratch).slice(1, part.length() - 1);
            }
        };
        CorruptDataException e = assertThrows(
                CorruptDataException.class,
                () -> Codecs.decode(
                        bind(type, List.of(), List.of(bad)), encoded, Box.of(new long[] {0, 0, 0}, new long[] {1, 2, 3
                        })));
        assertTrue(e.getMessage().contains("bad decoded: expected exactly"), e.getMessage());
    }
}
