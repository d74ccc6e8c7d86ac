package dev.shardkit.region;

import dev.shardkit.session.Session;
import dev.shardkit.session.Settings;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.store.Patches;
import dev.shardkit.store.SliceTechnique;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The technique and the memory budget with which a stream collects slices and writes them.
 *
 * @param technique the chosen technique
 * @param dimension the dimension along which slices follow each other
 * @param sliceBytes the bytes of a slice
 * @param budget the bytes of slices that may wait
 */
public record SlicePlan(SliceTechnique technique, int dimension, long sliceBytes, long budget) {
    /** The approximate size of an element of variable size. */
    private static final long VARIABLE_SIZE = 64;

    /** The smallest useful size of a tile. Smaller tiles cost more writes than they save memory. */
    private static final long MIN_TILE_BYTES = 8 << 20;

    /** Returns the plan for slices like {@code first}. */
    public static SlicePlan of(
            Session session, Chunks chunks, Box first, int dimension, SliceTechnique requested, long budget) {
        ChunkCodec codec = chunks.firstCodec();
        long element = codec.type().dataType().elementSize().isPresent()
                ? codec.type().dataType().elementSize().getAsInt()
                : VARIABLE_SIZE;
        long bytes = Math.max(1, Boxes.product(Boxes.count(first), element));
        long shard = codec.type().shape()[dimension];
        SliceTechnique technique = requested;
        if (technique == SliceTechnique.AUTO) {
            boolean patches = session.writable("writing slices").can(Patches.class);
            boolean fitsShard = shard <= Math.max(1, budget / bytes);
            if (fitsShard || !patches || codec.partitioned().isEmpty()) {
                technique = SliceTechnique.BUFFERED;
            } else {
                boolean hasFixedSize =
                        codec.partitioned().get().inner().encodedSize().isPresent();
                technique = hasFixedSize ? SliceTechnique.IN_PLACE : SliceTechnique.APPEND;
            }
        }
        return new SlicePlan(technique, dimension, bytes, budget);
    }

    /** Returns the options for the writes of this technique. */
    public Settings options(Settings options) {
        WritePolicy policy = options.writing().policy();
        return options.with(
                switch (technique) {
                    // otherwise, missing inner chunks would have no room in the shard
                    case IN_PLACE ->
                        policy.withStrategy(WritePolicy.Strategy.IN_PLACE)
                                .withAllocation(WritePolicy.Allocation.WHOLE)
                                .withEmptyChunks(WritePolicy.EmptyChunks.KEEP);
                    case APPEND -> policy.withStrategy(WritePolicy.Strategy.APPEND);
                    default -> policy;
                });
    }

    /** Returns how many slices may wait before they are written, if {@code first} is the box of the first of them. */
    public long maxWaiting(Chunks chunks, Box first) {
        if (first.isEmpty()) {
            return 1;
        }
        Box shard = chunks.grid().chunk(chunks.grid().touched(first).origin());
        long unit = chunks.codec(chunks.grid().touched(first).origin()).readShape()[dimension];
        long offset = first.origin(dimension) - shard.origin(dimension);
        long toUnit = unit - offset % unit;
        long toShard = shard.shape(dimension) - offset;
        long fitting = Math.max(1, budget / sliceBytes);
        if (technique != SliceTechnique.BUFFERED || fitting <= toUnit) {
            return Math.min(fitting, toUnit);
        }
        return fitting >= toShard ? toShard : toUnit + (fitting - toUnit) / unit * unit;
    }

    /**
     * Divides a slab into boxes, each of which is written by one call. Buffered slices are one box, so that each shard
     * is written once. Others become tiles of whole inner chunks of about a quarter of the budget (at least 8 MiB),
     * because a patch of a shard is held in memory.
     */
    public List<Box> tiles(Chunks chunks, Box slab) {
        if (technique == SliceTechnique.BUFFERED || slab.isEmpty()) {
            return List.of(slab);
        }
        List<Box> tiles = new ArrayList<>();
        Deque<Box> pending = new ArrayDeque<>(List.of(slab));
        while (!pending.isEmpty()) {
            Box box = pending.pop();
            int cut = bytes(chunks, box) <= Math.max(budget / 4, MIN_TILE_BYTES) ? -1 : widest(chunks, box);
            if (cut < 0) {
                tiles.add(box);
                continue;
            }
            long unit = unit(chunks, box, cut);
            long middle =
                    box.origin(cut) / unit + Math.max(1, (box.end(cut) - 1) / unit - box.origin(cut) / unit + 1) / 2;
            pending.push(Boxes.cut(box, cut, middle * unit, box.end(cut)));
            pending.push(Boxes.cut(box, cut, box.origin(cut), middle * unit));
        }
        return tiles;
    }

    /** Returns the bytes of the inner chunks that are encoded for {@code box}. */
    private long bytes(Chunks chunks, Box box) {
        long unit = unit(chunks, box, dimension);
        return sliceBytes == 0
                ? 0
                : Boxes.product(Boxes.product(Boxes.count(box) / box.shape(dimension), elementBytes(chunks)), unit);
    }

    private static long elementBytes(Chunks chunks) {
        return chunks.firstCodec().type().dataType().elementSize().orElse((int) VARIABLE_SIZE);
    }

    /** Returns the dimension across the slices with the most inner chunks; negative if each has only one. */
    private int widest(Chunks chunks, Box box) {
        int widest = -1;
        long maxCount = 1;
        for (int d = 0; d < box.rank(); d++) {
            long unit = unit(chunks, box, d);
            long count = (box.end(d) - 1) / unit - box.origin(d) / unit + 1;
            if (d != dimension && count > maxCount) {
                maxCount = count;
                widest = d;
            }
        }
        return widest;
    }

    private static long unit(Chunks chunks, Box box, int d) {
        return chunks.codec(chunks.grid().touched(box).origin()).readShape()[d];
    }
}
