package dev.shardkit.maintenance;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.ElementCopy;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;
import org.jspecify.annotations.Nullable;

/**
 * A feed of any size that loads elements on demand. It loads the elements for one stored chunk of the destination at
 * once if they are of moderate size, and otherwise inner chunk by inner chunk. Thread-safe if the loader is.
 */
public final class LoadedFeed implements Feed {
    private static final long MOST_BYTES = 64L << 20;
    private static final int VARIABLE_ELEMENT_BYTES = 128;

    /** Loads elements. */
    public interface Loader {
        /** Returns the elements of {@code part} of the feed, in C order, little-endian. */
        DenseChunk load(Box part);
    }

    private final Loader loader;
    private final long most;

    private LoadedFeed(Loader loader, long most) {
        this.loader = loader;
        this.most = most;
    }

    /** Returns a feed of elements from {@code loader}, with the data type of {@code array}. */
    public static Feed of(ZarrArray array, Loader loader) {
        long bytes = Math.min(
                MOST_BYTES,
                Runtime.getRuntime().maxMemory() / (8L * Runtime.getRuntime().availableProcessors()));
        return new LoadedFeed(
                loader, bytes / Math.max(1, array.dataType().elementSize().orElse(VARIABLE_ELEMENT_BYTES)));
    }

    /** Returns a feed that loads the elements for a stored chunk of {@code array} at once, whatever their size. */
    static Feed ofWholeChunks(Loader loader) {
        return new LoadedFeed(loader, Long.MAX_VALUE);
    }

    /** Returns a feed of the elements of {@code region}; its index zero is the region's origin. */
    public static Feed of(ZarrArray array, Box region) {
        Loader loader = loader(array);
        return of(array, part -> loader.load(part.translate(region.origin())));
    }

    /** Returns a loader of the elements of an array. */
    public static Loader loader(ZarrArray array) {
        return part -> {
            DenseChunk chunk = DenseChunk.filled(ChunkType.of(array.dataType(), array.fillValue(), part.shape()));
            array.read(part, chunk.target());
            return chunk;
        };
    }

    /**
     * Returns a loader of the elements of a source, for jobs whose resumed run keeps the chunks that it wrote. Elements
     * that read as the fill value are those of absent chunks, so a remote source must still be there then; reads of a
     * local one check that themselves.
     */
    public static Loader confirmed(ZarrArray source) {
        if (ArrayInternals.of(source).node().session().isNear()) {
            return loader(source);
        }
        return part -> {
            DenseChunk chunk = DenseChunk.filled(ChunkType.of(source.dataType(), source.fillValue(), part.shape()));
            FillNote note = new FillNote(chunk.target());
            source.read(part, note);
            if (note.filled) {
                SourceNode.confirm(source);
            }
            return chunk;
        };
    }

    /** Notes whether any element was filled. */
    private static final class FillNote implements Target {
        private final Target to;
        private volatile boolean filled;

        FillNote(Target to) {
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
        copy(loader.load(part), part.shape(), Box.of(part.shape()), to, offset, strides);
    }

    private static void copy(DenseChunk from, long[] shape, Box part, Elements to, long offset, long[] strides) {
        ElementCopy.copy(
                from.elements(),
                Shapes.ravel(part.origin(), shape),
                Shapes.strides(shape),
                to,
                offset,
                strides,
                part.shape());
    }

    /** The engine creates one window for each stored chunk that it writes. */
    @Override
    public Feed window(Box at) {
        return Shapes.count(at.shape()) <= most ? new Window(at) : Feed.super.window(at);
    }

    /** The part for one stored chunk, kept from the first call on. */
    private final class Window implements Feed {
        private final Box at;
        private @Nullable DenseChunk loaded;

        Window(Box at) {
            this.at = at;
        }

        private synchronized DenseChunk chunk() {
            if (loaded == null) {
                loaded = loader.load(at);
            }
            return loaded;
        }

        @Override
        public void get(Box part, Elements to, long offset, long[] strides) {
            copy(chunk(), at.shape(), part, to, offset, strides);
        }
    }
}
