package dev.shardkit.maintenance;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.ReplacementRecord.Item;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Chooses the chunk keys under which a {@link Replacement} stores the new chunks of an array. Stateless. */
final class ReplacementKeys {
    private ReplacementKeys() {}

    /**
     * Returns the documents of an array before and after the replacement.
     *
     * @param shape the new shape
     * @param ended the keys of a replacement that this one ends: its program may still write chunks
     */
    static Item choose(ZarrArray array, long[] shape, Optional<Json> ended) {
        ArrayMetadata from = array.metadata();
        if (array.nodeFormat().isPresent() || !from.storageTransformers().isEmpty()) {
            throw new UnsupportedException(array.location()
                    + ": only the elements of a Zarr v3 array without storage transformers can be replaced");
        }
        LayoutPreconditions.refuseOtherDocument(array);
        Json.Obj to = MetadataWriter.document(from.withShape(shape));
        Optional<String> taken = Optional.empty();
        List<Json> encodings = new ArrayList<>(Layouts.others(from));
        if (ended.isPresent()) {
            encodings.add(Layouts.otherSeparator(from));
        }
        for (Json keys : encodings) {
            Json.Obj next = Layouts.withKeys(to, keys);
            ArrayMetadata metadata = LayoutChange.read(array, next);
            if (ended.map(avoided -> LayoutChange.read(array, Layouts.withKeys(to, avoided)))
                    .filter(avoided -> Layouts.haveSameKeys(metadata, avoided, shape.length))
                    .isPresent()) {
                continue;
            }
            taken = new KeyFamily(
                            Zarr.openArray(ArrayInternals.of(array).store(), array.path(), metadata, array.options()))
                    .first();
            if (taken.isEmpty()) {
                return new Item(array.path(), MetadataWriter.document(from), next);
            }
        }
        throw new UnsupportedException("cannot replace the elements of " + array.location() + ": object "
                + taken.orElse("")
                + " already uses a key that the new chunks need. It is not part of the array. Move or"
                + " delete it (Repair.droppingStrays)");
    }
}
