package dev.shardkit.testkit.extension;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.testkit.SampleChunks;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Contracts are worth nothing unless a plug-in that breaks them fails. */
@Tag("one-jdk")
class ContractsFailTest {
    private static void fails(String saying, Executable test) {
        AssertionError e = assertThrows(AssertionError.class, test, saying);
        assertTrue(e.getMessage().contains(saying), e.getMessage());
    }

    /** Adds one to every byte and says what it likes; each flaw is one thing done wrong. */
    private enum Flaw {
        NONE,
        SHARES_INPUT,
        CHANGES_INPUT,
        IGNORES_SIZE,
        WRONG_ENCODED_SIZE,
        THROWS_ITS_OWN,
        KEEPS_STATE,
        FIRST_PIECE_ONLY
    }

    private static final class Plus implements BytesToBytesCodec {
        private final Flaw flaw;
        private final byte[] shared = new byte[1 << 20];

        Plus(Flaw flaw) {
            this.flaw = flaw;
        }

        @Override
        public String name() {
            return "plus";
        }

        @Override
        public Json.Obj configuration() {
            return Json.object();
        }

        private Bytes add(Bytes in, int n) {
            byte[] out = flaw == Flaw.KEEPS_STATE ? shared : new byte[(int) in.size()];
            byte[] bytes = flaw == Flaw.FIRST_PIECE_ONLY && in.size() > 0
                    ? in.pieces().get(0).array()
                    : in.toArray();
            for (int i = 0; i < in.size(); i++) {
                out[i] = (byte) (bytes[i] + n);
            }
            if (flaw == Flaw.CHANGES_INPUT && in.size() > 0) {
                in.buffer().put(0, (byte) 99);
            }
            return Bytes.of(out, 0, (int) in.size());
        }

        @Override
        public Bytes encode(Bytes decoded, Scratch scratch) {
            return flaw == Flaw.SHARES_INPUT ? decoded : add(decoded, 1);
        }

        @Override
        public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
            if (flaw == Flaw.THROWS_ITS_OWN && encoded.size() != expected.maxBytes()) {
                throw new IllegalStateException("not mine");
            }
            if (flaw != Flaw.IGNORES_SIZE) {
                expected.check(encoded.size(), "plus decoded");
            }
            return flaw == Flaw.SHARES_INPUT ? encoded : add(encoded, -1);
        }

