package dev.shardkit.maintenance.staging;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.StoredChunkList;
import dev.shardkit.maintenance.staging.AssembledContent.Part;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardAssembly;
import dev.shardkit.spi.codec.ShardAssembly.Frame;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.store.Content;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Builds the stored objects of an array in another layout, one after the other. Units (see {@link EncodedUnits}) of the
 * source are moved as encoded bytes; others are decoded and encoded again. Used by one thread.
 */
public final class LayoutRebuild {
    private final ZarrArray source;
    private final ZarrArray target;
    private final StagingArea staging;
    private final EncodedUnits units;
    private final NestingLevel level;
    private final boolean hasShards;
    /** The number of units of an object in each dimension. */
    private final long[] unitsPerObject;
    /** The number of objects in each dimension that are built together because they need the same source data. */
    private final long[] blockShape;

    private final UnitRecoder recoder;
    private final UnitRecoder.MovableUnits movableUnits;
    private long objects;
    private long bytes;
    private long decoded;

    public LayoutRebuild(ZarrArray source, ArrayMetadata to, StagingArea staging) {
        this.target = Zarr.openArray(ArrayInternals.of(source).store(), source.path(), to, source.options());
        this.source = source;
        this.staging = staging;
        List<NestingLevel> levels = NestingLevel.of(to);
        this.hasShards = levels.size() > 1;
        this.level = levels.get(hasShards ? 1 : 0);
        long[] stored = target.storedChunkShape();
        long[] unit = hasShards ? level.shape().orElseThrow() : stored;
        this.units = new EncodedUnits(source, unit, level.codecs());
        this.unitsPerObject = new long[unit.length];
        for (int d = 0; d < unitsPerObject.length; d++) {
            unitsPerObject[d] = stored[d] / unit[d];
        }
        this.recoder = new UnitRecoder(source, target, staging, units);
        boolean regular = source.metadata().chunkGrid().name().equals("regular");
        boolean equal = Arrays.equals(source.storedChunkShape(), unit);
        this.movableUnits = units.areInnerChunks() || (units.areStoredChunks() && regular && equal)
                ? UnitRecoder.MovableUnits.ALL
                : units.areStoredChunks() && !regular ? UnitRecoder.MovableUnits.SOME : UnitRecoder.MovableUnits.NONE;
        // If all units are decoded, a block has the objects that share a chunk of the source, as far as memory allows.
        // If inner chunks become objects of their own, a block has those of one shard, whose index is then read once.
        // In all other cases, a block is one object.
        this.blockShape = movableUnits == UnitRecoder.MovableUnits.NONE
                ? recoder.fittingBlock(smallestBlock(source.chunkShape(), stored), stored)
                : units.areInnerChunks() && !hasShards
                        ? smallestBlock(source.storedChunkShape(), stored)
                        : smallestBlock(stored, stored);
    }

    /** Returns how many objects of the shape {@code stored} cover {@code needed} elements, in each dimension. */
    private static long[] smallestBlock(long[] needed, long[] stored) {
        long[] block = new long[stored.length];
        for (int d = 0; d < block.length; d++) {
            block[d] = Math.max(1, (needed[d] - 1) / stored[d] + 1);
        }
        return block;
    }

    /** Returns which units move as encoded bytes, as far as the metadata shows. */
    public UnitRecoder.MovableUnits movableUnits() {
        return movableUnits;
    }

    /** Returns the number of objects that were built or already existed. */
    public long objects() {
        return objects;
    }

    /** Returns the number of bytes written; existing objects do not count. */
    public long bytes() {
        return bytes;
    }

    /** Returns the number of units that were decoded and encoded. */
    public long decoded() {
        return decoded;
    }

    /** Returns the blocks for which {@code source}, an open handle of the source, has stored data. */
    public CellSet findBlocks(ZarrArray source) {
        CellSet blocks = new CellSet(blockGrid());
        StoredChunkList cells = StoredChunkList.of(source);
        List<NestingLevel> levels = NestingLevel.of(source.metadata());
        Optional<NestingLevel> inner = levels.size() > 1 ? Optional.of(levels.get(1)) : Optional.empty();
        for (long i = 0; i < cells.count(); i++) {
            Box chunk = ArrayInternals.of(source).box(cells.cell(i)).intersect(source.domain());
            if (movableUnits == UnitRecoder.MovableUnits.NONE && inner.isPresent()) {
                addInnerBlocks(source, cells.cell(i), inner.get(), blocks);
            } else {
                blocks.add(ArrayInternals.of(target).touched(chunk).cells(blockShape));
            }
        }
        return blocks;
    }

    /** Adds the blocks with stored inner chunks. Most blocks of a sparse shard may be empty. */
    private void addInnerBlocks(ZarrArray source, long[] cell, NestingLevel inner, CellSet blocks) {
        Optional<ShardAccess.Layout> index = ArrayInternals.of(source).layout(cell);
        if (index.isEmpty()) {
            return;
        }
        long[] shape = inner.shape().orElseThrow();
        long[] counts = ArrayInternals.of(source)
                .codec(cell)
                .shardAccess()
                .orElseThrow()
                .gridShape();
        int[] order = Shapes.inverse(inner.order());
        Box chunk = ArrayInternals.of(source).box(cell);
        for (long i = 0; i < index.get().count(); i++) {
            if (index.get().extent(i).isPresent()) {
                Box part = Box.cell(Shapes.permute(Shapes.unravel(i, counts), order), shape)
                        .translate(chunk.origin())
                        .intersect(source.domain());
                if (!part.isEmpty()) {
                    blocks.add(ArrayInternals.of(target).touched(part).cells(blockShape));
                }
            }
        }
    }

