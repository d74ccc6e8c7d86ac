package dev.shardkit.maintenance.staging;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.Part;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.publish.PartMarks;
import dev.shardkit.maintenance.staging.StagingArea.Record;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.NoResult;
import java.util.Optional;

/**
 * Stages the new objects of a change of layout part by part. Users call it through {@code PartedRelayout}. Each process
 * stages one part: a range of the blocks that the change builds. Marks record which parts are complete, and
 * {@code finish} requires a mark for each part. A run without parts ignores the marks and stages all missing objects.
 * Used by one thread.
 */
public final class StagedParts {
    private final ZarrArray array;

    public StagedParts(ZarrArray array) {
        this.array = array;
    }

    /**
     * Stages the objects of a part. Keeps objects that are already staged.
     *
     * @throws StoreException if the array was changed meanwhile, or parts of another change or number are staged
     */
    public LayoutRebuild stage(LayoutChange change, Part part, Progress progress) {
        String source = ArrayFingerprint.of(array);
        StagingArea staging = new StagingArea(array, "parts_" + part.number() + "_of_" + part.count());
        staging.publication().whileLocked(array.options().lockPatience(), () -> {
            begin(staging, change, source, part);
            return NoResult.INSTANCE;
        });
        LayoutRebuild rebuild = new LayoutRebuild(array, change.to(), staging);
        CellSet blocks = rebuild.findBlocks(array);
        int first = (int) part.first(blocks.count());
        int end = (int) part.end(blocks.count());
        for (int i = first; i < end; i++) {
            progress.at(array.path(), i - first, end - first);
            refuseEnded(staging, change, source);
            rebuild.buildBlock(blocks.cell(i));
        }
        progress.at(array.path(), end - first, end - first);
        staging.deleteSpills();
        if (!ArrayFingerprint.of(array).equals(source)) {
            throw changedArray();
        }
        refuseEnded(staging, change, source);
        staging.marks().complete(part, source);
        return rebuild;
    }

    /** Starts the change, or joins it if another part has started it. */
    private void begin(StagingArea staging, LayoutChange change, String source, Part part) {
        Optional<Record> record = staging.record();
        Optional<Integer> partCount = partCount(record);
        if (record.isPresent() && record.get().isComplete()) {
            throw failure("an earlier change of the layout is not complete; run it again with --finish");
        } else if (record.isPresent() && partCount.isPresent() && !record.get().isOf(change, source)) {
            throw record.get().source().equals(source)
                    ? failure("parts of another change of the layout are staged; end them, then run that change with"
                            + " --finish or one without --part, which begins anew")
                    : changedArray();
        } else if (partCount.filter(count -> count != part.count()).isPresent()) {
            throw failure(
                    "parts of another number are staged, found part " + part + ": use the same number of parts, or run"
                            + " the change without --part, which makes what is missing");
        }
        staging.begin(change, source); // keeps objects of the same change
        staging.recordPartCount(part);
    }

    private static Optional<Integer> partCount(Optional<Record> record) {
        return record.flatMap(found -> PartMarks.count(found.stored()));
    }

    /** Throws if the change that this part belongs to was completed, discarded or replaced by another one. */
    private void refuseEnded(StagingArea staging, LayoutChange change, String source) {
        if (staging.record().filter(record -> record.isOf(change, source)).isEmpty()) {
            throw failure("the change of the layout has ended or was begun anew, so this part was stopped");
        }
    }

    /**
     * Checks that all parts are staged. No-op if an earlier call has already begun to replace the array.
     *
     * @throws StoreException if a part is missing, or if the array was changed after the first part began
     */
    public void check() {
        StagingArea staging = new StagingArea(array);
        Optional<Record> record = staging.record();
        Optional<Integer> partCount = partCount(record);
        if (record.filter(Record::isComplete).isPresent()) {
            return;
        } else if (partCount.isEmpty()) {
            throw failure("no part was staged: run all parts first, such as --part 1/8 to --part 8/8");
        }
        String missing =
                staging.marks().describeMissing(partCount.get(), record.get().source());
        if (!missing.isEmpty()) {
            throw failure("missing part " + missing + ". Run it again, then finish; the array is unchanged");
        } else if (!ArrayFingerprint.of(array).equals(record.get().source())) {
            throw changedArray();
        }
    }

    private StoreException changedArray() {
        return failure("another program wrote to the array after the first part began, so the parts are of no use; the"
                + " array keeps that write. End all parts, then run the change without --part, which begins anew");
    }

    private StoreException failure(String message) {
        return (StoreException)
                new StoreException(message).locate(Optional.of(array.location()), Optional.empty(), Optional.empty());
    }
}
