package dev.shardkit.maintenance.concat;

import dev.shardkit.ZarrOptions;
import dev.shardkit.engine.run.Engine;
import dev.shardkit.maintenance.concat.Concatenation.Edges;
import dev.shardkit.maintenance.concat.Concatenation.Summary;
import dev.shardkit.maintenance.concat.Concatenation.Times;
import dev.shardkit.maintenance.concat.Concatenation.Transfer;
import dev.shardkit.maintenance.local.CopiedPermissions;
import dev.shardkit.maintenance.publish.Publication;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.region.ChunkPlans;
import dev.shardkit.region.ListedCells;
import dev.shardkit.region.ObjectCopy;
import dev.shardkit.region.StoredArray;
import dev.shardkit.region.StoredShapeCheck;
import dev.shardkit.region.box.Boxes;
import dev.shardkit.region.read.RegionReads;
import dev.shardkit.region.write.RegionWrites;
import dev.shardkit.session.Session;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.consolidated.ConsolidatedUpdates;
import dev.shardkit.session.creation.EnclosingArray;
import dev.shardkit.session.publication.PublicationRecord;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.store.Listings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs a concatenation in this order: check everything; write the {@linkplain PublicationRecord record} to the target;
 * rename the documents of sources that are moved ({@link ConcatSourceMove}); copy or move the objects one by one;
 * commit the record; write the target's document; delete the sources; delete the record. Every step is idempotent. Used
 * once.
 */
final class ConcatRun {
    private final List<ConcatSource> sources;
    private final int axis;
    private final Transfer transfer;
    private final Edges edges;
    private final Times times;
    private final ZarrOptions options;
    private long objects;
    private long reencoded;
    private long alreadyPresent;
    private long bytes;

    ConcatRun(List<ConcatSource> sources, int axis, Transfer transfer, Edges edges, Times times, ZarrOptions options) {
        this.sources = sources;
        this.axis = axis;
        this.transfer = transfer;
        this.edges = edges;
        this.times = times;
        this.options = options;
    }

    ConcatPlan plan() {
        if (sources.isEmpty()) {
            throw new IllegalArgumentException("expected at least one array to concatenate, found none");
        }
        List<ArrayMetadata> metadata =
                sources.stream().map(ConcatSource::metadata).toList();
        List<StoredNode> nodes = sources.stream().map(ConcatSource::node).toList();
        List<AncestorGroups> places = AncestorGroups.of(nodes, options);
        ConcatPlan plan = ConcatPlan.of(
                metadata,
                BoundsUnits.inherited(nodes, places, metadata),
                sources.stream().map(ConcatSource::location).toList(),
                axis,
                times,
                sources.get(0).node().session().options());
        GridMappingComparison.check(nodes, places, metadata);
        CoordinateComparison.check(places, metadata, axis);
        return plan;
    }

    Summary run(StoredNode target) {
        NodePath.of(target.path()).checkedNew();
        ConcatSource.refuseOverlap(sources, target, transfer);
        EnclosingArray.refuse(target);
        Publication publication = Publication.at(target.session().store(), target.path());
        Optional<PublicationRecord> begun = publication.record();
        if (begun.isPresent() && !ConcatState.isOfSame(begun.get(), sources, axis, transfer, times)) {
            throw ConcatAuxiliaries.failure(
                    target,
                    "the target holds " + begun.get().named().text() + ", not of this command: "
                            + begun.get().details());
        }
        if (begun.filter(PublicationRecord::isCommitted).isPresent()) {
            keepingPermissions(target, () -> publish(target, publication, begun.get()));
        } else {
            refuseNode(target, begun.isPresent());
            ConcatPlan plan = plan();
            checkEdges(plan);
            checkTimes(plan);
            begun.ifPresent(found -> checkUnchanged(target, found));
            PublicationRecord record = begun.orElseGet(() -> begin(target, publication));
            keepingPermissions(target, () -> {
                transferAll(target, plan);
                publish(
                        target,
                        publication,
                        publication.commitNode(record, MetadataWriter.write(plan.metadata()), options.durability()));
            });
        }
        finish(target, publication);
        return new Summary(objects, reencoded, alreadyPresent, bytes);
    }

    /** Refuses a node at the target before the record is committed: another program has made it. */
    private static void refuseNode(StoredNode target, boolean hasBegun) {
        if (ConcatAuxiliaries.has(target.session(), target.documentKey())) {
            throw ConcatAuxiliaries.failure(
                    target,
                    hasBegun
                            ? "another program has made an array or group at the target of this unfinished"
                                    + " concatenation. Nothing was deleted. Move its objects elsewhere and delete its"
                                    + " zarr.json, but keep all other objects, then rerun the command to resume"
                            : "the target already holds a node");
        }
    }

