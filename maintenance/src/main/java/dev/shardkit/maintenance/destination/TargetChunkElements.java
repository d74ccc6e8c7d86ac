package dev.shardkit.maintenance.destination;

import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.destination.LazyFeed.CopySource;
import dev.shardkit.maintenance.destination.LazyFeed.Loader;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.plan.Bytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Supplies the elements of one stored chunk of a copy, while it is encoded. Loads them from the source on first use and
 * keeps them: as encoded chunks if the codecs agree, otherwise as decoded elements. Thread-safe if the loader is.
 *
 * <p>If the elements fit in memory ({@link LazyFeed} sets the limit), all elements that must be decoded are decoded
 * together. Otherwise they are loaded in tiles ({@link DecodedTileCache}): boxes of whole source chunks, longest in the
 * last dimension. So a source chunk that is larger than the inner chunks of the copy is decoded only once, if a row of
 * such chunks fits in memory.
 */
final class TargetChunkElements {
    private final Loader loader;
    private final Box chunkBox;
    private final @Nullable CopySource copySource;
    private final long maxElements;
    private final boolean fitsInMemory;
    /** The encoded chunks of the source by their boxes; null before the first use. Guarded by this object. */
    private @Nullable Map<Box, Bytes> encodedChunks;
    /** The decoded elements; null before the first use. Guarded by this object. */
    private @Nullable DecodedTileCache tiles;

    /**
     * Prepares to load the elements of {@code chunkBox}, a box of the feed.
     *
     * @param maxElements the maximum number of elements that are kept
     */
    TargetChunkElements(Loader loader, Box chunkBox, @Nullable CopySource copySource, long maxElements) {
        this.loader = loader;
        this.chunkBox = chunkBox;
        this.copySource = copySource;
        this.maxElements = maxElements;
        this.fitsInMemory = Shapes.count(chunkBox.shape()) <= maxElements;
    }

    /** Returns whether {@code part}, a box of the feed, is known to have fill values only. */
    boolean isFill(Box part) {
        return loader.isFill(part);
    }

    /**
     * Returns the encoded bytes of {@code part}, a box of the feed, if it is a chunk of the source that {@code codec}
     * decodes.
     */
    Optional<Bytes> encoded(Box part, ChunkCodec codec) {
        if (copySource == null
                || copySource.movableChunks() == null
                || !copySource.movableChunks().isDecodedBy(codec)) {
            return Optional.empty();
        }
        Box chunk = part.translate(copySource.origin());
        if (!copySource.movableChunks().isChunk(chunk)) {
            return Optional.empty();
        }
        return fitsInMemory
                ? Optional.ofNullable(encodedChunks().get(chunk))
                : copySource.movableChunks().read(List.of(chunk)).get(0);
    }

    /**
     * Returns the encoded source chunks in this stored chunk, by their boxes in the source. Reads all of them
     * concurrently.
     */
    private synchronized Map<Box, Bytes> encodedChunks() {
        if (encodedChunks == null) {
            encodedChunks = copySource == null || copySource.movableChunks() == null
                    ? Map.of()
                    : readEncodedChunks(copySource, copySource.movableChunks());
        }
        return encodedChunks;
    }

    private Map<Box, Bytes> readEncodedChunks(CopySource from, MovableChunks chunks) {
        Box cells = chunks.cells(chunkBox.translate(from.origin()));
        List<Box> boxes = new ArrayList<>();
        for (long i = 0; i < cells.count(); i++) {
            Box box = chunks.box(cells.at(i));
            if (chunks.isChunk(box)) {
                boxes.add(box);
            }
        }
        List<Optional<Bytes>> bytes = chunks.read(boxes);
        Map<Box, Bytes> found = new HashMap<>();
        for (int i = 0; i < boxes.size(); i++) {
            if (bytes.get(i).isPresent()) {
                found.put(boxes.get(i), bytes.get(i).get());
            }
        }
        return found;
    }

    /** Copies the elements of {@code part}, a box of the feed, as a feed does. */
    void get(Box part, Elements to, long offset, long[] strides) {
        tiles().get(part, to, offset, strides);
    }

    private synchronized DecodedTileCache tiles() {
        if (tiles == null) {
            tiles = newTiles();
        }
        return tiles;
    }

    private DecodedTileCache newTiles() {
        if (fitsInMemory) {
            return DecodedTileCache.singleTile(loader, boxToDecodeTogether());
        } else if (copySource == null) {
            return DecodedTileCache.withoutTiles(loader, chunkBox);
        }
        return DecodedTileCache.of(
                loader,
                chunkBox,
                copySource.source().array(),
                copySource.origin(),
                copySource.targetChunkShape(),
                maxElements);
    }

    /**
     * Returns the box that is decoded at once. If no encoded chunks can be used, it is the whole chunk. Otherwise, for
     * a local source it is empty, and the chunks that need decoding are decoded one by one. For a remote source it is
     * the smallest box around these chunks, because each load waits for the network.
     */
    private Box boxToDecodeTogether() {
        Map<Box, Bytes> encoded = encodedChunks();
        if (copySource == null || encoded.isEmpty()) {
            return chunkBox;
        }
        if (ArrayInternals.of(copySource.source().array()).node().session().isLocal()) {
            return Box.of(chunkBox.origin(), new long[chunkBox.rank()]);
        }
        MovableChunks chunks = Objects.requireNonNull(copySource.movableChunks());
        Box boxInSource = chunkBox.translate(copySource.origin());
        Box cells = chunks.cells(boxInSource);
        long[] first = boxInSource.origin();
        long[] end = boxInSource.origin();
        boolean isFirst = true;
        for (long i = 0; i < cells.count(); i++) {
            Box box = chunks.box(cells.at(i)).intersect(boxInSource);
            boolean needsDecoding =
                    !encoded.containsKey(box) && !copySource.source().isAbsent(box);
            for (int d = 0; d < first.length && needsDecoding; d++) {
                first[d] = isFirst ? box.origin(d) : Math.min(first[d], box.origin(d));
                end[d] = isFirst ? box.end(d) : Math.max(end[d], box.end(d));
            }
            isFirst &= !needsDecoding;
        }
        long[] shape = new long[first.length];
        for (int d = 0; d < first.length; d++) {
            shape[d] = end[d] - first[d];
        }
        return Box.of(first, shape).relativeTo(copySource.origin());
    }
}
