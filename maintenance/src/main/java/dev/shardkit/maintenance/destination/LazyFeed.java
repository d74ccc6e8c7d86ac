package dev.shardkit.maintenance.destination;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.UnchangedArrayReads;
import dev.shardkit.maintenance.source.SourceCheck;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.EncodedFeed;
import dev.shardkit.spi.plan.Bytes;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A feed (the input of a write) of any size that loads elements on demand. If the elements of one stored chunk of the
 * target fit in memory, it loads them with one call. Otherwise it loads them inner chunk by inner chunk or, in copies,
 * in tiles: boxes of whole source chunks. Thread-safe if the loader is.
 */
public final class LazyFeed implements EncodedFeed {
    private static final long MAX_BYTES = 64L << 20;
    private static final int VARIABLE_ELEMENT_BYTES = 128;

    /** Loads elements. */
    public interface Loader {
        /** Returns the elements of {@code part} of the feed, in C order, little-endian. */
        DenseChunk load(Box part);

        /** Whether {@code part} is known to have fill values only, without loading it. */
        default boolean isFill(Box part) {
            return false;
        }

        /** Returns the loader of a feed whose index zero is {@code origin} of this one. */
        default Loader from(long[] origin) {
            Loader own = this;
            return new Loader() {
                @Override
                public DenseChunk load(Box part) {
                    return own.load(part.translate(origin));
                }

                @Override
                public boolean isFill(Box part) {
                    return own.isFill(part.translate(origin));
                }
            };
        }
    }

    private final Loader loader;
    private final long maxElements;
    private final @Nullable CopySource copySource;
    private final LongConsumer elementCounter;

    private LazyFeed(Loader loader, long maxElements, @Nullable CopySource copySource, LongConsumer elementCounter) {
        this.elementCounter = elementCounter;
        this.loader = loader;
        this.maxElements = maxElements;
        this.copySource = copySource;
    }

    /**
     * The array whose elements a feed copies.
     *
     * @param source the reads of the array
     * @param origin where the feed begins in it
     * @param targetChunkShape the shape of the chunks or inner chunks that are written
     * @param movableChunks those of its chunks that can move without decoding; null if there are none
     */
    record CopySource(
            UnchangedArrayReads source,
            long[] origin,
            long[] targetChunkShape,
            @Nullable MovableChunks movableChunks) {}

    /** Returns a feed of elements from {@code loader}, with the data type of {@code array}. */
    public static LazyFeed of(ZarrArray array, Loader loader) {
        long bytes = Math.min(
                MAX_BYTES,
                Runtime.getRuntime().maxMemory() / (8L * Runtime.getRuntime().availableProcessors()));
        return new LazyFeed(
                loader,
                bytes / Math.max(1, array.dataType().elementSize().orElse(VARIABLE_ELEMENT_BYTES)),
                null,
                n -> {});
    }

    /**
     * Returns this feed for a copy of {@code from} to {@code to}. It supplies chunks of the same shape and codecs in
     * encoded form. It decodes each other chunk of the source once for each shard, if enough of them fit in memory.
     *
     * @param origin where the feed begins in the source
     */
    public LazyFeed forCopy(ZarrArray from, ZarrArray to, long[] origin) {
        return forCopy(new UnchangedArrayReads(from), to, origin, n -> {});
    }

    /**
     * Returns this feed for a copy, with these reads of the source.
     *
     * @param elementCounter receives the numbers of elements that were passed on, on any thread
     */
    public LazyFeed forCopy(UnchangedArrayReads from, ZarrArray to, long[] origin, LongConsumer elementCounter) {
        boolean sameFill = from.array().fillValue().equals(to.fillValue());
        return new LazyFeed(
                // loader::load drops isFill: absent chunks have the source's fill value, not the target's
                sameFill ? loader : loader::load,
                maxElements,
                new CopySource(from, origin.clone(), to.chunkShape(), MovableChunks.of(from, to)),
                elementCounter);
    }

    /** Returns a feed that loads the elements for a stored chunk of {@code array} at once, whatever their size. */
    static LazyFeed loadingWholeChunks(Loader loader) {
        return new LazyFeed(loader, Long.MAX_VALUE, null, n -> {});
    }

