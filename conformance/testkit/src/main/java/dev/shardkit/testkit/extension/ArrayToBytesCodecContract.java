package dev.shardkit.testkit.extension;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.testkit.SampleChunks;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The contract of array-to-bytes codecs as tests: with whole chunks and parts, from memory and by plans, with
 * overwritten and absent chunks. To test a codec, extend this class and supply cases; {@link SampleChunks#fixedTypes}
 * and {@link SampleChunks#variableTypes} return chunk types for them. {@link CodecFactoryContract} tests the factory.
 */
public abstract class ArrayToBytesCodecContract {
    /** For subclasses. */
    protected ArrayToBytesCodecContract() {}

    /** Returns codecs, each with a chunk type. */
    protected abstract List<ChunkCase<ArrayToBytesCodec>> cases();

    /** Returns a sample chunk; by default random bits that the carrier allows. */
    protected DenseChunk sample(ChunkType type) {
        return SampleChunks.random(type, 11);
    }

    /** A check of a codec. */
    private interface Check {
        void run(ChunkChecks checks) throws InterruptedException;
    }

    /** Runs a check on each case. */
    private void each(Check check) throws InterruptedException {
        for (ChunkCase<ArrayToBytesCodec> c : cases()) {
            check.run(checks(c));
        }
    }

    private ChunkChecks checks(ChunkCase<ArrayToBytesCodec> c) {
        return new ChunkChecks(c.codec().bind(c.type(), Limits.defaults()), sample(c.type()), c.toString());
    }

    @Test
    void decode_ofEncoded_isTheSame() throws InterruptedException {
        each(ChunkChecks::roundTrip);
    }

    @Test
    void encodedSizes_areKept() throws InterruptedException {
        each(ChunkChecks::sizes);
        each(ChunkChecks::readShape);
    }

    @Test
    void encode_result_isMemoryOfItsOwn() throws InterruptedException {
        each(ChunkChecks::encodingIsOwnMemory);
    }

    @Test
    void fillValuesOnly_areDroppedOrKept() throws InterruptedException {
        each(ChunkChecks::fillOnly);
    }

    @Test
    void decode_part_isThatOfTheWhole() throws InterruptedException {
        each(ChunkChecks::parts);
    }

    @Test
    void decodeInto_part_isThatOfTheWhole() throws InterruptedException {
        each(ChunkChecks::partsOfSources);
    }

    @Test
    void update_isAnOverwrite() throws InterruptedException {
        boolean hasShards = cases().stream().anyMatch(c -> c.codec().sharding().isPresent());
        // Only codecs of shards have several strategies of an update.
        List<ShardWritePolicy.Strategy> strategies = hasShards
                ? List.of(ShardWritePolicy.Strategy.values())
                : List.of(ShardWritePolicy.defaults().strategy());
        for (ShardWritePolicy.Strategy strategy : strategies) {
            for (ShardWritePolicy.EmptyChunks empty : ShardWritePolicy.EmptyChunks.values()) {
                each(checks -> checks.updates(
                        ShardWritePolicy.defaults().withStrategy(strategy).withEmptyChunks(empty)));
            }
        }
    }

    @Test
    void decode_damaged_isRefusedOrWritesAll() throws InterruptedException {
        each(ChunkChecks::hostile);
    }

    @Test
    void oneInstance_servesThreadsAtOnce() throws InterruptedException {
        each(ChunkChecks::threads);
    }

    @Test
    void innerChunks_areFoundOneByOne() throws InterruptedException {
        each(ChunkChecks::partitioned);
    }

    @Test
    void codecForAType_encodesTheSame() {
        for (ChunkCase<ArrayToBytesCodec> c : cases()) {
            checks(c).encodesAs(c.codec().forType(c.type()).bind(c.type(), Limits.defaults()));
        }
    }

    @Test
    void sharding_isTheLayoutOfTheBoundCodec() {
        for (ChunkCase<ArrayToBytesCodec> c : cases()) {
            c.codec().sharding().ifPresent(checks(c)::sharding);
        }
    }
}
