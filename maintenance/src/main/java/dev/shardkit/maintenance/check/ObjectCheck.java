package dev.shardkit.maintenance.check;

import dev.shardkit.maintenance.check.FailuresAsValues.Done;
import dev.shardkit.maintenance.check.FailuresAsValues.Failed;
import dev.shardkit.maintenance.check.Finding.Kind;
import dev.shardkit.maintenance.check.Finding.Severity;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.codec.ShardAccess.Opened;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.JoinCollector;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Plans the check of one stored object: its index, nested indexes, and chunks. Runs no plan itself. Immutable and
 * thread-safe.
 *
 * @param array the path of the array
 * @param decoding whether chunks are decoded
 */
record ObjectCheck(String array, ChunkDecoding decoding) {
    /**
     * A stored object or an inner chunk, with its bytes.
     *
     * @param at its offset in the stored object, if it is stored there unencoded
     */
    private record StoredPart(ChunkCodec codec, Source source, PartKind partKind, OptionalLong at) {
        /** Converts a range of this part to one of the stored object. */
        Optional<Extent> extent(Extent relative) {
            return at.isPresent()
                    ? Optional.of(new Extent(at.getAsLong() + relative.offset(), relative.size()))
                    : Optional.empty();
        }

        /** Returns the range of the whole part in the stored object. */
        Optional<Extent> extent() {
            return source.size().isPresent()
                    ? extent(new Extent(0, source.size().getAsLong()))
                    : Optional.empty();
        }
    }

    /** The kind of a stored part. */
    private enum PartKind {
        OBJECT,
        INNER_CHUNK
    }

    /** Checks the stored bytes of a chunk. */
    Plan<CheckResult> of(ChunkCodec codec, Source source) {
        return of(new StoredPart(codec, source, PartKind.OBJECT, OptionalLong.of(0)));
    }

    /** Checks a stored shard through {@code shard} instead of the codec's own access. */
    Plan<CheckResult> of(ChunkCodec codec, ShardAccess shard, Source source) {
        return checkShard(new StoredPart(codec, source, PartKind.OBJECT, OptionalLong.of(0)), shard);
    }

    private Plan<CheckResult> of(StoredPart part) {
        Optional<ShardAccess> shard = part.codec().shardAccess();
        return shard.isPresent() ? checkShard(part, shard.get()) : checkChunk(part);
    }

    private Plan<CheckResult> checkChunk(StoredPart part) {
        return FailuresAsValues.of(() -> size(part)).map(tried -> {
            if (tried instanceof Failed<OptionalLong> failed) {
                return newResult(part, 0).add(decodingFinding(part, failed.failure(), Kind.CHUNK));
            }
            OptionalLong size = ((Done<OptionalLong>) tried).value();
            CheckResult result = size.isPresent() ? newResult(part, size.getAsLong()) : CheckResult.empty();
            OptionalLong exact = part.codec().encodedSize();
            if (size.isPresent() && exact.isPresent() && size.getAsLong() != exact.getAsLong()) {
                result.add(finding(
                        Severity.ERROR,
                        Kind.CHUNK,
                        part,
                        part.extent(),
                        exact.getAsLong() + " bytes",
                        size.getAsLong() + " bytes"));
            }
            return result;
        });
    }

    private static CheckResult newResult(StoredPart part, long size) {
        return part.partKind() == PartKind.OBJECT ? CheckResult.chunk(size) : CheckResult.innerChunk();
    }

    /** Returns the size of a chunk, and decodes it if requested; empty if it does not exist. */
    private Plan<OptionalLong> size(StoredPart part) {
        Source source = part.source();
        if (decoding == ChunkDecoding.NONE) {
            return source.size().isPresent() ? Plan.done(source.size()) : storedSize(source);
        }
        ChunkCodec codec = part.codec();
        return source.read(ByteRange.whole(codec.maxEncodedSize()), (answer, scratch) -> {
            if (!(answer instanceof ReadResult.Found found)) {
                return OptionalLong.empty();
            }
            codec.decode(found.bytes(), codec.type().box(), DiscardingTarget.TARGET, scratch);
            return OptionalLong.of(found.sourceSize());
        });
    }

    private static Plan<OptionalLong> storedSize(Source source) {
        return source.read(
                new ByteRange.Suffix(1),
                (answer, scratch) -> answer instanceof ReadResult.Found found
                        ? OptionalLong.of(found.sourceSize())
                        : OptionalLong.empty());
    }

    private Plan<CheckResult> checkShard(StoredPart part, ShardAccess codec) {
        return FailuresAsValues.of(() -> codec.open(part.source())).then(tried -> {
            if (tried instanceof Failed<Optional<Opened>> failed) {
                return reportUnreadableIndex(part, codec, failed.failure());
            }
            Optional<Opened> opened = ((Done<Optional<Opened>>) tried).value();
            return opened.isPresent() ? checkInnerChunks(part, codec, opened.get()) : Plan.done(CheckResult.empty());
        });
    }

    private static Plan<OptionalLong> lastValidEnd(ShardAccess codec, Source shard) {
        return codec.rewriting().map(r -> r.lastValidEnd(shard)).orElseGet(() -> Plan.done(OptionalLong.empty()));
    }

