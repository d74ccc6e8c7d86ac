package dev.shardkit.maintenance.staging;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.publish.DocumentChange;
import dev.shardkit.maintenance.relayout.Replacement;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Chooses the chunk keys under which a {@link Replacement} stores the new chunks of an array. They must differ from the
 * keys of the old chunks, which readers use until the replacement is committed. Stateless.
 */
public final class ReplacementKeys {
    private ReplacementKeys() {}

    /**
     * Returns the documents of an array before and after the replacement.
     *
     * @param shape the new shape
     * @param ended the chunk key encoding of an unfinished replacement that this one rolls back; its program may still
     *     be running and write chunks
     */
    public static DocumentChange choose(ZarrArray array, long[] shape, Optional<Json> ended) {
        ArrayMetadata from = array.metadata();
        if (array.nodeFormat().isPresent() || !from.storageTransformers().isEmpty()) {
            throw new UnsupportedException(array.location()
                    + ": only the elements of a Zarr v3 array without storage transformers can be replaced");
        }
        LayoutPreconditions.refuseOtherDocument(array);
        Json.Obj to = MetadataWriter.document(from.withShape(shape));
        List<Json> others = others(array, shape.length, ended);
        if (others.isEmpty()) {
            throw new UnsupportedException("cannot replace the elements of " + array.location()
                    + ": the program of a replacement that has ended now may still write to the only other keys; begin"
                    + " again when that program has ended");
        }
        Json.Obj next = LayoutMembers.withKeys(to, ChunkKeyObjects.findUnusedEncoding(array, to, others));
        return new DocumentChange(array.path(), MetadataWriter.document(from), next);
    }

    /**
     * Returns the encodings whose keys differ from those of the array and of {@code ended}, the least recently used one
     * first. All replacements of an array use the encodings in the same cyclic order, so keys are reused as late as
     * possible. This protects readers that opened the array before a replacement, and keeps late writes of a program
     * whose replacement was rolled back away from valid chunks.
     */
    private static List<Json> others(ZarrArray array, int rank, Optional<Json> ended) {
        ArrayMetadata from = array.metadata();
        List<Json> cycle = new ArrayList<>();
        for (Json keys : LayoutMembers.keyEncodings(from)) {
            if (cycle.stream().noneMatch(known -> haveSameKeys(array, known, keys, rank))) {
                cycle.add(keys);
            }
        }
        Json own = LayoutMembers.keyEncoding(from);
        Json last = ended.orElse(own);
        for (int i = 1; i < cycle.size() && !haveSameKeys(array, cycle.get(cycle.size() - 1), last, rank); i++) {
            Collections.rotate(cycle, 1);
        }
        cycle.removeIf(keys -> haveSameKeys(array, keys, own, rank) || haveSameKeys(array, keys, last, rank));
        return cycle;
    }

    private static boolean haveSameKeys(ZarrArray array, Json one, Json other, int rank) {
        Json.Obj document = MetadataWriter.document(array.metadata());
        return LayoutMembers.haveSameKeys(
                LayoutChange.read(array, LayoutMembers.withKeys(document, one)),
                LayoutChange.read(array, LayoutMembers.withKeys(document, other)),
                rank);
    }
}
