package dev.shardkit.maintenance.base;

import dev.shardkit.ZarrArray;
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
    private @Nullable Optional<StoredBoxes> stored;

    /** Creates reads of an array; lists nothing yet. */
    public SparseReads(ZarrArray array) {
        this.array = array;
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
            known = StoredBoxes.of(array, array.domain());
            stored = known;
        }
        return known;
    }
}