    /** Publishes the new array. The sources may only be deleted after this. */
    private void publish(StoredNode target, Publication publication, PublicationRecord committed) {
        publication.publishNode(committed, options);
        ConsolidatedUpdates.replaced(target);
    }

    @SuppressWarnings("try") // open while the objects are copied
    private void keepingPermissions(StoredNode target, Runnable work) {
        List<String> from = sources.stream().map(ConcatSource::location).toList();
        try (CopiedPermissions access = CopiedPermissions.restrict(from, target.location())) {
            work.run();
        }
    }

    private ConcatSourceMove newMove(StoredNode target) {
        return new ConcatSourceMove(sources, target);
    }

    /** Checks that the sources have not changed since the interrupted run began. */
    private void checkUnchanged(StoredNode target, PublicationRecord begun) {
        Optional<ConcatSource> changed = ConcatState.findChanged(begun, sources, axis, transfer, times);
        if (changed.isPresent()) {
            throw ConcatAuxiliaries.failure(
                    target,
                    changed.get().location() + " has changed since this concatenation began"
                            + (transfer == Transfer.COPY ? "; delete the target and start again" : ""));
        }
    }

    private PublicationRecord begin(StoredNode target, Publication publication) {
        target.session().writable("concatenating arrays");
        target.session().store().need(Listings.class, "finding out whether the target of a concatenation is empty");
        List<String> names = new ArrayList<>();
        target.store(store -> {
            store.list(target.path(), entry -> names.add(entry.name()));
            return NoResult.INSTANCE;
        });
        names.remove(ConcatAuxiliaries.PROBE); // the interrupted run stored this object
        if (!names.isEmpty()) {
            throw ConcatAuxiliaries.failure(target, "the target is not empty, it holds " + names.get(0));
        }
        if (transfer == Transfer.MOVE) {
            newMove(target).check();
        }
        PublicationRecord record = ConcatState.newRecord(sources, axis, transfer, times);
        publication.write(record, options.durability());
        return record;
    }

    /** Refuses chunks whose stored length differs from their length in the new array. */
    private void checkEdges(ConcatPlan plan) {
        for (int i = 0; i < sources.size() && edges == Edges.REFUSE; i++) {
            ConcatPlan.PlacedSource part = plan.placedSources().get(i);
            Long last = part.edgeCell();
            if (last == null || part.timeConversion() != null) {
                continue;
            }
            ChunkPlans chunks = sources.get(i).chunks(part.source());
            ListedCells cells = ListedCells.of(sources.get(i).node(), chunks, edgeCells(part.source(), last));
            while (cells.hasNext()) {
                String key = chunks.key(cells.next());
                if (sources.get(i).has(key)) {
                    throw new UnsupportedException(
                            "array " + part.location() + " ends within a chunk: its chunk " + key + " is "
                                    + "stored in full length, which is not allowed in the middle of the new array; "
                                    + "set reencodingEdges to encode only such chunks again");
                }
            }
        }
    }

    /** Checks that all times can be converted. Called before anything is written. */
    private void checkTimes(ConcatPlan plan) {
        for (int i = 0; i < sources.size(); i++) {
            int index = i;
            ConcatPlan.PlacedSource part = plan.placedSources().get(i);
            if (part.timeConversion() != null) {
                cells(part).forEachRemaining(cell -> read(sources.get(index), part, box(part, cell)));
            }
        }
    }

    /** Iterates over all cells of a source, even without a stored chunk: the fill value may be a time too. */
    private static ListedCells cells(ConcatPlan.PlacedSource part) {
        Box cells = Box.of(part.source().chunkGrid().gridShape());
        return ListedCells.unlisted(Boxes.count(cells), cells::at);
    }

    private static Box box(ConcatPlan.PlacedSource part, long[] cell) {
        return part.source()
                .chunkGrid()
                .chunk(cell)
                .intersect(Box.of(part.source().shape()));
    }

    private Box edgeCells(ArrayMetadata source, long last) {
        long[] origin = new long[source.rank()];
        long[] shape = source.chunkGrid().gridShape();
        origin[axis] = last;
        shape[axis] = 1;
        return Box.of(origin, shape);
    }

