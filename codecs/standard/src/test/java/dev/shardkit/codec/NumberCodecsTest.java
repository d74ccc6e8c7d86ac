package dev.shardkit.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.codec.support.StoredNumbers;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.codec.BoundArrayToArrayCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.type.ExtensionTypes;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code cast_value}, {@code packbits} and {@code bitround}, compared with exact arithmetic, on all types of numbers.
 */
class NumberCodecsTest {
    /** All but {@code float8_e8m0fnu}: it has no zero, which most of these arrays have as fill value. */
    private static final List<DataType> NUMBERS = Stream.concat(
                    CoreTypes.all().stream(), ExtensionTypes.plain().stream())
            .filter(t -> t.number().isPresent()
                    && t.elementSize().orElseThrow() == t.carrier().wordSize()
                    && !t.name().equals("float8_e8m0fnu"))
            .toList();

    private static final Map<String, RoundingMode> MODES = Map.of(
            "nearest-even", RoundingMode.HALF_EVEN,
            "towards-zero", RoundingMode.DOWN,
            "towards-positive", RoundingMode.CEILING,
            "towards-negative", RoundingMode.FLOOR,
            "nearest-away", RoundingMode.HALF_UP);

    private static <T> T any(Random random, List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private static NumberFormat format(DataType type) {
        return type.number().orElseThrow();
    }

    private static ByteBuffer words(DenseChunk chunk) {
        return ((Elements.Fixed) chunk.elements()).bytes();
    }

    private static long word(DenseChunk chunk, DataType type, int i) {
        return StoredNumbers.word(words(chunk), type.carrier().wordSize(), i);
    }

    private static DenseChunk chunk(ChunkType type, long... stored) {
        DenseChunk chunk = DenseChunk.filled(type);
        for (int i = 0; i < stored.length; i++) {
            StoredNumbers.setWord(words(chunk), type.dataType().carrier().wordSize(), i, stored[i]);
        }
        return chunk;
    }

    private static ChunkType chunkType(DataType type, int count) {
        return ChunkType.of(type, type.defaultFill(), new long[] {count});
    }

    /** A legal stored word of the type: any bits, or those of a number that is small or at an end. */
    private static long randomWord(Random random, DataType type) {
        if (format(type) instanceof IntegerFormat whole) {
            return switch (random.nextInt(4)) {
                case 0 -> whole.value(random.nextLong());
                case 1 -> whole.value(random.nextLong(-9, 10));
                case 2 -> whole.value(whole.min() + random.nextInt(2));
                default -> whole.value(whole.max() >> random.nextInt(whole.bits()));
            };
        }
        FloatingFormat floating = (FloatingFormat) format(type);
        double small = floating.round(random.nextInt(-1000, 1000) / 4.0);
        return random.nextBoolean() && !Double.isInfinite(small)
                ? floating.bitsOf(small)
                : floating.cut(random.nextLong());
    }

    /** The number that a word is; empty for NaN and infinities. */
    private static Optional<BigDecimal> exact(DataType type, long word) {
        if (format(type) instanceof IntegerFormat whole) {
            return Optional.of(new BigDecimal(whole.text(whole.value(word))));
        }
        double value = ((FloatingFormat) format(type)).value(word);
        return Double.isFinite(value) ? Optional.of(new BigDecimal(value)) : Optional.empty();
    }

    private static BigDecimal powerOfTwo(int n) {
        BigDecimal two = BigDecimal.valueOf(2);
        return n >= 0 ? two.pow(n) : BigDecimal.ONE.divide(two.pow(-n));
    }

    /** Rounds to the bits that the format has, by decimal arithmetic alone. */
    private static BigDecimal round(BigDecimal value, FloatingFormat format, RoundingMode mode) {
        if (value.signum() == 0) {
            return BigDecimal.ZERO;
        }
        int exponent = Math.max(1 - format.bias(), Math.getExponent(value.doubleValue()) - 1);
        while (value.abs().compareTo(powerOfTwo(exponent + 1)) >= 0) {
            exponent++;
        }
        BigDecimal quantum = powerOfTwo(exponent - format.fractionBits());
        return value.divide(quantum).setScale(0, mode).multiply(quantum);
    }

    /**
     * What the specification says of a number: a {@link BigDecimal} or an infinity; empty where it is an error.
     *
     * @param range the value of {@code out_of_range}; empty if there is none
     */
    private static Optional<Number> expected(BigDecimal value, DataType to, RoundingMode mode, String range) {
        if (format(to) instanceof IntegerFormat whole) {
            BigInteger rounded = value.setScale(0, mode).toBigInteger();
            BigInteger min = new BigInteger(whole.text(whole.min()));
            BigInteger max = new BigInteger(whole.text(whole.max()));
            if (rounded.compareTo(min) >= 0 && rounded.compareTo(max) <= 0) {
                return Optional.of(new BigDecimal(rounded));
            }
            BigInteger modulus = BigInteger.ONE.shiftLeft(whole.bits());
            BigInteger low = rounded.mod(modulus);
            return switch (range) {
                case "clamp" -> Optional.of(new BigDecimal(rounded.compareTo(min) < 0 ? min : max));
                case "wrap" -> Optional.of(new BigDecimal(low.compareTo(max) > 0 ? low.subtract(modulus) : low));
                default -> Optional.empty();
            };
        }
        FloatingFormat floating = (FloatingFormat) format(to);
        BigDecimal rounded = round(value, floating, mode);
        if (rounded.abs().compareTo(new BigDecimal(floating.max())) <= 0) {
            return Optional.of(rounded);
        } else if (!range.equals("clamp")) {
            return Optional.empty();
        }
        return floating.hasInfinity()
                ? Optional.of(rounded.signum() * Double.POSITIVE_INFINITY)
                : Optional.of(new BigDecimal(floating.max() * rounded.signum()));
    }

    /** The word that a number is cast to; empty if the codec refuses it. */
    private static Optional<Long> cast(DataType from, DataType to, long stored, String mode, String range) {
        List<Object> members = new ArrayList<>(List.of("data_type", to.name(), "rounding", mode));
        if (!range.isEmpty()) {
            members.addAll(List.of("out_of_range", range));
        }
        ChunkType type = chunkType(from, 1);
        BoundArrayToArrayCodec stage =
                Numbered.codec("cast_value", members.toArray()).bind(type);
        DenseChunk encoded;
        try {
            encoded = stage.encode(chunk(type, stored));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        return Optional.of(word(encoded, to, 0));
    }

    @Test
    void castValue_isWhatExactArithmeticSays_ofAnyTypeToAnyOther() {
        RandomTrials.run(2_000, random -> {
            DataType from = any(random, NUMBERS);
            DataType to = any(random, NUMBERS);
            String mode = any(random, MODES.keySet().stream().sorted().toList());
            String range = any(random, List.of("", "clamp", format(to) instanceof IntegerFormat ? "wrap" : ""));
            long stored = randomWord(random, from);
            Optional<BigDecimal> value = exact(from, stored);
            Optional<Long> found = cast(from, to, stored, mode, range);
            String what = value + " (" + from.name() + ") to " + to.name() + ", " + mode + ", " + range;
            if (value.isEmpty()) {
                double special = ((FloatingFormat) format(from)).value(stored);
                boolean isThere = format(to) instanceof FloatingFormat f
                        && (Double.isNaN(special) ? f.hasNan() : f.hasInfinity());
                assertEquals(
                        isThere ? Optional.of(special) : Optional.empty(),
                        found.map(w -> ((FloatingFormat) format(to)).value(w)),
                        what);
                return;
            }
            Optional<Number> wanted = expected(value.get(), to, MODES.get(mode), range);
            assertEquals(wanted.isPresent(), found.isPresent(), what);
            if (wanted.isEmpty()) {
                return;
            }
            if (wanted.get() instanceof BigDecimal number) {
                assertEquals(0, exact(to, found.get()).orElseThrow().compareTo(number), what);
            } else {
                assertEquals(wanted.get(), ((FloatingFormat) format(to)).value(found.get()), what);
            }
        });
    }

    @Test
    void packedBits_areThoseOfTheWords_lowestFirst() {
        RandomTrials.run(500, random -> {
            DataType type = any(random, NUMBERS);
            int bits = format(type).bits();
            int first = random.nextInt(bits);
            int last = random.nextInt(first, bits);
            ChunkType chunkType = chunkType(type, random.nextInt(1, 40));
            long[] stored = new long[(int) chunkType.count()];
            BitSet packed = new BitSet();
            int width = last - first + 1;
            for (int i = 0; i < stored.length; i++) {
                stored[i] = randomWord(random, type);
                for (int bit = 0; bit < width; bit++) {
                    packed.set(i * width + bit, (stored[i] >>> first + bit & 1) == 1);
                }
            }
            byte[] expected = new byte[(stored.length * width + 7) / 8];
            ByteBuffer.wrap(expected).put(packed.toByteArray());
            ChunkCodec codec = Codecs.bind(chunkType, Numbered.make("packbits", "first_bit", first, "last_bit", last));
            ShardWritePolicy keep = ShardWritePolicy.defaults().withEmptyChunks(ShardWritePolicy.EmptyChunks.KEEP);
            byte[] encoded;
            try (Scratch scratch = new Scratch()) {
                encoded = codec.encode(chunk(chunkType, stored).feed(), keep, scratch)
                        .orElseThrow()
                        .toArray();
            }
            assertArrayEquals(expected, encoded);
            DenseChunk decoded = Codecs.decode(codec, encoded, chunkType.box());
            boolean isSigned = format(type) instanceof IntegerFormat whole && whole.isSigned();
            int size = type.carrier().wordSize();
            for (int i = 0; i < stored.length; i++) {
                long left = stored[i] << 63 - last;
                long kept = (isSigned ? left >> 64 - width : left >>> 64 - width) << first;
                assertEquals(kept & -1L >>> 64 - 8 * size, word(decoded, type, i));
            }
        });
    }

    @Test
    void whatBitroundKeeps_isTheNearestOfSoManyBits() {
        RandomTrials.run(1_000, random -> {
            DataType type = any(random, NUMBERS);
            int keep = random.nextInt(1, 12);
            long stored = randomWord(random, type);
            ChunkType chunkType = chunkType(type, 1);
            BoundArrayToArrayCodec stage =
                    Numbered.codec("bitround", "keepbits", keep).bind(chunkType);
            Optional<BigDecimal> found = exact(type, word(stage.encode(chunk(chunkType, stored)), type, 0));
            Optional<BigDecimal> value = exact(type, stored);
            String what = value + " (" + type.name() + "), " + keep + " bits";
            if (value.isEmpty()) {
                assertEquals(value, found, what);
            } else if (format(type) instanceof FloatingFormat f) {
                FloatingFormat coarse =
                        new FloatingFormat(f.exponentBits(), Math.min(keep, f.fractionBits()), f.bias(), f.specials());
                BigDecimal wanted = round(value.get(), coarse, RoundingMode.HALF_EVEN);
                if (found.isPresent() && wanted.abs().compareTo(new BigDecimal(f.max())) <= 0) {
                    assertEquals(0, found.get().compareTo(wanted), what);
                }
            } else {
                BigInteger result = found.orElseThrow().toBigInteger();
                int lost = value.get().abs().toBigInteger().bitLength() - keep;
                BigInteger error = result.subtract(value.get().toBigInteger()).abs();
                assertTrue(error.bitLength() <= Math.max(0, lost), what + ": " + result);
                int lowest = result.abs().getLowestSetBit();
                assertTrue(lowest < 0 || lowest >= lost, what + ": " + result);
            }
        });
    }
}