    /** Returns a feed of the elements of {@code region}; its index zero is the region's origin. */
    public static LazyFeed of(UnchangedArrayReads reads, Box region) {
        return of(reads.array(), loader(reads).from(region.origin()));
    }

    private static Loader loader(UnchangedArrayReads reads) {
        ZarrArray array = reads.array();
        return skippingAbsent(reads, part -> {
            DenseChunk chunk = DenseChunk.filled(ChunkType.of(array.dataType(), array.fillValue(), part.shape()));
            reads.read(part, chunk.target());
            return chunk;
        });
    }

    private static Loader skippingAbsent(UnchangedArrayReads reads, Loader loader) {
        return new Loader() {
            @Override
            public DenseChunk load(Box part) {
                return loader.load(part);
            }

            @Override
            public boolean isFill(Box part) {
                return reads.isAbsent(part);
            }
        };
    }

    /**
     * Returns a loader that detects a deleted source. Chunks of a deleted array read as fill values, and a resumed run
     * would keep them. So when a remote source returns fill values, the loader checks that it still exists: each time
     * for chunks that were read, once for chunks that a listing shows as absent. Reads of a local source make this
     * check themselves.
     */
    public static Loader confirmed(ZarrArray source) {
        return confirmed(new UnchangedArrayReads(source));
    }

    /** Returns a loader as {@link #confirmed(ZarrArray)} does, with these reads of the source. */
    public static Loader confirmed(UnchangedArrayReads reads) {
        ZarrArray source = reads.array();
        if (ArrayInternals.of(source).node().session().isLocal()) {
            return loader(reads);
        }
        AtomicBoolean isConfirmed = new AtomicBoolean();
        return skippingAbsent(reads, part -> {
            DenseChunk chunk = DenseChunk.filled(ChunkType.of(source.dataType(), source.fillValue(), part.shape()));
            FillDetector fillInRead = new FillDetector(chunk.target());
            FillDetector fillInAbsent = new FillDetector(chunk.target());
            reads.read(part, fillInRead, fillInAbsent);
            if (fillInRead.filled || fillInAbsent.filled && !isConfirmed.get()) {
                SourceCheck.confirm(source);
                isConfirmed.set(true);
            }
            return chunk;
        });
    }

    /** Detects whether any element received the fill value of an absent chunk. */
    private static final class FillDetector implements Target {
        private final Target to;
        private volatile boolean filled;

        FillDetector(Target to) {
            this.to = to;
        }

        @Override
        public void put(Elements from, long offset, long[] strides, Box at) {
            to.put(from, offset, strides, at);
        }

        @Override
        public void fill(FillValue value, Box at) {
            filled = true;
            to.fill(value, at);
        }
    }

    @Override
    public void get(Box part, Elements to, long offset, long[] strides) {
        DecodedTileCache.withoutTiles(loader, part).get(part, to, offset, strides);
    }

    /** The engine creates one window for each stored chunk that it writes. */
    @Override
    public EncodedFeed window(Box at) {
        return new Window(new TargetChunkElements(loader, at, copySource, maxElements), at, elementCounter);
    }

    @Override
    public Optional<Bytes> encoded(ChunkCodec codec) {
        return Optional.empty();
    }

    /** A box of the elements that were loaded for one stored chunk. */
    private record Window(TargetChunkElements loaded, Box at, LongConsumer elementCounter) implements EncodedFeed {
        @Override
        public void get(Box part, Elements to, long offset, long[] strides) {
            loaded.get(part.translate(at.origin()), to, offset, strides);
            elementCounter.accept(part.count());
        }

        /** Absent chunks of the source need not be loaded, compared and encoded. */
        @Override
        public Coverage coverage(Box part) {
            return loaded.isFill(part.translate(at.origin())) ? Coverage.FILL : Coverage.ALL;
        }

        @Override
        public EncodedFeed window(Box part) {
            return new Window(loaded, part.translate(at.origin()), elementCounter);
        }

        @Override
        public Optional<Bytes> encoded(ChunkCodec codec) {
            Optional<Bytes> moved = loaded.encoded(at, codec);
            moved.ifPresent(bytes -> elementCounter.accept(at.count()));
            return moved;
        }
    }
}
