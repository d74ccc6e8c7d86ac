package dev.shardkit.maintenance;

import dev.shardkit.ArraySpec.IndexLocation;
import dev.shardkit.StagedArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.session.Session;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import java.util.Arrays;
import java.util.Optional;

/**
 * Copies an array, or a group with all below it, to the root of another store, perhaps with other shards, chunks and
 * codecs. Chunks are decoded and encoded again. What is not asked for stays as it is; of a sharded copy, chunk shape
 * and codecs are those of the inner chunks. Nodes of other formats become Zarr v3; storage transformers and codecs that
 * were skipped on reading are left out.
 *
 * <p>Children are written before their group, and chunks before their array's metadata, so a copy that was cut short
 * does not look complete; a copy that fails is removed. A shard is encoded in memory: where the heap has no room for
 * those of all threads at once, one thread copies the array.
 *
 * <p>Immutable and thread-safe.
 */
public final class Copy {
    private static final double MIB = 1 << 20;
    private static final int VARIABLE_ELEMENT_BYTES = 16;

    private final ZarrNode source;
    private final Recut recut;
    private final Zarr.Existing existing;
    private final Progress progress;

    private Copy(ZarrNode source, Recut recut, Zarr.Existing existing, Progress progress) {
        this.source = source;
        this.recut = recut;
        this.existing = existing;
        this.progress = progress;
    }

    /** A copy of an array, or of a group with all below it, into an empty place, as it is. */
    public static Copy of(ZarrNode source) {
        return new Copy(source, Recut.none(), Zarr.Existing.REFUSE, (array, done, total) -> {});
    }

    private Copy with(Recut other) {
        return new Copy(source, other, existing, progress);
    }

    /** The same with shards of this shape. */
    public Copy withShardShape(long... shape) {
        return with(new Recut(Optional.of(shape.clone()), recut.chunkShape(), recut.codecs(), recut.indexLocation()));
    }

    /** The same with (inner) chunks of this shape. */
    public Copy withChunkShape(long... shape) {
        return with(new Recut(recut.shardShape(), Optional.of(shape.clone()), recut.codecs(), recut.indexLocation()));
    }

    /** The same with these codecs of the (inner) chunks, as in metadata; {@code bytes} is implied. */
    public Copy withCodecs(Json... codecs) {
        return with(
                new Recut(recut.shardShape(), recut.chunkShape(), Optional.of(codecs.clone()), recut.indexLocation()));
    }

    /** The same with the index of shards in this place. */
    public Copy withIndexLocation(IndexLocation location) {
        return with(new Recut(recut.shardShape(), recut.chunkShape(), recut.codecs(), Optional.of(location)));
    }

    /** The same in place of a node or an unfinished copy that is there; nothing else is ever replaced. */
    public Copy overwriting() {
        return new Copy(source, recut, Zarr.Existing.OVERWRITE, progress);
    }

    /** The same, telling {@code listener} how far it is, in shards (without sharding: chunks) of each array. */
    public Copy withProgress(Progress listener) {
        return new Copy(source, recut, existing, listener);
    }

    /**
     * Makes the copy, after it is clear that all arrays can be as they are asked for. It must not lie within the
     * source, nor the source within it.
     *
     * @param options how it is written
     * @throws IllegalArgumentException if an array cannot be as it is asked for
     * @throws dev.shardkit.spi.error.StoreException if the place is not empty and is not to be overwritten
     * @throws UnsupportedException if the store cannot write, or the heap has no room for one shard
     */
    public void to(Store target, ZarrOptions options) {
        check(source, options);
        Destination destination = Destination.of(target);
        destination.makeRoom(existing);
        destination.begin();
        boolean done = false;
        try {
            copy(source, target, "", options);
            destination.finish();
            done = true;
        } finally {
            if (!done) {
                destination.giveUp();
            }
        }
    }

    private void check(ZarrNode from, ZarrOptions options) {
        if (from instanceof ZarrArray array) {
            recut.metadata(array, options);
        } else if (from instanceof ZarrGroup group) {
            group.children().values().forEach(child -> check(child, options));
        }
    }

    private void copy(ZarrNode from, Store target, String path, ZarrOptions options) {
        if (from instanceof ZarrArray array) {
            copy(array, target, path, options);
            return;
        }
        ZarrGroup group = (ZarrGroup) from;
        group.children().forEach((name, child) -> copy(child, target, Session.key(path, name), options));
        ZarrGroup copied = Zarr.createGroup(target, path, group.attributes(), Zarr.Existing.REFUSE, options);
        if (group.metadata().consolidated().isPresent()) {
            copied.consolidate();
        }
    }

    private void copy(ZarrArray from, Store target, String path, ZarrOptions options) {
        ArrayMetadata metadata = recut.metadata(from, options);
        StagedArray staged =
                Zarr.stageArray(target, path, metadata, Zarr.Existing.REFUSE, options.withListener(new StoreListener() {
                    @Override
                    public void onProgress(long done, long total) {
                        progress.at(path, done, total);
                    }
                }));
        try {
            write(from, staged.array());
        } catch (OutOfMemoryError e) {
            writeWithLess(from, staged.array());
        }
        staged.publish();
    }

    private static void write(ZarrArray from, ZarrArray to) {
        to.write(to.domain(), LoadedFeed.of(from, from.domain()));
    }

    private static void writeWithLess(ZarrArray from, ZarrArray to) {
        try {
            write(from, to.with(options -> options.withParallelism(1)));
        } catch (OutOfMemoryError e) {
            throw new UnsupportedException(needs(to), e);
        }
    }

    private static String needs(ZarrArray to) {
        long[] shape = to.storedChunkShape();
        double bytes = to.dataType().elementSize().orElse(VARIABLE_ELEMENT_BYTES);
        for (int d = 0; d < shape.length; d++) {
            bytes *= Math.min(shape[d], Math.max(1, to.shape()[d]));
        }
        return "not enough memory: the heap is " + mib(Runtime.getRuntime().maxMemory())
                + " at most; writing shards of shape " + Arrays.toString(shape) + " takes up to " + mib(bytes)
                + ", since a shard is encoded in memory, and as much again where its chunks are read; give more, "
                + "for example JAVA_TOOL_OPTIONS=-Xmx4g, or choose smaller shards";
    }

    private static String mib(double bytes) {
        return (long) Math.ceil(bytes / MIB) + " MiB";
    }
}
