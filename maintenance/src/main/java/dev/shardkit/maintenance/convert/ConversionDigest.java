package dev.shardkit.maintenance.convert;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.StoredChunkList;
import dev.shardkit.maintenance.chunks.StoredObjects;
import dev.shardkit.maintenance.convert.ConversionPlan.Source;
import dev.shardkit.maintenance.convert.ConversionPlan.Step;
import dev.shardkit.maintenance.source.StateDigest;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Computes the fingerprint of a conversion. A run resumes an interrupted one only if both have the same fingerprint. It
 * covers the new documents, and the keys and versions of the source's objects; for a remote source, their keys and
 * sizes. Stateless.
 */
final class ConversionDigest {
    private ConversionDigest() {}

    static String of(Conversion conversion, List<Step> steps) throws IOException {
        StateDigest digest = new StateDigest();
        for (Step step : steps) {
            digest.add("/" + step.path());
            if (step.metadata() != null) {
                digest.add(MetadataWriter.write(step.metadata()));
            }
            if (step.array() != null) {
                addObjects(digest, conversion, step.array());
            }
        }
        return digest.text();
    }

    private static void addObjects(StateDigest digest, Conversion conversion, Source source) throws IOException {
        ZarrArray stored = Zarr.openArray(
                conversion.source(),
                source.array().path(),
                source.portableArray().storedMetadata(),
                conversion.options());
        StoredChunkList cells = StoredChunkList.of(stored);
        for (long i = 0; i < cells.count(); i++) {
            long[] cell = cells.cell(i);
            Optional<String> version = version(conversion, stored, cell);
            if (version.isPresent()) {
                digest.add(ArrayInternals.of(stored).key(cell));
                digest.add(version.get());
            }
        }
    }

    private static Optional<String> version(Conversion conversion, ZarrArray stored, long[] cell) throws IOException {
        if (conversion.source().reads() instanceof LocalReads) {
            return StoredObjects.find(
                    BlockingStore.to(conversion.source()),
                    ArrayInternals.of(stored).key(cell),
                    ObjectSnapshot::version);
        }
        return ArrayInternals.of(stored)
                .inspect(
                        List.of(cell),
                        (anyCell, source) -> source.<Optional<String>>read(
                                new ByteRange.Suffix(1), // the response states the size of the object
                                (response, scratch) -> response instanceof ReadResult.Found found
                                        ? Optional.of(Long.toString(found.sourceSize()))
                                        : Optional.empty()))
                .get(0);
    }
}
