package dev.shardkit.maintenance.convert;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.engine.run.Engine;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.StoredChunkList;
import dev.shardkit.maintenance.chunks.StoredObjects;
import dev.shardkit.maintenance.convert.Conversion.Node;
import dev.shardkit.maintenance.convert.Conversion.Outcome;
import dev.shardkit.maintenance.convert.ConversionPlan.Source;
import dev.shardkit.maintenance.convert.ConversionPlan.Step;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.maintenance.destination.FinishedNodeCheck;
import dev.shardkit.maintenance.local.CopiedPermissions;
import dev.shardkit.maintenance.publish.Publication;
import dev.shardkit.maintenance.source.SourceCheck;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.session.creation.EnclosingArray;
import dev.shardkit.session.publication.WorkKind;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.store.Content;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.Locks;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs one conversion to Zarr v3, on one thread: plans a step for each node, checks the target and marks it as
 * unfinished, carries out the steps (chunks first, then the {@code zarr.json} of the node), and removes the mark. A run
 * that finds the mark resumes an interrupted one. Used once.
 *
 * <p>A conversion in place has no target: its steps write documents next to the stored chunks, and none is
 * {@link Outcome#COPIED} or {@link Outcome#RECODED}. It needs no mark, because each document is complete when it
 * appears.
 */
final class ConversionRun {
    private final Conversion conversion;
    private final Mode mode;
    private final Consumer<? super Node> listener;
    /** Whether the target has the mark of an interrupted run, which this run resumes. */
    private boolean resumed;
    /** The target with the mark of this run; empty before {@link #begin}, and for a conversion in place. */
    private Optional<Destination> destination = Optional.empty();
    /** How many chunks or shards this run has stored. */
    private long writtenObjects;

    ConversionRun(Conversion conversion, Mode mode, Consumer<? super Node> listener) {
        this.conversion = conversion;
        this.mode = mode;
        this.listener = listener;
    }

    Conversion.Summary run() throws IOException {
        List<Step> steps = new ConversionPlan(conversion).planSteps();
        long refused = count(steps, Outcome.REFUSED);
        long unchanged = count(steps, Outcome.UNCHANGED);
        boolean isEachConverted = unchanged == steps.size();
        checkTarget(isEachConverted);
        if (isEachConverted && !resumed) { // if resumed, the mark is still to be removed
            checkConvertedNodes(steps);
            steps.forEach(step -> report(step, 0));
        } else if (mode == Mode.DRY_RUN) {
            steps.forEach(step -> report(step, 0));
        } else if (refused > 0) { // nothing is changed, so only the reasons are reported
            steps.stream().filter(step -> step.outcome() == Outcome.REFUSED).forEach(step -> report(step, 0));
        } else {
            begin(steps);
            checkConvertedNodes(steps);
            convertAll(steps);
            finish();
        }
        boolean isRefused = refused > 0 && mode == Mode.APPLY;
        long converted = isRefused ? 0 : steps.size() - refused - unchanged;
        return new Conversion.Summary(steps.size(), converted, unchanged, refused, writtenObjects);
    }

    private static long count(List<Step> steps, Outcome outcome) {
        return steps.stream().filter(s -> s.outcome() == outcome).count();
    }

    private void report(Step step, long written) {
        listener.accept(
                new Node(step.path(), step.outcome(), written, Optional.ofNullable(step.reason()), step.notes()));
    }

    /**
     * Finds out whether the target has the mark of an interrupted conversion. Throws if it has another mark, or has
     * none and holds objects that are not the complete conversion.
     *
     * @param isEachConverted whether the target holds the document of each node
     */
    private void checkTarget(boolean isEachConverted) throws IOException {
        if (conversion.target().isEmpty()) {
            return;
        }
        BlockingStore target = conversion.target().get();
        EnclosingArray.refuseRoot(target.store());
        resumed = Publication.at(target.store(), "")
                .recordRefusingOthers(WorkKind.CONVERSION)
                .isPresent();
        boolean[] holdsObjects = new boolean[1];
        target.list("", entry -> holdsObjects[0] = true);
        if (holdsObjects[0] && !resumed && !isEachConverted) {
            throw new StoreException(
                    "expected an empty place or an unfinished conversion, found neither: " + target.describe());
        }
    }

    /** Marks the target as unfinished. Throws if it was marked for another source or with other settings. */
    private void begin(List<Step> steps) throws IOException {
        if (conversion.target().isPresent()) {
            Store target = conversion.target().get().store();
            Destination begun = Destination.of(target).ofConversion();
            String state = ConversionDigest.of(conversion, steps);
            if (!resumed) {
                begun.begin(state, conversion.options().durability());
            } else if (!begun.resume(state)) {
                throw new StoreException(conversion.source().describe() + " has changed since its conversion to "
                        + target.describe() + " began, or the settings differ; delete the target and start again");
            }
            destination = Optional.of(begun);
        }
    }

    /** Checks that each converted node of the target has the metadata that this run would write. */
    private void checkConvertedNodes(List<Step> steps) {
        if (conversion.target().isPresent()) {
            Store target = conversion.target().get().store();
            steps.stream()
                    .filter(step -> step.outcome() == Outcome.UNCHANGED)
                    .forEach(step -> FinishedNodeCheck.requireFinished(
                            target, step.path(), Objects.requireNonNull(step.metadata()), conversion.options()));
        }
    }

    /** Removes the mark of the target. */
    private void finish() {
        if (conversion.target().isPresent()) {
            Publication.at(conversion.target().get().store(), "").end(WorkKind.CONVERSION);
        }
    }

    @SuppressWarnings("try") // open while the nodes are converted
    private void convertAll(List<Step> steps) throws IOException {
        String target = conversion.target().map(to -> to.store().describe()).orElse("");
        try (CopiedPermissions access =
                CopiedPermissions.restrict(List.of(conversion.source().describe()), target)) {
            for (Step step : steps) {
                convert(step);
            }
        }
    }

    private void convert(Step step) throws IOException {
        Engine.refuseInterrupted();
        long before = writtenObjects;
        if (step.outcome() == Outcome.COPIED) {
            copy(step.path(), Objects.requireNonNull(step.array()));
        } else if (step.outcome() == Outcome.RECODED) {
            reencode(step.path(), Objects.requireNonNull(step.array()));
        }
        if (step.outcome() != Outcome.UNCHANGED) {
            if (step.array() != null) {
                SourceCheck.confirm(step.array().array());
            }
            destination.ifPresent(Destination::requireHeld);
            writeDocument(step);
        }
        report(step, writtenObjects - before);
    }

    /**
     * Writes the {@code zarr.json} of a node. An existing document may be changed by other writers, which hold its
     * lock, so this method takes the lock too. A new document has no such writers.
     */
    private void writeDocument(Step step) throws IOException {
        BlockingStore store = conversion.target().orElseGet(() -> BlockingStore.to(conversion.source()));
        String key = NodePath.of(step.path()).documentKey();
        Content content = Content.of(Bytes.of(MetadataWriter.write(Objects.requireNonNull(step.metadata()))));
        if (store.can(Locks.class) && StoredObjects.has(store, key)) {
            Locks.Lock lock = store.lock(step.path(), key, conversion.options().lockPatience());
            try {
                store.put(key, content, conversion.options().durability());
            } finally {
                lock.close();
            }
        } else {
            store.put(key, content, conversion.options().durability());
        }
    }

    /**
     * Opens the source array by its Zarr v3 metadata with the chunk keys of the source. So the stored chunks or shards
     * are listed and read as those of a Zarr v3 array, without being decoded.
     */
    private ZarrArray openStoredObjects(Source source) {
        return Zarr.openArray(
                conversion.source(),
                source.array().path(),
                source.portableArray().storedMetadata(),
                conversion.options());
    }

    /** Copies stored objects to the target, renaming them to their Zarr v3 keys. */
    private void copy(String path, Source source) throws IOException {
        BlockingStore target = conversion.target().orElseThrow();
        ArrayMetadata metadata = source.portableArray().metadata();
        ZarrArray chunks = openStoredObjects(source);
        StoredChunkList cells = StoredChunkList.of(chunks);
        for (long i = 0; i < cells.count(); i++) {
            Engine.refuseInterrupted();
            conversion.progress().at(path, i, cells.count());
            long[] cell = cells.cell(i);
            String key = metadata.chunkKeyEncoding().encode(cell);
            copy(chunks, cell, target, StoreKeys.join(path, key));
        }
        conversion.progress().at(path, cells.count(), cells.count());
    }

    /** Copies the object of one cell, if it exists. */
    private void copy(ZarrArray chunks, long[] cell, BlockingStore target, String key) throws IOException {
        if (conversion.source().reads() instanceof LocalReads local) {
            Optional<ObjectSnapshot> found =
                    local.open(ArrayInternals.of(chunks).key(cell));
            if (found.isPresent()) {
                try (ObjectSnapshot object = found.get()) {
                    putUnlessCopied(target, key, Content.of(object));
                    object.confirm();
                }
            }
            return;
        }
        Optional<Bytes> bytes = ArrayInternals.of(chunks)
                .inspect(
                        List.of(cell),
                        (c, source) -> source.<Optional<Bytes>>read(
                                ByteRange.whole(Limits.LARGEST_CHUNK),
                                (answer, scratch) -> answer instanceof ReadResult.Found f
                                        ? Optional.of(f.bytes().copy())
                                        : Optional.empty()))
                .get(0);
        if (bytes.isPresent()) {
            putUnlessCopied(target, key, Content.of(bytes.get()));
        }
    }

    /** Stores an object, unless an interrupted run has stored it: then the target holds one of the same size. */
    private void putUnlessCopied(BlockingStore target, String key, Content content) throws IOException {
        if (!resumed || !hasSize(target, key, content.size())) {
            target.put(key, content, conversion.options().durability());
            writtenObjects++;
        }
    }

    private static boolean hasSize(BlockingStore store, String key, long size) throws IOException {
        return StoredObjects.find(store, key, ObjectSnapshot::size).equals(Optional.of(size));
    }

    /** Decodes the source's stored chunks and encodes them into the target, one after the other. */
    private void reencode(String path, Source source) throws IOException {
        BlockingStore target = conversion.target().orElseThrow();
        ZarrArray from = source.array();
        ZarrArray to =
                Zarr.openArray(target.store(), path, source.portableArray().metadata(), conversion.options());
        ZarrArray chunks = openStoredObjects(source); // only to list them
        StoredChunkList cells = StoredChunkList.of(chunks);
        for (long i = 0; i < cells.count(); i++) {
            Engine.refuseInterrupted();
            conversion.progress().at(path, i, cells.count());
            long[] cell = cells.cell(i);
            if (!resumed || !StoredObjects.has(target, ArrayInternals.of(to).key(cell))) {
                Box box = ArrayInternals.of(to).box(cell).intersect(to.domain());
                to.write(box, from.read(box));
                writtenObjects++;
            }
        }
        conversion.progress().at(path, cells.count(), cells.count());
    }
}
