package dev.shardkit.maintenance.check;

import dev.shardkit.maintenance.Part;
import dev.shardkit.maintenance.check.Finding.Kind;
import dev.shardkit.maintenance.check.Finding.Severity;
import dev.shardkit.maintenance.check.PlanOutcomes.Done;
import dev.shardkit.maintenance.check.PlanOutcomes.Failed;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Partitioned;
import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.codec.Partitioned.Opened;
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
     * A part with bytes: an object or an inner chunk.
     *
     * @param at its offset in the stored object, if it is stored there unencoded
     */
    private record Part(ChunkCodec codec, Source source, Level level, OptionalLong at) {
        Optional<Extent> extent(Extent relative) {
            return at.isPresent()
                    ? Optional.of(new Extent(at.getAsLong() + relative.offset(), relative.size()))
                    : Optional.empty();
        }

        Optional<Extent> extent() {
            return source.size().isPresent()
                    ? extent(new Extent(0, source.size().getAsLong()))
                    : Optional.empty();
        }
    }

    /** The kind of a part. */
    private enum Level {
        OBJECT,
        INNER_CHUNK
    }

    /** Checks the stored bytes of a chunk. */
    Plan<CheckResult> of(ChunkCodec codec, Source source) {
        return of(new Part(codec, source, Level.OBJECT, OptionalLong.of(0)));
    }

    /** Checks a stored shard as {@code shard} reads it. */
    Plan<CheckResult> of(ChunkCodec codec, Partitioned shard, Source source) {
        return shard(new Part(codec, source, Level.OBJECT, OptionalLong.of(0)), shard);
    }

    private Plan<CheckResult> of(Part part) {
        Optional<Partitioned> shard = part.codec().partitioned();
        return shard.isPresent() ? shard(part, shard.get()) : chunk(part);
    }

    private Plan<CheckResult> chunk(Part part) {
        return PlanOutcomes.of(() -> size(part)).map(tried -> {
            if (tried instanceof Failed<OptionalLong> failed) {
                return count(part, 0).add(wrong(part, failed.failure(), Kind.CHUNK));
            }
            OptionalLong size = ((Done<OptionalLong>) tried).value();
            CheckResult tally = size.isPresent() ? count(part, size.getAsLong()) : CheckResult.none();
            OptionalLong exact = part.codec().encodedSize();
            if (size.isPresent() && exact.isPresent() && size.getAsLong() != exact.getAsLong()) {
                tally.add(finding(
                        Severity.ERROR,
                        Kind.CHUNK,
                        part,
                        part.extent(),
                        exact.getAsLong() + " bytes",
                        size.getAsLong() + " bytes"));
            }
            return tally;
        });
    }

    private static CheckResult count(Part part, long size) {
        return part.level() == Level.OBJECT ? CheckResult.chunk(size) : CheckResult.innerChunk();
    }

    /** Returns the size of a chunk, and decodes it if requested; empty if it does not exist. */
    private Plan<OptionalLong> size(Part part) {
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

    private Plan<CheckResult> shard(Part part, Partitioned codec) {
        return PlanOutcomes.of(() -> codec.open(part.source())).then(tried -> {
            if (tried instanceof Failed<Optional<Opened>> failed) {
                return broken(part, codec, failed.failure());
            }
            Optional<Opened> opened = ((Done<Optional<Opened>>) tried).value();
            return opened.isPresent() ? inside(part, codec, opened.get()) : Plan.done(CheckResult.none());
        });
    }

    private static Plan<OptionalLong> lastValidEnd(Partitioned codec, Source shard) {
        return codec.rewriting().map(r -> r.lastValidEnd(shard)).orElseGet(() -> Plan.done(OptionalLong.empty()));
    }

    /** Reports a shard whose index cannot be read. */
    private Plan<CheckResult> broken(Part part, Partitioned codec, ZarrException failure) {
        Plan<OptionalLong> size =
                part.source().size().isPresent() ? Plan.done(part.source().size()) : storedSize(part.source());
        return size.then(bytes -> PlanOutcomes.of(() -> lastValidEnd(codec, part.source()))
                .map(end -> {
                    CheckResult tally = part.level() == Level.OBJECT
                            ? CheckResult.shard(bytes.orElse(0))
                            : CheckResult.innerShard();
                    Optional<Extent> all = part.extent(new Extent(0, bytes.orElse(0)));
                    tally.add(finding(failure, Kind.INDEX, part, all, "a valid shard index"));
                    OptionalLong valid = end instanceof Done<OptionalLong> done ? done.value() : OptionalLong.empty();
                    if (valid.isPresent()) {
                        long torn = bytes.orElse(0) - valid.getAsLong();
                        tally.add(finding(
                                Severity.NOTE,
                                Kind.LAST_INDEX,
                                part,
                                part.extent(new Extent(valid.getAsLong(), torn)),
                                "nothing after the last valid index, which ends at byte " + valid.getAsLong(),
                                torn + " bytes"));
                    }
                    return tally;
                }));
    }

    private Plan<CheckResult> inside(Part part, Partitioned codec, Opened opened) {
        return IndexEntryCheck.of(codec, opened).then(extents -> inside(part, codec, opened, extents));
    }

    private Plan<CheckResult> inside(Part part, Partitioned codec, Opened opened, IndexEntryCheck extents) {
        boolean asStored = opened.bytes() == part.source();
        Part shard = new Part(part.codec(), opened.bytes(), part.level(), asStored ? part.at() : OptionalLong.empty());
        CheckResult tally = layout(shard, codec, extents, opened);
        List<IndexEntryCheck.Entry> entries = extents.entries();
        return entries.isEmpty()
                ? Plan.done(tally)
                : new Plan.Join<CheckResult, CheckResult>(
                        entries.size(),
                        i -> {
                            IndexEntryCheck.Entry entry = entries.get((int) i);
                            return of(inner(shard, codec, entry));
                        },
                        () -> new JoinCollector<>() {
                            private final CheckResult sum = CheckResult.none();

                            @Override
                            public void accept(long index, CheckResult inner) {
                                sum.add(inner);
                            }

                            @Override
                            public Plan<CheckResult> finish() {
                                sum.add(tally);
                                return Plan.done(sum);
                            }
                        });
    }

    private static Part inner(Part shard, Partitioned codec, IndexEntryCheck.Entry entry) {
        long[] cell = Shapes.unravel(entry.number(), codec.cells());
        Source source = shard.source().inner(cell, entry.offset(), entry.end() - entry.offset());
        OptionalLong at = shard.at().isPresent()
                ? OptionalLong.of(shard.at().getAsLong() + entry.offset())
                : OptionalLong.empty();
        return new Part(codec.inner(), source, Level.INNER_CHUNK, at);
    }

    /** Reports invalid positions of inner chunks. */
    private CheckResult layout(Part shard, Partitioned codec, IndexEntryCheck extents, Opened opened) {
        CheckResult tally = shard.level() == Level.OBJECT
                ? CheckResult.shard(opened.index().shardSize())
                : CheckResult.innerShard();
        for (IndexEntryCheck.Fault fault : extents.faults()) {
            long[] cell = Shapes.unravel(fault.number(), codec.cells());
            tally.add(new Finding(
                    Severity.ERROR,
                    Kind.ENTRY,
                    array,
                    Optional.of(shard.source().location().inner(cell)),
                    shard.extent(opened.index().index()),
                    fault.expected(),
                    fault.found()));
        }
        for (IndexEntryCheck.Overlap overlap : extents.overlaps()) {
            Part inner = inner(shard, codec, overlap.entry());
            tally.add(finding(
                    Severity.NOTE,
                    Kind.OVERLAP,
                    inner,
                    shard.extent(overlap.common()),
                    "bytes that no other inner chunk has",
                    overlap.common().size() + " bytes that inner chunk "
                            + Arrays.toString(Shapes.unravel(overlap.other().number(), codec.cells())) + " has too"));
        }
        for (IndexEntryCheck.Unused unused : extents.unused()) {
            tally.add(finding(
                    Severity.NOTE,
                    unused.kind(),
                    shard,
                    shard.extent(unused.bytes()),
                    where(unused.kind()),
                    unused.bytes().size() + " bytes that no entry names"));
        }
        tally.unused(extents.unusedBytes());
        return tally;
    }

    private static String where(Kind kind) {
        return kind == Kind.GAP
                ? "no gap between inner chunks"
                : kind == Kind.LEADING_BYTES
                        ? "nothing before the first inner chunk"
                        : "nothing after the last inner chunk";
    }

    private Finding finding(
            Severity severity, Kind kind, Part part, Optional<Extent> bytes, String expected, String found) {
        return new Finding(severity, kind, array, Optional.of(part.source().location()), bytes, expected, found);
    }

    private Finding wrong(Part part, ZarrException failure, Kind kind) {
        return finding(failure, kind, part, part.extent(), "a chunk that decodes");
    }

    private Finding finding(ZarrException failure, Kind kind, Part part, Optional<Extent> bytes, String expected) {
        Kind exact = failure instanceof UnsupportedException
                ? Kind.UNSUPPORTED
                : failure instanceof ChecksumException && kind == Kind.CHUNK ? Kind.CHECKSUM : kind;
        return new Finding(
                Severity.ERROR,
                exact,
                array,
                Optional.of(PlanOutcomes.place(failure, part.source().location())),
                bytes,
                expected,
                failure.fact());
    }
}
