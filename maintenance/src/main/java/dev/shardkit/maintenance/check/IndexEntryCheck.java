package dev.shardkit.maintenance.check;

import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.codec.ShardAccess.Layout;
import dev.shardkit.spi.codec.ShardAccess.Opened;
import dev.shardkit.spi.codec.ShardRewriting;
import dev.shardkit.spi.plan.Plan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Checks the entries of one shard index, each alone and against the others. Finds invalid entries, entries that
 * overlap, and unused bytes. Unused bytes before the first and after the last inner chunk (a header and a footer of
 * another program) differ from gaps between inner chunks. Used once.
 */
final class IndexEntryCheck {
    /** A valid entry: inner chunk {@code number} has bytes {@code offset} to {@code end}. */
    record Entry(long number, long offset, long end) {
        /** Returns the byte range. */
        Extent extent() {
            return new Extent(offset, end - offset);
        }
    }

    /** A fault in the entry of inner chunk {@code number}. */
    record Fault(long number, String expected, String found) {}

    /** Bytes that {@code entry} shares with {@code other}. */
    record Overlap(Entry entry, Entry other, Extent common) {}

    /** Bytes that no entry covers. */
    record Unused(Finding.Kind kind, Extent bytes) {}

    private final Layout layout;
    private final List<Entry> entries = new ArrayList<>();
    private final List<Fault> faults = new ArrayList<>();
    private final List<Overlap> overlaps = new ArrayList<>();
    private final List<Unused> unused = new ArrayList<>();

    private IndexEntryCheck(Layout layout) {
        this.layout = layout;
    }

    /** Checks all entries. */
    static IndexEntryCheck of(Layout layout) {
        IndexEntryCheck check = new IndexEntryCheck(layout);
        check.collectEntries();
        check.findGapsAndOverlaps();
        return check;
    }

    /**
     * Checks the entries of a shard that was opened. A header and a footer that shardkit has written do not count as
     * unused bytes. They are read only if there are bytes before the first or after the last inner chunk.
     */
    static Plan<IndexEntryCheck> of(ShardAccess codec, Opened opened) {
        IndexEntryCheck check = of(opened.index());
        boolean hasOnlyGaps = check.unused.stream().allMatch(unused -> unused.kind() == Finding.Kind.GAP);
        if (hasOnlyGaps || codec.rewriting().isEmpty()) {
            return Plan.done(check);
        }
        ShardRewriting shard = codec.rewriting().get();
        return FailuresAsValues.of(() -> shard.margins(opened.bytes())).map(outcome -> {
            if (outcome instanceof FailuresAsValues.Done<Optional<ShardRewriting.Margins>> done) {
                done.value().ifPresent(margins -> margins.kept().forEach(check::exclude));
            }
            return check; // if the margins cannot be read, all bytes that no entry covers count as unused
        });
    }

    /** Removes a byte range from the unused bytes. */
    private void exclude(Extent margin) {
        long from = margin.offset();
        long to = from + margin.size();
        List<Unused> all = List.copyOf(unused);
        unused.clear();
        for (Unused part : all) {
            long end = part.bytes().offset() + part.bytes().size();
            addUnused(part.kind(), part.bytes().offset(), Math.min(end, from));
            addUnused(part.kind(), Math.max(part.bytes().offset(), to), end);
        }
    }

    /** Returns the valid entries, by offset. */
    List<Entry> entries() {
        return entries;
    }

    /** Returns the invalid entries. */
    List<Fault> faults() {
        return faults;
    }

    /** Returns the overlaps. They are legal, but no known writer produces them. */
    List<Overlap> overlaps() {
        return overlaps;
    }

    /** Returns the unused bytes, by offset. */
    List<Unused> unused() {
        return unused;
    }

    /** Returns the number of unused bytes. */
    long unusedBytes() {
        return unused.stream().mapToLong(u -> u.bytes().size()).sum();
    }

    private void collectEntries() {
        for (long i = 0; i < layout.count(); i++) {
            Optional<Extent> extent = layout.extent(i);
            if (extent.isEmpty()) {
                continue;
            }
            long offset = extent.get().offset();
            long size = extent.get().size();
            Optional<String> expected = expected(offset, size);
            if (expected.isPresent()) {
                faults.add(new Fault(
                        i,
                        expected.get(),
                        "offset " + Long.toUnsignedString(offset) + ", nbytes " + Long.toUnsignedString(size)));
            } else {
                entries.add(new Entry(i, offset, offset + size));
            }
        }
        entries.sort(Comparator.comparingLong(Entry::offset)
                .thenComparing(Entry::end)
                .thenComparing(Entry::number));
    }

    /** Returns what is expected of an entry that is invalid; empty if it is valid. */
    private Optional<String> expected(long offset, long size) {
        Extent index = layout.index();
        if (offset == -1 || size == -1) { // 2^64-1 as a long; an entry with both marks an absent inner chunk
            return Optional.of("an index entry with both numbers or none 2^64-1");
        } else if (offset < 0 || size < 0 || offset > layout.shardSize() - size) {
            return Optional.of("an index entry within the shard's " + layout.shardSize() + " bytes");
        } else if (size > 0 && offset < index.offset() + index.size() && index.offset() < offset + size) {
            return Optional.of("an index entry outside the index, which has bytes " + index.offset() + " to "
                    + (index.offset() + index.size()));
        }
        return Optional.empty();
    }

    private void findGapsAndOverlaps() {
        Extent index = layout.index();
        long end = index.offset() == 0 ? index.size() : 0; // the end of the bytes that are covered so far
        Optional<Entry> last = Optional.empty();
        for (Entry entry : entries) {
            long offset = entry.offset();
            if (offset == entry.end()) {
                continue;
            }
            if (offset > end) {
                addUnused(last.isEmpty() ? Finding.Kind.LEADING_BYTES : Finding.Kind.GAP, end, offset);
            } else if (offset < end && last.isPresent()) {
                overlaps.add(new Overlap(entry, last.get(), new Extent(offset, Math.min(entry.end(), end) - offset)));
            }
            if (entry.end() > end) {
                end = entry.end();
                last = Optional.of(entry);
            }
        }
        long limit = index.offset() == 0 && index.size() > 0 ? layout.shardSize() : index.offset();
        addUnused(Finding.Kind.TRAILING_BYTES, end, Math.max(end, limit));
    }

    private void addUnused(Finding.Kind kind, long from, long to) {
        if (to > from) {
            unused.add(new Unused(kind, new Extent(from, to - from)));
        }
    }
}
