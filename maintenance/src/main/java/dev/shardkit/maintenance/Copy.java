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
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import java.util.Arrays;
import java.util.Optional;

/**
 * Copies an array, or a group with all below it, to the root of another store, perhaps with other shards, chunks and
 * codecs. What is not asked for stays as it is; of a sharded copy, chunk shape and codecs are those of the inner
 * chunks. Nodes of other formats become Zarr v3; storage transformers and codecs that were skipped on reading are left
 * out.
 *
 * <p>Arrays that keep chunk grid and codecs are copied between local stores as stored objects, without decoding, so a
 * damaged chunk is copied as it is. All other chunks are decoded and encoded again. A shard is encoded in memory: where
 * the heap has no room for those of all threads at once, one thread copies the array.
 *
 * <p>Children are written before their group, and chunks before their array's metadata. A copy that failed or was
 * killed is marked as unfinished, and the same call resumes it: complete arrays and stored objects that are there with
 * the same size are skipped; an array whose chunks are encoded again begins anew. A copy from a remote store, or with
 * {@link Durability#NONE}, is not resumed, nor one whose source has changed; it is replaced on request.
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
        Bytes state = options.durability() == Durability.NONE ? Bytes.EMPTY : CopyState.of(source, recut, options);
        boolean resumed = destination.holds(state);
        if (!resumed) {
            destination.makeRoom(existing);
            destination.begin(state, options.durability());
        }
        new Run(target, options, resumed).copy(source, "");
        destination.finish();
    }

    private void check(ZarrNode from, ZarrOptions options) {
        if (from instanceof ZarrArray array) {
            recut.metadata(array, options);
        } else if (from instanceof ZarrGroup group) {
            group.children().values().forEach(child -> check(child, options));
        }
    }

    /** One run. */
    private final class Run {
        private final Store target;
        private final ZarrOptions options;
        private final boolean resumed;

        Run(Store target, ZarrOptions options, boolean resumed) {
            this.target = target;
            this.options = options;
            this.resumed = resumed;
        }

        void copy(ZarrNode from, String path) {
            if (from instanceof ZarrArray array) {
                if (!isComplete(path)) {
                    copy(array, path);
                }
                return;
            }
            ZarrGroup group = (ZarrGroup) from;
            group.children().forEach((name, child) -> copy(child, Session.key(path, name)));
            ZarrGroup copied = isComplete(path)
                    ? Zarr.openGroup(target, path, options)
                    : Zarr.createGroup(target, path, group.attributes(), Zarr.Existing.REFUSE, options);
            if (group.metadata().consolidated().isPresent()) {
                copied.consolidate();
            }
        }

        /** A document is written after everything below its node. */
        private boolean isComplete(String path) {
            return resumed && Zarr.find(target, path, options).isPresent();
        }

        private void copy(ZarrArray from, String path) {
            ArrayMetadata metadata = recut.metadata(from, options);
            StagedArray staged = Zarr.stageArray(
                    target, path, metadata, Zarr.Existing.REFUSE, options.withListener(new StoreListener() {
                        @Override
                        public void onProgress(long done, long total) {
                            progress.at(path, done, total);
                        }
                    }));
            if (EncodedCopy.applies(from, metadata, target)) {
                EncodedCopy.run(from, staged.array(), path, resumed, progress);
            } else {
                try {
                    write(from, staged.array());
                } catch (OutOfMemoryError e) {
                    writeWithLess(from, staged.array());
                }
            }
            staged.publish();
        }
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
