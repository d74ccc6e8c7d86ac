package dev.shardkit.maintenance.check;

import dev.shardkit.maintenance.check.Finding.Kind;
import dev.shardkit.maintenance.check.Finding.Severity;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardAccess.Opened;
import dev.shardkit.spi.codec.ShardRewriting;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which entries of a shard index can be kept although its checksum does not match. Checks each entry by
 * decoding its inner chunk. If two entries share bytes and both inner chunks decode, neither entry is trusted.
 * Immutable.
 *
 * @param soundCount the number of entries to keep
 * @param lostEntries the findings for all other entries, whose inner chunks are lost
 */
record RecoveredIndex(long soundCount, List<Finding> lostEntries) {
    /**
     * Returns a plan that checks the entries. It keeps no entry if the index cannot be read or an error is not confined
     * to an entry.
     *
     * @param shard reads the index without its checksum
     */
    static Plan<RecoveredIndex> of(String array, ChunkCodec codec, ShardAccess shard, Source source) {
        return new ObjectCheck(array, ChunkDecoding.ALL)
                .of(codec, shard, source)
                .then(check -> FailuresAsValues.of(() -> shard.open(source))
                        .map(opened -> opened instanceof FailuresAsValues.Done<Optional<Opened>> done
                                        && done.value().isPresent()
                                ? of(array, check, shard, source, done.value().get())
                                : new RecoveredIndex(0, List.of())));
    }

    private static RecoveredIndex of(String array, CheckResult check, ShardAccess shard, Source source, Opened opened) {
        List<Finding> lostEntries = new ArrayList<>();
        Set<Long> lost = new HashSet<>();
        for (Finding finding : check.findings()) {
            if (finding.severity() != Severity.ERROR) {
                continue;
            } else if (finding.innerChunks().isEmpty()
                    || finding.kind() == Kind.MORE
                    || finding.kind() == Kind.UNSUPPORTED) {
                return new RecoveredIndex(0, List.of());
            }
            lostEntries.add(finding);
            if (finding.innerChunks().size() == 1) {
                lost.add(Shapes.ravel(finding.innerChunks().get(0), shard.gridShape()));
            }
        }
        IndexEntryCheck entryCheck = IndexEntryCheck.of(opened.index());
        Set<Long> doubtful = new HashSet<>();
        for (IndexEntryCheck.Overlap overlap : entryCheck.overlaps()) {
            long one = overlap.entry().number();
            long other = overlap.other().number();
            if (!lost.contains(one) && !lost.contains(other)) {
                doubtful.add(one);
                doubtful.add(other);
            }
        }
        for (long number : doubtful) {
            lostEntries.add(new Finding(
                    Severity.ERROR,
                    Kind.ENTRY,
                    array,
                    Optional.of(source.location().inner(Shapes.unravel(number, shard.gridShape()))),
                    Optional.empty(),
                    "bytes that no other entry of the damaged index names",
                    "bytes that another entry names too"));
        }
        lost.addAll(doubtful);
        long sound = entryCheck.entries().stream()
                .filter(entry -> !lost.contains(entry.number()))
                .count();
        return new RecoveredIndex(sound, List.copyOf(lostEntries));
    }

    /** Returns whether all entries can be kept. */
    boolean isSound() {
        return lostEntries.isEmpty();
    }

    /** Returns the inner chunks to keep. */
    ShardRewriting.Kept keptChunks(ShardAccess shard) {
        return lostEntries.isEmpty()
                ? ShardRewriting.Kept.ALL
                : RemovedChunks.of(
                        shard, lostEntries.stream().map(Finding::innerChunks).toList());
    }
}