    /** Reports a shard whose index cannot be read. */
    private Plan<CheckResult> reportUnreadableIndex(StoredPart part, ShardAccess codec, ZarrException failure) {
        Plan<OptionalLong> size =
                part.source().size().isPresent() ? Plan.done(part.source().size()) : storedSize(part.source());
        return size.then(bytes -> FailuresAsValues.of(() -> lastValidEnd(codec, part.source()))
                .map(end -> {
                    CheckResult result = part.partKind() == PartKind.OBJECT
                            ? CheckResult.shard(bytes.orElse(0))
                            : CheckResult.innerShard();
                    Optional<Extent> all = part.extent(new Extent(0, bytes.orElse(0)));
                    result.add(finding(failure, Kind.INDEX, part, all, "a valid shard index"));
                    OptionalLong valid = end instanceof Done<OptionalLong> done ? done.value() : OptionalLong.empty();
                    if (valid.isPresent()) {
                        long bytesAfter = bytes.orElse(0) - valid.getAsLong();
                        result.add(finding(
                                Severity.NOTE,
                                Kind.LAST_INDEX,
                                part,
                                part.extent(new Extent(valid.getAsLong(), bytesAfter)),
                                "nothing after the last valid index, which ends at byte " + valid.getAsLong(),
                                bytesAfter + " bytes"));
                    }
                    return result;
                }));
    }

    private Plan<CheckResult> checkInnerChunks(StoredPart part, ShardAccess codec, Opened opened) {
        return IndexEntryCheck.of(codec, opened).then(entryCheck -> checkInnerChunks(part, codec, opened, entryCheck));
    }

    private Plan<CheckResult> checkInnerChunks(
            StoredPart part, ShardAccess codec, Opened opened, IndexEntryCheck entryCheck) {
        // if another codec encodes the shard, its bytes are decoded ones, and have no offset in the stored object
        boolean isRaw = opened.bytes() == part.source();
        StoredPart shard =
                new StoredPart(part.codec(), opened.bytes(), part.partKind(), isRaw ? part.at() : OptionalLong.empty());
        CheckResult result = checkEntries(shard, codec, entryCheck, opened);
        List<IndexEntryCheck.Entry> entries = entryCheck.entries();
        return entries.isEmpty()
                ? Plan.done(result)
                : new Plan.Join<CheckResult, CheckResult>(
                        entries.size(),
                        i -> {
                            IndexEntryCheck.Entry entry = entries.get((int) i);
                            return of(inner(shard, codec, entry));
                        },
                        () -> new JoinCollector<>() {
                            private final CheckResult sum = CheckResult.empty();

                            @Override
                            public void accept(long index, CheckResult inner) {
                                sum.add(inner);
                            }

                            @Override
                            public Plan<CheckResult> finish() {
                                sum.add(result);
                                return Plan.done(sum);
                            }
                        });
    }

    private static StoredPart inner(StoredPart shard, ShardAccess codec, IndexEntryCheck.Entry entry) {
        long[] cell = Shapes.unravel(entry.number(), codec.gridShape());
        Source source = shard.source().inner(cell, entry.offset(), entry.end() - entry.offset());
        OptionalLong at = shard.at().isPresent()
                ? OptionalLong.of(shard.at().getAsLong() + entry.offset())
                : OptionalLong.empty();
        return new StoredPart(codec.inner(), source, PartKind.INNER_CHUNK, at);
    }

    /** Reports invalid entries, overlaps and unused bytes. */
    private CheckResult checkEntries(StoredPart shard, ShardAccess codec, IndexEntryCheck entryCheck, Opened opened) {
        CheckResult result = shard.partKind() == PartKind.OBJECT
                ? CheckResult.shard(opened.index().shardSize())
                : CheckResult.innerShard();
        for (IndexEntryCheck.Fault fault : entryCheck.faults()) {
            long[] cell = Shapes.unravel(fault.number(), codec.gridShape());
            result.add(new Finding(
                    Severity.ERROR,
                    Kind.ENTRY,
                    array,
                    Optional.of(shard.source().location().inner(cell)),
                    shard.extent(opened.index().index()),
                    fault.expected(),
                    fault.found()));
        }
        for (IndexEntryCheck.Overlap overlap : entryCheck.overlaps()) {
            StoredPart inner = inner(shard, codec, overlap.entry());
            result.add(finding(
                    Severity.NOTE,
                    Kind.OVERLAP,
                    inner,
                    shard.extent(overlap.common()),
                    "bytes that no other inner chunk has",
                    overlap.common().size() + " bytes that inner chunk "
                            + Arrays.toString(Shapes.unravel(overlap.other().number(), codec.gridShape()))
                            + " has too"));
        }
        for (IndexEntryCheck.Unused unused : entryCheck.unused()) {
            result.add(finding(
                    Severity.NOTE,
                    unused.kind(),
                    shard,
                    shard.extent(unused.bytes()),
                    where(unused.kind()),
                    unused.bytes().size() + " bytes that no entry names"));
        }
        result.unused(entryCheck.unusedBytes());
        return result;
    }

    private static String where(Kind kind) {
        return kind == Kind.GAP
                ? "no gap between inner chunks"
                : kind == Kind.LEADING_BYTES
                        ? "nothing before the first inner chunk"
                        : "nothing after the last inner chunk";
    }

    private Finding finding(
            Severity severity, Kind kind, StoredPart part, Optional<Extent> bytes, String expected, String found) {
        return new Finding(severity, kind, array, Optional.of(part.source().location()), bytes, expected, found);
    }

    private Finding decodingFinding(StoredPart part, ZarrException failure, Kind kind) {
        return finding(failure, kind, part, part.extent(), "a chunk that decodes");
    }

    private Finding finding(
            ZarrException failure, Kind kind, StoredPart part, Optional<Extent> bytes, String expected) {
        Kind exact = failure instanceof UnsupportedException
                ? Kind.UNSUPPORTED
                : failure instanceof ChecksumException && kind == Kind.CHUNK ? Kind.CHECKSUM : kind;
        return new Finding(
                Severity.ERROR,
                exact,
                array,
                Optional.of(FailuresAsValues.locationOf(failure, part.source().location())),
                bytes,
                expected,
                failure.fact());
    }
}
