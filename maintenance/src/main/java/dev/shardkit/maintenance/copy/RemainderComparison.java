package dev.shardkit.maintenance.copy;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.chunks.BoxSplit;
import dev.shardkit.maintenance.chunks.StoredBoxes;
import dev.shardkit.spi.array.Box;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Compares the chunks that an interrupted deletion has left with a complete copy of the array. Deleted chunks are not
 * compared: they read as the fill value. Stateless.
 */
final class RemainderComparison {
    /** The maximum number of elements that are compared at once. */
    private static final long MAX_ELEMENTS = 1 << 20;

    private RemainderComparison() {}

    /** Describes a chunk of {@code rest} that differs from {@code copied}; empty if there is none. */
    static Optional<String> findDifference(ZarrArray rest, ZarrArray copied) {
        if (!Arrays.equals(rest.shape(), copied.shape()) || !rest.dataType().equals(copied.dataType())) {
            return Optional.of("its shape or data type is another one");
        }
        Box domain = rest.domain();
        AtomicReference<Optional<String>> found = new AtomicReference<>(Optional.empty());
        Consumer<Box> compare = box -> BoxSplit.visit(rest, box.intersect(domain), MAX_ELEMENTS, part -> {
            if (found.get().isEmpty() && !rest.read(part).equals(copied.read(part))) {
                found.set(Optional.of("elements in " + part + " differ"));
            }
        });
        StoredBoxes.of(rest, domain)
                .ifPresentOrElse(
                        boxes -> boxes.visit(MAX_ELEMENTS, compare, absent -> {}),
                        () -> rest.presence().atLevel(0).forEach(chunk -> compare.accept(chunk.box())));
        return found.get();
    }
}
