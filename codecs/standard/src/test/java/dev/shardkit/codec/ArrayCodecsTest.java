package dev.shardkit.codec;

import static dev.shardkit.codec.RandomTrials.bytes;
import static dev.shardkit.codec.RandomTrials.part;
import static dev.shardkit.codec.RandomTrials.shape;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.testkit.internal.Rounds;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code bytes}, {@code transpose} and the {@code vlen} codecs on random arrays and parts. */
class ArrayCodecsTest {
    private static final ShardWritePolicy KEEP =
            ShardWritePolicy.defaults().withEmptyChunks(ShardWritePolicy.EmptyChunks.KEEP);

    private static final List<DataType> SIZED = Stream.concat(
                    CoreTypes.all().stream().filter(t -> t.elementSize().isPresent() && !t.equals(CoreTypes.BOOL)),
                    Stream.of(8, 16, 24, 64).map(CoreTypes::rawBits))
            .toList();

    private static <T> T any(Random random, List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private static List<Codec> transposes(Random random, int rank) {
        List<Codec> codecs = new ArrayList<>();
        for (int n = random.nextInt(3); n > 0; n--) {
            List<Long> order = new ArrayList<>();
            for (long d = 0; d < rank; d++) {
                order.add(d);
            }
            Collections.shuffle(order, random);
            codecs.add(
                    Codecs.transpose(order.stream().mapToLong(Long::longValue).toArray()));
        }
        return codecs;
    }

    private static ChunkCodec bind(ChunkType type, List<Codec> before, Codec last) {
        return Codecs.bind(type, Stream.concat(before.stream(), Stream.of(last)).toArray(Codec[]::new));
    }

    private static Codec vlen(ChunkType type) {
        return Codecs.make(type.dataType().equals(CoreTypes.STRING) ? "vlen-utf8" : "vlen-bytes", Json.object());
    }

    private static byte[] encode(ChunkCodec codec, DenseChunk chunk) {
        try (Scratch scratch = new Scratch()) {
            return codec.encode(chunk.feed(), KEEP, scratch).orElseThrow().toArray();
        }
    }

    /** The elements of a box in C order, cut out one by one. */
    private static byte[] cut(byte[] bytes, int size, long[] shape, Box box) {
        ByteArrayOutputStream cut = new ByteArrayOutputStream();
        for (long i = 0; !box.isEmpty() && i < box.count(); i++) {
            cut.write(bytes, (int) Shapes.ravel(box.at(i), shape) * size, size);
        }
        return cut.toByteArray();
    }

    private static byte[][] values(DenseChunk chunk) {
        return ((Elements.Variable) chunk.elements()).values();
    }

    @Test
    void bytesInEitherOrder_behindAnyTransposes_giveBackAnyPart() {
        RandomTrials.run(500, random -> {
            DataType type = any(random, SIZED);
            long[] shape = shape(random);
            int size = type.elementSize().orElseThrow();
            byte[] bytes = bytes(random, (int) Shapes.count(shape) * size);
            DenseChunk chunk = Codecs.chunk(Codecs.type(type, shape), bytes);
            ChunkCodec codec = bind(
                    Codecs.type(type, shape),
                    transposes(random, shape.length),
                    Codecs.bytes(random.nextBoolean() ? "big" : "little"));
            byte[] encoded = encode(codec, chunk);
            assertEquals(codec.encodedSize().orElseThrow(), encoded.length);
            Box part = part(random, shape);
            assertArrayEquals(cut(bytes, size, shape, part), Codecs.content(Codecs.decode(codec, encoded, part)));
        });
    }

    @Test
    void byteOrders_areEachOthersReverse_wordByWord() {
        RandomTrials.run(300, random -> {
            ChunkType type = Codecs.type(any(random, SIZED), 5);
            int word = type.dataType().carrier().wordSize();
            byte[] bytes = bytes(random, 5 * type.dataType().elementSize().orElseThrow());
            DenseChunk chunk = Codecs.chunk(type, bytes);
            assertArrayEquals(bytes, encode(Codecs.bind(type, Codecs.bytes("little")), chunk));
            byte[] reversed = encode(Codecs.bind(type, Codecs.bytes("big")), chunk);
            for (int i = 0; i < bytes.length; i++) {
                assertEquals(bytes[i], reversed[i / word * word + word - 1 - i % word]);
            }
        });
    }

    @Test
    void valuesOfVaryingSize_behindAnyTransposes_giveBackAnyPart() {
        RandomTrials.run(400, random -> {
            long[] shape = shape(random);
            byte[][] values = new byte[(int) Shapes.count(shape)][];
            Arrays.setAll(values, i -> bytes(random, random.nextInt(4)));
            ChunkType type = Codecs.type(CoreTypes.BYTES, shape);
            ChunkCodec codec = bind(type, transposes(random, shape.length), vlen(type));
            byte[] encoded = encode(codec, DenseChunk.of(type, new Elements.Variable(values)));
            Box part = part(random, shape);
            List<byte[]> expected = new ArrayList<>();
            for (long i = 0; !part.isEmpty() && i < part.count(); i++) {
                expected.add(values[(int) Shapes.ravel(part.at(i), shape)]);
            }
            assertArrayEquals(expected.toArray(byte[][]::new), values(Codecs.decode(codec, encoded, part)));
        });
    }

    private static byte[] damaged(byte[] good, Random random) {
        int end = random.nextInt(good.length);
        return switch (random.nextInt(3)) {
            case 0 -> Arrays.copyOf(good, end);
            case 1 -> {
                byte[] more = bytes(random, random.nextInt(1, 5));
                yield ByteBuffer.allocate(good.length + more.length)
                        .put(good)
                        .put(more)
                        .array();
            }
            default -> {
                byte[] changed = good.clone();
                changed[end] = (byte) random.nextInt();
                yield changed;
            }
        };
    }

    @Test
    void aDamagedVlenEncoding_isCorruptOrAnotherValue_andNeverAnythingElse() {
        ChunkType type = Codecs.type(CoreTypes.STRING, 4);
        ChunkCodec codec = Codecs.bind(type, vlen(type));
        String text = "\u00fc\ud83d\ude00a\u0000";
        AtomicInteger refused = new AtomicInteger();
        RandomTrials.run(1_500, random -> {
            byte[][] texts = new byte[4][];
            Arrays.setAll(texts, i -> text.substring(0, random.nextInt(text.length() + 1))
                    .getBytes(StandardCharsets.UTF_8));
            byte[] bad = damaged(encode(codec, DenseChunk.of(type, new Elements.Variable(texts))), random);
            try {
                byte[][] found = values(Codecs.decode(codec, bad, type.box()));
                // What was accepted must be what is there, byte for byte.
                assertArrayEquals(bad, encode(codec, DenseChunk.of(type, new Elements.Variable(found))));
                for (byte[] value : found) {
                    assertTrue(isUtf8(value), Arrays.toString(value));
                }
            } catch (CorruptDataException e) {
                refused.incrementAndGet();
            }
        });
        assertTrue(refused.get() > Rounds.of(900), refused + " were refused");
    }

    private static boolean isUtf8(byte[] value) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    @Test
    void anyBytes_areDecodedOrCorrupt() {
        List<DataType> types = new ArrayList<>(SIZED);
        types.addAll(List.of(CoreTypes.BOOL, CoreTypes.STRING, CoreTypes.BYTES));
        RandomTrials.run(600, random -> {
            ChunkType type = Codecs.type(any(random, types), shape(random));
            ChunkCodec codec =
                    Codecs.bind(type, type.dataType().elementSize().isPresent() ? Codecs.bytes("little") : vlen(type));
            int size = random.nextBoolean() ? (int) codec.encodedSize().orElse(8) : random.nextInt(40);
            byte[] noise = bytes(random, size);
            try (Scratch scratch = new Scratch()) {
                codec.decode(
                        Bytes.of(noise), type.box(), DenseChunk.filled(type).target(), scratch);
            } catch (CorruptDataException e) {
                assertTrue(e.fact().contains("expected"), e.getMessage());
            }
        });
    }
}
