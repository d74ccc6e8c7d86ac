package dev.shardkit.maintenance.base;

import dev.shardkit.NdArray;
import dev.shardkit.ZarrArray;
import dev.shardkit.carrier.JavaArrays;
import dev.shardkit.region.Boxes;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Target;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads many parts of an array that does not change meanwhile. The stored chunks are listed once, when a part touches
 * many, so absent ones cost nothing. Holds eight bytes for each stored chunk. Thread-safe.
 */
public final class SparseReads {
    /** Up to this number of chunks, looking at each is cheap. */
    private static final long FEW = 64;

    private final ZarrArray array;
    private final Box region;
    private @Nullable Optional<StoredBoxes> stored;

    /** Creates reads of an array; lists nothing yet. */
    public SparseReads(ZarrArray array) {
        this(array, array.domain());
    }

    /** Creates reads of parts of a region of an array; lists nothing yet, and later no more than the region. */
    public SparseReads(ZarrArray array, Box region) {
        this.array = array;
        this.region = region;
    }

    /**
     * Reads a part.
     *
     * @throws dev.shardkit.spi.error.ZarrException if a chunk cannot be read
     */
    public NdArray read(Box part) {
        Object values = JavaArrays.allocate(array.dataType(), part.shape());
        read(part, JavaArrays.target(array.dataType(), part.shape(), values, 0));
        return NdArray.of(array.dataType(), part.shape(), values);
    }

    /**
     * Reads a part into a target, whose index zero is the origin of the part.
     *
     * @throws dev.shardkit.spi.error.ZarrException if a chunk cannot be read
     */
    public void read(Box part, Target target) {
        if (Boxes.count(ArrayInternals.of(array).touched(part)) <= FEW || stored().isEmpty()) {
            array.read(part, target);
            return;
        }
        stored().get()
                .within(part)
                .visit(
                        Long.MAX_VALUE,
                        box -> array.read(box, target.window(box.relativeTo(part))),
                        absent -> target.fill(array.fillValue(), absent.relativeTo(part)));
    }

    private synchronized Optional<StoredBoxes> stored() {
        Optional<StoredBoxes> known = stored;
        if (known == null) {
            known = StoredBoxes.of(array, region);
            stored = known;
        }
        return known;
    }
}