    private void transferAll(StoredNode target, ConcatPlan plan) {
        if (transfer == Transfer.MOVE) {
            newMove(target).renameDocuments();
        }
        ChunkPlans own = new ChunkPlans(
                plan.metadata(), target.path(), target.session().options().limits());
        for (int i = 0; i < sources.size(); i++) {
            ConcatSource source = sources.get(i);
            ConcatPlan.PlacedSource part = plan.placedSources().get(i);
            ChunkPlans chunks = sources.get(i).chunks(part.source());
            ListedCells cells = part.timeConversion() != null
                    ? cells(part)
                    : ListedCells.of(
                            source.node(),
                            chunks,
                            Box.of(part.source().chunkGrid().gridShape()));
            while (cells.hasNext()) {
                Engine.refuseInterrupted();
                long[] cell = cells.next();
                String key = own.key(part.toTarget(cell, axis));
                if (part.isEdge(cell, axis) || part.timeConversion() != null) {
                    reencode(target, plan, i, cell, key);
                } else {
                    transferObject(target, source, chunks.key(cell), key);
                }
            }
        }
        if (transfer == Transfer.MOVE) {
            checkEmpty(target, plan);
            newMove(target).checkRenamedDocuments();
        } else {
            confirmSources(plan);
        }
    }

    /** Checks that the copied sources still exist, because chunks of a removed array read as absent. */
    private void confirmSources(ConcatPlan plan) {
        for (int i = 0; i < sources.size(); i++) {
            new StoredShapeCheck(
                            sources.get(i).node(), plan.placedSources().get(i).source())
                    .refuseChanged();
        }
    }

    /**
     * Checks that all objects of the sources were moved: the others would be deleted with the sources. Only chunks that
     * were encoded again may remain.
     */
    private void checkEmpty(StoredNode target, ConcatPlan plan) {
        for (int i = 0; i < sources.size(); i++) {
            ConcatPlan.PlacedSource part = plan.placedSources().get(i);
            ChunkPlans chunks = sources.get(i).chunks(part.source());
            sources.get(i).objects(part, key -> {
                if (chunks.cell(key).filter(cell -> part.isEdge(cell, axis)).isEmpty()) {
                    throw ConcatAuxiliaries.failure(
                            target,
                            "another program has written " + key + " of " + part.location() + " during the run");
                }
            });
        }
    }

    private void transferObject(StoredNode target, ConcatSource source, String from, String to) {
        boolean exists = ConcatAuxiliaries.has(target.session(), to);
        if (transfer == Transfer.MOVE) {
            if (exists && source.has(from)) {
                throw ConcatAuxiliaries.failure(
                        target, to + " exists and " + from + " does too: another program writes to these arrays");
            }
            if (!exists && newMove(target).move(source, from, to)) {
                objects++;
            } else if (exists) {
                alreadyPresent++;
            }
        } else if (exists) {
            alreadyPresent++;
        } else {
            long size = ObjectCopy.run(source.node(), from, target, to);
            objects += size < 0 ? 0 : 1;
            bytes += Math.max(0, size);
        }
    }

    /** Decodes the elements of the source's chunk and encodes them as a chunk of the new array. */
    private void reencode(StoredNode target, ConcatPlan plan, int i, long[] cell, String key) {
        if (ConcatAuxiliaries.has(target.session(), key)) {
            alreadyPresent++;
            return;
        }
        ConcatPlan.PlacedSource part = plan.placedSources().get(i);
        if (part.timeConversion() == null
                && !sources.get(i).has(sources.get(i).chunks(part.source()).key(cell))) {
            return;
        }
        Session session = target.session();
        // no list of chunks is updated: the document of the new array does not exist yet
        StoredNode plain =
                target.in(session.with(session.options().withAfterWrite(null)).given());
        Box box = box(part, cell);
        new RegionWrites(plain, plan.metadata(), new ChunkPlans(plan.metadata(), plain))
                .write(part.toTarget(box, axis), read(sources.get(i), part, box));
        objects++;
        reencoded++;
    }

    private static Feed read(ConcatSource source, ConcatPlan.PlacedSource part, Box box) {
        ArrayMetadata metadata = part.source();
        DenseChunk chunk = DenseChunk.filled(ChunkType.of(metadata.dataType(), metadata.fillValue(), box.shape()));
        new RegionReads(new StoredArray(source.node(), metadata, source.chunks(metadata))).read(box, chunk.target());
        if (part.timeConversion() != null) {
            part.timeConversion().apply(chunk);
        }
        return chunk.feed();
    }

    private void finish(StoredNode target, Publication publication) {
        if (transfer == Transfer.MOVE) {
            newMove(target).removeSources();
        }
        publication.end(ConcatState.work(transfer));
    }
}
