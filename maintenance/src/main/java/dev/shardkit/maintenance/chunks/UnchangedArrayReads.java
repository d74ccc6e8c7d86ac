package dev.shardkit.maintenance.chunks;

import dev.shardkit.NdArray;
import dev.shardkit.ZarrArray;
import dev.shardkit.javaarray.JavaArrayAdapters;
import dev.shardkit.region.StoredArray;
import dev.shardkit.region.box.Boxes;
import dev.shardkit.region.read.RegionReads;
import dev.shardkit.selection.ReadDivision;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads many boxes of an array that does not change meanwhile. It lists the stored chunks once, when a box touches many
 * chunks, so absent chunks cost nothing. Where a whole remote array is read, the first read lists its chunks: one
 * listing request names a thousand chunks, and checking a single absent chunk takes a request too. Holds eight bytes
 * for each stored chunk. Thread-safe.
 */
public final class UnchangedArrayReads {
    /** For at most this number of chunks, checking each is cheaper than a listing. */
    private static final long FEW = 64;

    private final ZarrArray array;
    private final Box region;
    private final StoredArray storedArray;
    /** Whether each read uses the listing. */
    private final boolean listsAlways;

    private @Nullable Optional<StoredBoxes> stored;

    /** Creates reads of an array; lists nothing yet. */
    public UnchangedArrayReads(ZarrArray array) {
        this(array, array.domain());
    }

    /** Creates reads of all parts of an array; lists nothing yet. */
    public static UnchangedArrayReads ofWhole(ZarrArray array) {
        boolean isRemote = !ArrayInternals.of(array).node().session().isLocal();
        return new UnchangedArrayReads(array, array.domain(), isRemote);
    }

    /** Creates reads of boxes in a region of an array. Lists nothing yet, and later only the region. */
    public UnchangedArrayReads(ZarrArray array, Box region) {
        this(array, region, false);
    }

    private UnchangedArrayReads(ZarrArray array, Box region, boolean listsAlways) {
        this.array = array;
        this.region = region;
        this.storedArray = ArrayInternals.of(array);
        this.listsAlways = listsAlways;
    }

    /** Returns the array. */
    public ZarrArray array() {
        return array;
    }

    /**
     * Reads a part.
     *
     * @throws dev.shardkit.spi.error.ZarrException if a chunk cannot be read
     */
    public NdArray read(Box part) {
        Object values = JavaArrayAdapters.allocate(array.dataType(), part.shape());
        read(part, JavaArrayAdapters.target(array.dataType(), part.shape(), values, 0));
        return NdArray.of(array.dataType(), part.shape(), values);
    }

    /**
     * Reads a part into a target, whose index zero is the origin of the part.
     *
     * @throws dev.shardkit.spi.error.ZarrException if a chunk cannot be read
     */
    public void read(Box part, Target target) {
        read(part, target, target);
    }

    /**
     * Reads a part into a target.
     *
     * @param absent receives the fill values of chunks that are absent from the listing
     */
    public void read(Box part, Target target, Target absent) {
        if (!isListed(part)) {
            array.read(part, target);
            return;
        }
        List<Box> some = new ArrayList<>();
        stored().get()
                .within(part)
                .visit(Long.MAX_VALUE, some::add, box -> absent.fill(array.fillValue(), box.relativeTo(part)));
        if (some.size() == 1) {
            Box box = some.get(0);
            array.read(box, target.window(box.relativeTo(part)));
        } else if (!some.isEmpty()) {
            new RegionReads(storedArray).read(new PartBoxes(some, part), target);
        }
    }

    /** Boxes of a part, which are read at once. */
    private record PartBoxes(List<Box> boxes, Box part) implements ReadDivision {
        @Override
        public long count() {
            return boxes.size();
        }

        @Override
        public Box box(long i) {
            return boxes.get((int) i);
        }

        @Override
        public Target target(long i, Target result) {
            return result.window(box(i).relativeTo(part));
        }
    }

    private boolean isListed(Box part) {
        return (listsAlways || Boxes.count(storedArray.touched(part)) > FEW) && stored().isPresent();
    }

    /**
     * Whether the chunks that {@code part} touches are known to be absent, so that it has fill values only. Returns
     * false for a local array that was not listed yet.
     */
    public boolean isAbsent(Box part) {
        Optional<StoredBoxes> known = listsAlways ? stored() : knownBoxes();
        return known.isPresent() && !known.get().touches(part);
    }

    private synchronized Optional<StoredBoxes> knownBoxes() {
        Optional<StoredBoxes> known = stored;
        return known == null ? Optional.empty() : known;
    }

    /**
     * Returns the stored chunks of the region. Lists them once. Returns empty as {@link StoredBoxes#of} does.
     *
     * @throws dev.shardkit.spi.error.StoreException if the store fails
     */
    public synchronized Optional<StoredBoxes> stored() {
        Optional<StoredBoxes> known = stored;
        if (known == null) {
            known = StoredBoxes.of(array, region);
            stored = known;
        }
        return known;
    }
}
