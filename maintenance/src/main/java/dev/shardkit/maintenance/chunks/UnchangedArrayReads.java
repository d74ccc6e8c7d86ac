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
 * Reads many boxes of an array that must not change while it is read, such as the source of a copy. Lists the stored
 * chunks once, as soon as a box touches many chunks; after that, absent chunks cost nothing. If a whole remote array is
 * read, the first read lists its chunks: a listing request names a thousand chunks, but a read needs a request even for
 * a single absent chunk. Keeps eight bytes for each stored chunk. Thread-safe.
 */
public final class UnchangedArrayReads {
    /** Up to this number of chunks, reading each is cheaper than a listing. */
    private static final long FEW = 64;

    private final ZarrArray array;
    private final Box region;
    private final StoredArray storedArray;
    /** Whether each read uses the listing. */
    private final boolean listsAlways;

    /** The listed chunks; null before the listing, empty if the store cannot list. Guarded by this object. */
    private @Nullable Optional<StoredBoxes> stored;

    /** Creates reads of some boxes of an array. Lists nothing yet. */
    public UnchangedArrayReads(ZarrArray array) {
        this(array, array.domain());
    }

    /** Creates reads of all parts of an array. Lists nothing yet. */
    public static UnchangedArrayReads ofWhole(ZarrArray array) {
        boolean isRemote = !ArrayInternals.of(array).node().session().isLocal();
        return new UnchangedArrayReads(array, array.domain(), isRemote);
    }

    /** Creates reads of boxes in a region of an array. Lists nothing yet, and later only chunks of the region. */
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
     * Reads a part into two targets, whose index zero is the origin of the part.
     *
     * @param target receives the elements of stored chunks
     * @param absent receives the fill values of chunks that are absent from the listing
     */
    public void read(Box part, Target target, Target absent) {
        if (!isListed(part)) {
            array.read(part, target);
            return;
        }
        List<Box> storedBoxes = new ArrayList<>();
        stored().get()
                .within(part)
                .visit(Long.MAX_VALUE, storedBoxes::add, box -> absent.fill(array.fillValue(), box.relativeTo(part)));
        if (storedBoxes.size() == 1) {
            Box box = storedBoxes.get(0);
            array.read(box, target.window(box.relativeTo(part)));
        } else if (!storedBoxes.isEmpty()) {
            new RegionReads(storedArray).read(new PartBoxes(storedBoxes, part), target);
        }
    }

    /** The boxes of a part that have stored chunks; one read reads all of them. */
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
     * Returns whether all chunks that {@code part} touches are known to be absent, so that it has fill values only.
     * Returns false if the chunks were not listed yet, unless a whole remote array is read, which is then listed.
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