    private long[] blockGrid() {
        long[] cells = ArrayInternals.of(target).cells();
        return Box.of(cells).cells(blockShape).shape();
    }

    /** Builds the objects of one block. */
    public void buildBlock(long[] blockCell) {
        Box objectCells = Box.cell(blockCell, blockShape)
                .intersect(Box.of(ArrayInternals.of(target).cells()));
        Box first = Box.cell(objectCells.at(0), unitsPerObject);
        Box last = Box.cell(objectCells.at(objectCells.count() - 1), unitsPerObject);
        long[] shape = new long[unitsPerObject.length];
        for (int d = 0; d < shape.length; d++) {
            shape[d] = last.end(d) - first.origin(d);
        }
        UnitLocations locations = units.find(Box.of(first.origin(), shape).intersect(units.grid()));
        recoder.begin(locations, movableUnits);
        for (long i = 0; i < objectCells.count(); i++) {
            buildObject(objectCells.at(i), locations);
        }
    }

    private void buildObject(long[] cell, UnitLocations locations) {
        Box unitCells = Box.cell(cell, unitsPerObject).intersect(units.grid());
        long missing = 0;
        long toDecode = 0;
        for (long i = 0; i < unitCells.count(); i++) {
            int unit = locations.index(unitCells.at(i));
            missing += locations.isMissing(unit) ? 1 : 0;
            toDecode += locations.needsDecoding(unit) ? 1 : 0;
        }
        if (missing == unitCells.count()) {
            return;
        } else if (toDecode > 0) {
            buildEncoded(cell, unitCells, locations, toDecode);
            return;
        }
        Content content = content(cell, unitCells, locations, Map.of());
        objects++;
        if (!staging.has(cell, content.size())) {
            staging.putAssembled(cell, content);
            bytes += content.size();
        }
    }

    private void buildEncoded(long[] cell, Box unitCells, UnitLocations locations, long toDecode) {
        if (staging.has(cell)) {
            objects++;
            return;
        }
        Map<Integer, Part> encoded = recoder.encode(cell, unitCells, locations, hasShards);
        decoded += toDecode;
        Content content = content(cell, unitCells, locations, encoded);
        if (encoded.isEmpty() && movesNone(unitCells, locations)) {
            return; // only the fill value
        }
        staging.putEncoded(cell, content);
        recoder.discard();
        objects++;
        bytes += content.size();
    }

    /** Whether no unit is moved as encoded bytes: all are missing, or must be decoded. */
    private static boolean movesNone(Box unitCells, UnitLocations locations) {
        for (long i = 0; i < unitCells.count(); i++) {
            int unit = locations.index(unitCells.at(i));
            if (!locations.isMissing(unit) && !locations.needsDecoding(unit)) {
                return false;
            }
        }
        return true;
    }

    private Content content(long[] cell, Box unitCells, UnitLocations locations, Map<Integer, Part> encoded) {
        Content content = hasShards
                ? shard(cell, unitCells, locations, encoded)
                : new AssembledContent(
                        staging.store(),
                        new Frame(Bytes.EMPTY, i -> i, Bytes.EMPTY),
                        1,
                        i -> part(locations.index(unitCells.at(0)), locations, encoded));
        return UnitRecoder.replacingSource(source, target, cell, content);
    }

    /** Returns the content of a unit, by its index in {@code locations}. Units with fill values only are empty. */
    private static Part part(int unit, UnitLocations locations, Map<Integer, Part> encoded) {
        if (locations.isMissing(unit)) {
            return new AssembledContent.Empty();
        } else if (locations.needsDecoding(unit)) {
            Part part = encoded.get(unit);
            return part == null ? new AssembledContent.Empty() : part;
        }
        return new AssembledContent.Range(locations.key(unit), locations.offset(unit), locations.size(unit));
    }

    private Content shard(long[] cell, Box unitCells, UnitLocations locations, Map<Integer, Part> encoded) {
        ShardAccess shard = ArrayInternals.of(target).codec(cell).shardAccess().orElseThrow();
        long[] counts = shard.gridShape();
        int count = Math.toIntExact(Shapes.count(counts));
        long[] sizes = new long[count];
        int[] unitOfEntry = new int[count]; // by entry of the shard's index; -1 for an empty one
        Arrays.fill(sizes, -1);
        Arrays.fill(unitOfEntry, -1);
        Box relative = unitCells.relativeTo(Box.cell(cell, unitsPerObject));
        for (long i = 0; i < unitCells.count(); i++) {
            int unit = locations.index(unitCells.at(i));
            int entry = (int) Shapes.ravel(Shapes.permute(relative.at(i), level.order()), counts);
            Part part = part(unit, locations, encoded);
            if (!(part instanceof AssembledContent.Empty)) {
                sizes[entry] = part.size();
                unitOfEntry[entry] = unit;
            }
        }
        Frame frame;
        try (Scratch scratch = new Scratch()) {
            frame = ShardAssembly.of(shard).frame(sizes, ShardWritePolicy.Order.C, scratch);
        }
        return new AssembledContent(
                staging.store(),
                frame,
                count,
                i -> unitOfEntry[i] < 0 ? new AssembledContent.Empty() : part(unitOfEntry[i], locations, encoded));
    }
}
