package dev.shardkit.maintenance.staging;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.base.ArrayInternals;
import dev.shardkit.maintenance.base.NestingLevel;
import dev.shardkit.maintenance.base.StoredChunkList;
import dev.shardkit.maintenance.staging.AssembledContent.Part;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.Framing;
import dev.shardkit.spi.codec.Framing.Frame;
import dev.shardkit.spi.codec.Partitioned;
import dev.shardkit.spi.codec.WritePolicy;
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
    private final boolean framed;
    /** The number of units of an object in each dimension. */
    private final long[] per;
    /** The number of objects in each dimension that are built together because they need the same source data. */
    private final long[] block;

    private final UnitRecoder recoding;
    private final UnitRecoder.Moving moving;
    private long objects;
    private long bytes;
    private long decoded;

    public LayoutRebuild(ZarrArray source, ArrayMetadata to, StagingArea staging) {
        this.target = Zarr.openArray(ArrayInternals.of(source).store(), source.path(), to, source.options());
        this.source = source;
        this.staging = staging;
        List<NestingLevel> levels = NestingLevel.of(to);
        this.framed = levels.size() > 1;
        this.level = levels.get(framed ? 1 : 0);
        long[] stored = target.storedChunkShape();
        long[] unit = framed ? level.shape().orElseThrow() : stored;
        this.units = new EncodedUnits(source, unit, level.codecs());
        this.per = new long[unit.length];
        for (int d = 0; d < per.length; d++) {
            per[d] = stored[d] / unit[d];
        }
        this.recoding = new UnitRecoder(source, target, staging, units);
        boolean regular = source.metadata().chunkGrid().name().equals("regular");
        boolean equal = Arrays.equals(source.storedChunkShape(), unit);
        this.moving = units.areAll() || (units.areChunks() && regular && equal)
                ? UnitRecoder.Moving.ALL
                : units.areChunks() && !regular ? UnitRecoder.Moving.SOME : UnitRecoder.Moving.NONE;
        this.block = moving == UnitRecoder.Moving.NONE
                ? recoding.block(blockOf(source.chunkShape(), stored), stored)
                : units.areAll() && !framed ? blockOf(source.storedChunkShape(), stored) : blockOf(stored, stored);
    }

    private static long[] blockOf(long[] needed, long[] stored) {
        long[] block = new long[stored.length];
        for (int d = 0; d < block.length; d++) {
            block[d] = Math.max(1, (needed[d] - 1) / stored[d] + 1);
        }
        return block;
    }

    /** Returns which units move, as far as the metadata show. */
    public UnitRecoder.Moving moving() {
        return moving;
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

    /** Returns the blocks with stored data of {@code source}. */
    public CellSet blocks(ZarrArray source) {
        CellSet blocks = new CellSet(blockGrid());
        StoredChunkList cells = StoredChunkList.of(source);
        List<NestingLevel> levels = NestingLevel.of(source.metadata());
        Optional<NestingLevel> inner = levels.size() > 1 ? Optional.of(levels.get(1)) : Optional.empty();
        for (long i = 0; i < cells.count(); i++) {
            Box chunk = ArrayInternals.of(source).box(cells.at(i)).intersect(source.domain());
            if (moving == UnitRecoder.Moving.NONE && inner.isPresent()) {
                inside(source, cells.at(i), inner.get(), blocks);
            } else {
                blocks.add(ArrayInternals.of(target).touched(chunk).cells(block));
            }
        }
        return blocks;
    }

    /** Adds the blocks with stored inner chunks; most of a sparse shard may be empty. */
    private void inside(ZarrArray source, long[] cell, NestingLevel inner, CellSet blocks) {
        Optional<Partitioned.Layout> index = ArrayInternals.of(source).layout(cell);
        if (index.isEmpty()) {
            return;
        }
        long[] shape = inner.shape().orElseThrow();
        long[] counts = ArrayInternals.of(source)
                .codec(cell)
                .partitioned()
                .orElseThrow()
                .cells();
        int[] order = Shapes.inverse(inner.order());
        Box chunk = ArrayInternals.of(source).box(cell);
        for (long i = 0; i < index.get().count(); i++) {
            if (index.get().extent(i).isPresent()) {
                Box part = Box.cell(Shapes.permute(Shapes.unravel(i, counts), order), shape)
                        .translate(chunk.origin())
                        .intersect(source.domain());
                if (!part.isEmpty()) {
                    blocks.add(ArrayInternals.of(target).touched(part).cells(block));
                }
            }
        }
    }

    private long[] blockGrid() {
        long[] cells = ArrayInternals.of(target).cells();
        return Box.of(cells).cells(block).shape();
    }

    /** Builds the objects of one block. */
    public void make(long[] blockCell) {
        Box made = Box.cell(blockCell, block)
                .intersect(Box.of(ArrayInternals.of(target).cells()));
        Box first = Box.cell(made.at(0), per);
        Box last = Box.cell(made.at(made.count() - 1), per);
        long[] shape = new long[per.length];
        for (int d = 0; d < shape.length; d++) {
            shape[d] = last.end(d) - first.origin(d);
        }
        UnitLocations places = units.find(Box.of(first.origin(), shape).intersect(units.grid()));
        recoding.begin(places, moving);
        for (long i = 0; i < made.count(); i++) {
            object(made.at(i), places);
        }
    }

    private void object(long[] cell, UnitLocations places) {
        Box mine = Box.cell(cell, per).intersect(units.grid());
        long missing = 0;
        long toDecode = 0;
        for (long i = 0; i < mine.count(); i++) {
            int n = places.number(mine.at(i));
            missing += places.isMissing(n) ? 1 : 0;
            toDecode += places.isDecoded(n) ? 1 : 0;
        }
        if (missing == mine.count()) {
            return;
        } else if (toDecode > 0) {
            encoded(cell, mine, places, toDecode);
            return;
        }
        Content content = content(cell, mine, places, Map.of());
        objects++;
        if (!staging.has(cell, content.size())) {
            staging.putMoved(cell, content);
            bytes += content.size();
        }
    }

    private void encoded(long[] cell, Box mine, UnitLocations places, long toDecode) {
        if (staging.has(cell)) {
            objects++;
            return;
        }
        Map<Integer, Part> encoded = recoding.encode(cell, mine, places, framed);
        decoded += toDecode;
        Content content = content(cell, mine, places, encoded);
        if (encoded.isEmpty() && isNothing(mine, places)) {
            return; // only the fill value
        }
        staging.putEncoded(cell, content);
        recoding.discard();
        objects++;
        bytes += content.size();
    }

    /** Whether all units are missing, or were decoded and held only the fill value. */
    private static boolean isNothing(Box mine, UnitLocations places) {
        for (long i = 0; i < mine.count(); i++) {
            int n = places.number(mine.at(i));
            if (!places.isMissing(n) && !places.isDecoded(n)) {
                return false;
            }
        }
        return true;
    }

    private Content content(long[] cell, Box mine, UnitLocations places, Map<Integer, Part> encoded) {
        Content content = framed
                ? shard(cell, mine, places, encoded)
                : new AssembledContent(
                        staging.store(),
                        new Frame(Bytes.EMPTY, i -> i, Bytes.EMPTY),
                        1,
                        i -> part(places.number(mine.at(0)), places, encoded));
        return UnitRecoder.inPlace(source, target, cell, content);
    }

    private static Part part(int number, UnitLocations places, Map<Integer, Part> encoded) {
        if (places.isMissing(number)) {
            return new AssembledContent.Nothing();
        } else if (places.isDecoded(number)) {
            Part part = encoded.get(number);
            return part == null ? new AssembledContent.Nothing() : part;
        }
        return new AssembledContent.Range(places.key(number), places.offset(number), places.size(number));
    }

    private Content shard(long[] cell, Box mine, UnitLocations places, Map<Integer, Part> encoded) {
        Partitioned shard = ArrayInternals.of(target).codec(cell).partitioned().orElseThrow();
        long[] counts = shard.cells();
        int count = Math.toIntExact(Shapes.count(counts));
        long[] sizes = new long[count];
        int[] at = new int[count];
        Arrays.fill(sizes, -1);
        Arrays.fill(at, -1);
        Box relative = mine.relativeTo(Box.cell(cell, per));
        for (long i = 0; i < mine.count(); i++) {
            int n = places.number(mine.at(i));
            int number = (int) Shapes.ravel(Shapes.permute(relative.at(i), level.order()), counts);
            Part part = part(n, places, encoded);
            if (!(part instanceof AssembledContent.Nothing)) {
                sizes[number] = part.size();
                at[number] = n;
            }
        }
        Frame frame;
        try (Scratch scratch = new Scratch()) {
            frame = Framing.of(shard).frame(sizes, WritePolicy.Order.C, scratch);
        }
        return new AssembledContent(
                staging.store(),
                frame,
                count,
                i -> at[i] < 0 ? new AssembledContent.Nothing() : part(at[i], places, encoded));
    }
}