        @Override
        public OptionalLong encodedSize(long decodedSize) {
            return OptionalLong.of(flaw == Flaw.WRONG_ENCODED_SIZE ? decodedSize + 1 : decodedSize);
        }
    }

    private static BytesToBytesCodecContract contract(Flaw flaw) {
        return new BytesToBytesCodecContract() {
            @Override
            protected BytesToBytesCodec codec() {
                return new Plus(flaw);
            }
        };
    }

    @Test
    void bytesToBytes_withoutFlaw_passes() throws InterruptedException {
        BytesToBytesCodecContract c = contract(Flaw.NONE);
        c.decode_ofEncoded_isTheSame();
        c.decode_otherSizeExpected_isRefused();
        c.encodedSizes_areKept();
        c.borrowedInput_staysAsItIs();
        c.encode_result_isMemoryOfItsOwn();
        c.decode_again_leavesEarlierResults();
        c.piecesAndSlices_areTakenLikeAnyOther();
        c.decode_truncated_isRefusedOrOfTheRightSize();
        c.decode_turnedBits_isRefusedOrOfTheRightSize();
        c.oneInstance_servesThreadsAtOnce();
        c.open_givesTheDecodedBytes();
    }

    @Test
    void bytesToBytes_withAFlaw_fails() {
        fails("an encoding changed", contract(Flaw.SHARES_INPUT)::encode_result_isMemoryOfItsOwn);
        fails("encode changed its input", contract(Flaw.CHANGES_INPUT)::borrowedInput_staysAsItIs);
        fails("expecting exactly", contract(Flaw.IGNORES_SIZE)::decode_otherSizeExpected_isRefused);
        fails("decoded size", contract(Flaw.IGNORES_SIZE)::decode_truncated_isRefusedOrOfTheRightSize);
        fails("encodedSize", contract(Flaw.WRONG_ENCODED_SIZE)::encodedSizes_areKept);
        BytesToBytesCodecContract throwing = contract(Flaw.THROWS_ITS_OWN);
        fails("found java.lang.IllegalStateException", throwing::decode_truncated_isRefusedOrOfTheRightSize);
        fails("borrowed bytes changed", contract(Flaw.KEEPS_STATE)::decode_again_leavesEarlierResults);
        assertThrows(Throwable.class, contract(Flaw.FIRST_PIECE_ONLY)::piecesAndSlices_areTakenLikeAnyOther);
    }

    /** A plain codec around which one thing goes wrong. */
    private record Bad(ChunkCodec good, String flaw) implements ChunkCodec {
        @Override
        public ChunkType type() {
            return good.type();
        }

        @Override
        public OptionalLong encodedSize() {
            return good.encodedSize();
        }

        @Override
        public long maxEncodedSize() {
            return good.maxEncodedSize();
        }

        @Override
        public Optional<Bytes> encode(Feed chunk, ShardWritePolicy policy, Scratch scratch) {
            ShardWritePolicy.EmptyChunks empty =
                    flaw.equals("never empty") ? ShardWritePolicy.EmptyChunks.KEEP : policy.emptyChunks();
            return good.encode(chunk, policy.withEmptyChunks(empty), scratch);
        }

        @Override
        public void decode(Bytes encoded, Box part, Target out, Scratch scratch) {
            switch (flaw) {
                case "always the whole" -> good.decode(encoded, type().box(), out, scratch);
                case "leaves gaps" -> good.decode(encoded, part, new SkipsFirst(out), scratch);
                case "ignores the part" -> good.decode(encoded, Box.of(part.shape()), out, scratch);
                default -> good.decode(encoded, part, out, scratch);
            }
        }
    }

    private record SkipsFirst(Target out) implements Target {
        @Override
        public void put(Elements from, long offset, long[] strides, Box at) {
            if (at.rank() > 0 && at.shape(0) > 1) {
                long[] shape = at.shape();
                shape[0]--;
                out.put(from, offset, strides, Box.of(at.origin(), shape));
            } else {
                out.put(from, offset, strides, at);
            }
        }

        @Override
        public void fill(FillValue value, Box at) {
            out.fill(value, at);
        }
    }

    private static ArrayToBytesCodecContract chunks(String flaw) {
        ArrayToBytesCodec codec = new ArrayToBytesCodec() {
            @Override
            public String name() {
                return "bad";
            }

            @Override
            public Json.Obj configuration() {
                return Json.object();
            }

            @Override
            public ChunkCodec bind(ChunkType type, Limits limits) {
                return new Bad(new PlainCodec().bind(type, limits), flaw);
            }
        };
        return new ArrayToBytesCodecContract() {
            @Override
            protected List<ChunkCase<ArrayToBytesCodec>> cases() {
                return List.of(new ChunkCase<>(codec, SampleChunks.fixedTypes().get(0)));
            }
        };
    }

    @Test
    void arrayToBytes_withAFlaw_fails() {
        fails("was not dropped", chunks("never empty")::fillValuesOnly_areDroppedOrKept);
        fails("an object exists unless", chunks("never empty")::update_isAnOverwrite);
        fails("a write outside the target", chunks("always the whole")::decode_part_isThatOfTheWhole);
        fails("was never written", chunks("leaves gaps")::decode_ofEncoded_isTheSame);
        fails("expected 0x", chunks("ignores the part")::decode_part_isThatOfTheWhole);
        fails("expected 0x", chunks("ignores the part")::decodeInto_part_isThatOfTheWhole);
    }

    @Test
    void factory_thatIsNotRegistered_fails() {
        CodecFactoryContract contract = new CodecFactoryContract() {
            @Override
            protected CodecFactory factory() {
                return new Unregistered();
            }

            @Override
            protected List<Json.Obj> legal() {
                return List.of(Json.object());
            }

            @Override
            protected List<Json.Obj> illegal() {
                return List.of(Json.object());
            }
        };
        fails("META-INF/services/dev.shardkit.spi.CodecFactory", contract::serviceLoader_findsIt);
        fails("neither a name", contract::names_areLegal);
        fails("name of the codec", contract::configuration_makesTheSameCodecAgain);
        fails("taken: {}", contract::illegalConfigurations_areRefusedAsMetadata);
    }

    private static final class Unregistered implements CodecFactory {
        @Override
        public String name() {
            return "Plus Plus";
        }

        @Override
        public Codec create(Config config) {
            return new Plus(Flaw.NONE);
        }
    }
}
