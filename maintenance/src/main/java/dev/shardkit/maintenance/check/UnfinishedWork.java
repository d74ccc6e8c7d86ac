package dev.shardkit.maintenance.check;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.RepairStep;
import dev.shardkit.maintenance.RepairStep.Kind;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.publish.AllOrNothing;
import dev.shardkit.maintenance.publish.DocumentChange;
import dev.shardkit.maintenance.publish.PartMarks;
import dev.shardkit.maintenance.publish.Publication;
import dev.shardkit.maintenance.publish.UnfinishedPlaces;
import dev.shardkit.maintenance.relayout.Replacement;
import dev.shardkit.maintenance.staging.UnfinishedLayout;
import dev.shardkit.session.publication.PublicationRecord;
import dev.shardkit.session.publication.WorkKind;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Writes;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Unfinished work at existing nodes: a change of layout at its array, a replacement at the root of the store, and a
 * pyramid or copy at its group. Verification reports it, and repair ends it. Unfinished work that creates a new node is
 * reported below a group, and when that node is not found ({@link WorkKind#at}). Stateless.
 */
final class UnfinishedWork {
    private UnfinishedWork() {}

    /**
     * Visits unfinished work at and below a group, such as a pyramid or a copy. Finds groups with a record, which
     * readers can open, and folders with a record at which readers find no node: not yet, or, in a move, no more.
     *
     * @param isArray returns whether an array is known to be at a path, which then is not opened
     * @param found receives the path of each place, and a description of the interrupted work with advice
     */
    static void visitGroups(ZarrGroup group, Predicate<String> isArray, BiConsumer<String, String> found) {
        if (group.nodeFormat().isPresent()) {
            return; // only groups of Zarr v3 have records
        }
        SortedSet<String> names;
        try {
            UnfinishedPlaces.describe(group).ifPresent(description -> found.accept(group.path(), description));
            names = group.childNames();
        } catch (MetadataException | StoreException | UnsupportedException e) {
            return; // TreeWalk reports it
        }
        for (String name : names) {
            if (isArray.test(StoreKeys.join(group.path(), name))) {
                continue;
            }
            Optional<ZarrNode> child = Optional.empty();
            try {
                child = group.find(name);
            } catch (ZarrException e) {
                continue; // TreeWalk reports it too
            }
            if (child.isPresent() && child.get() instanceof ZarrGroup below) {
                visitGroups(below, isArray, found);
            }
        }
        UnfinishedPlaces.visitFolders(group, names, found, found);
    }

    /** Returns the finding of a verification for a place that {@link #visitGroups} has found. */
    static Finding finding(String path, String description) {
        return new Finding(
                Finding.Severity.NOTE,
                Finding.Kind.UNFINISHED,
                path,
                Optional.empty(),
                Optional.empty(),
                "no unfinished work",
                description);
    }

    /**
     * Describes unfinished work at an array, also a move to it that was interrupted while it deleted the source, or an
     * invalid object under the record's key; empty if there is none. Read-only stores are not checked.
     */
    static Optional<String> describe(ZarrArray array) {
        if (!AllOrNothing.store(array).can(Writes.class)) {
            return Optional.empty();
        }
        Publication publication = Publication.at(array);
        Optional<PublicationRecord> record;
        try {
            record = publication.record();
        } catch (MetadataException e) {
            return Optional.of(e.fact());
        }
        return record.filter(found ->
                        !found.work().isOfNewNode() || found.movedFrom().isPresent())
                .map(found -> found.work() == WorkKind.REPLACEMENT
                        ? describeReplacement(array, found)
                        : publication.describe(found));
    }

    /**
     * Describes a replacement by its record at the root of the store, or by the array's mark if the record is in
     * another store.
     */
    private static String describeReplacement(ZarrArray array, PublicationRecord mark) {
        Publication root = Publication.at(AllOrNothing.store(array), "");
        try {
            return root.record(WorkKind.REPLACEMENT)
                    .filter(record -> record.source().equals(mark.source())
                            && DocumentChange.describeRecordLocation(record, root.location())
                                    .isEmpty())
                    .map(record -> root.describe(record) + "; " + record.work().advice())
                    .orElseGet(() -> Publication.at(array).describe(mark));
        } catch (MetadataException e) {
            return Publication.at(array).describe(mark);
        }
    }

    /**
     * Ends the replacement of arrays at or below a node, as its record says, and reports one step for each array. The
     * record belongs to the whole store, so it stays if it names other arrays too.
     *
     * @return the paths of the arrays, whose documents may have changed; empty if no replacement was ended
     */
    static Set<String> endReplacement(ZarrNode node, Mode mode, RepairCounter count) {
        Publication publication = Publication.at(AllOrNothing.store(node), "");
        try {
            Optional<PublicationRecord> record = publication.record(WorkKind.REPLACEMENT);
            // none if this is only a mark, and the record of the changes is elsewhere
            List<DocumentChange> changes = record.filter(
                            found -> DocumentChange.describeRecordLocation(found, publication.location())
                                    .isEmpty())
                    .map(found -> DocumentChange.of(found, publication.location()))
                    .orElse(List.of());
            if (changes.isEmpty() || !isInside(changes, node)) {
                return Set.of();
            }
            if (mode == Mode.APPLY) {
                Replacement.settle(AllOrNothing.store(node), node.options());
            }
            changes.forEach(change -> count.report(new RepairStep(
                    Kind.END_CHANGE,
                    change.path(),
                    Optional.of(DataLocation.of(publication.key())),
                    Optional.empty(),
                    publication.describe(record.get()))));
            return changes.stream().map(DocumentChange::path).collect(Collectors.toSet());
        } catch (ZarrException e) {
            report(count, Kind.LEFT, node, "an interrupted replacement of all elements: " + e.fact());
            return Set.of();
        }
    }

    /** Whether all changed arrays are the node or lie below it. Otherwise its repair does not end the work. */
    private static boolean isInside(List<DocumentChange> changes, ZarrNode node) {
        String below = StoreKeys.prefix(node.path());
        return changes.stream()
                .allMatch(change ->
                        change.path().equals(node.path()) || change.path().startsWith(below));
    }

    /**
     * Ends a change of an array's layout: completes it if all objects are staged, and otherwise removes the staged
     * objects. Reports a replacement that {@link #endReplacement} did not end.
     *
     * @return the array afterwards
     */
    static ZarrArray endLayout(ZarrArray array, Mode mode, RepairCounter count) {
        Optional<PublicationRecord> record;
        try {
            record =
                    Publication.at(array).record().filter(found -> !found.work().isOfNewNode());
        } catch (MetadataException e) {
            report(count, Kind.LEFT, array, e.fact());
            return array;
        }
        if (record.isEmpty()) {
            return array;
        } else if (record.get().work() == WorkKind.REPLACEMENT) {
            report(count, Kind.LEFT, array, describeReplacement(array, record.get()));
            return array;
        } else if (!record.get().isCommitted()) {
            discardStopped(array, PartMarks.count(record.get()).isPresent(), mode, count);
            return array;
        }
        ZarrArray now = mode == Mode.APPLY ? UnfinishedLayout.complete(array) : array;
        report(count, Kind.END_CHANGE, array, "a change of the array's layout was interrupted");
        return now;
    }

    /**
     * Removes the staged objects of a stopped change of layout. Keeps parts that several processes stage, and, in a
     * store without locks, a change that may still run.
     */
    private static void discardStopped(ZarrArray array, boolean isInParts, Mode mode, RepairCounter count) {
        boolean isPossible = ArrayInternals.of(array).store().can(Locks.class) && !isInParts;
        try {
            if (isPossible && mode == Mode.APPLY) {
                UnfinishedLayout.discard(array);
            }
            if (isPossible) {
                report(
                        count,
                        Kind.REMOVE_TEMPORARY,
                        array,
                        "the new objects of a change of layout that was stopped; the array is unchanged");
            } else {
                report(
                        count,
                        Kind.LEFT,
                        array,
                        "a change of layout was stopped, or still runs in parts or elsewhere; rerun it to resume, or "
                                + "delete " + PublicationRecord.KEY + " of the array if none runs");
            }
        } catch (StoreException e) {
            report(count, Kind.LEFT, array, "a change of layout is not complete, and its lock is held: " + e.fact());
        }
    }

    private static void report(RepairCounter count, Kind kind, ZarrNode node, String reason) {
        count.report(new RepairStep(kind, node.path(), Optional.empty(), Optional.empty(), reason));
    }
}
