package dev.shardkit.maintenance.convert;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.chunks.StoredObjects;
import dev.shardkit.maintenance.convert.Conversion.Outcome;
import dev.shardkit.maintenance.source.TreeWalk;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.GroupMetadata;
import dev.shardkit.metadata.MetadataReader;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.registry.FormatChoice;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.NameChecks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Plans a conversion node by node, children before their groups. Only reads; used once. */
final class ConversionPlan {
    private final Conversion conversion;
    private final List<Step> steps = new ArrayList<>();

    ConversionPlan(Conversion conversion) {
        this.conversion = conversion;
    }

    /**
     * The conversion of one node.
     *
     * @param path its path
     * @param outcome the outcome
     * @param metadata the content of its new document; null if it is refused
     * @param array the array and its Zarr v3 equivalent; null unless chunks are written
     * @param reason why it is refused; null if it is not
     * @param remarks members that are not read exactly as stored
     */
    record Step(
            String path,
            Outcome outcome,
            @Nullable NodeMetadata metadata,
            @Nullable Source array,
            @Nullable String reason,
            List<String> remarks) {
        /** Returns notes on the conversion for the user. */
        List<String> notes() {
            return Stream.concat(
                            outcome == Outcome.UNCHANGED ? Stream.empty() : conversionNote().stream(),
                            remarks.stream().map(remark -> "is not read exactly as it is stored: " + remark))
                    .toList();
        }

        /** Returns the reason for encoding chunks again, or a note that zarr-python cannot read the array. */
        private Optional<String> conversionNote() {
            if (outcome == Outcome.RECODED) {
                return Optional.of(
                        "Zarr v3 has no name for zlib and shuffle of numcodecs and lz4 of N5, so the chunks are "
                                + "encoded again with gzip or blosc; to copy them as they are, use withNamesOfNumcodecs");
            }
            return Optional.ofNullable(metadata)
                    .filter(ArrayMetadata.class::isInstance)
                    .flatMap(m -> zarrPythonNote((ArrayMetadata) m));
        }

        /** Returns a note if zarr-python cannot read the converted array correctly. */
        private static Optional<String> zarrPythonNote(ArrayMetadata array) {
            String type = array.dataType().name();
            if (type.matches("r[0-9]+")) {
                return Optional.of("zarr-python does not open arrays of data type " + type
                        + " in Zarr v3; it knows raw bits under a name of its own, raw_bytes");
            }
            Optional<Json> order = array.codecs().arrayToBytes().configuration().get("endian");
            return array.dataType().fields().isEmpty() || !order.equals(Optional.of(Json.of("big")))
                    ? Optional.empty()
                    : Optional.of("zarr-python 3.1.6 takes big-endian records for little-endian ones and reads wrong "
                            + "values; shardkit copy --codecs none makes them little-endian");
        }
    }

    /** An array to convert, and its Zarr v3 equivalent. */
    record Source(ZarrArray array, PortableArray portableArray) {}

    List<Step> planSteps() throws IOException {
        Optional<ZarrNode> root;
        try {
            root = Zarr.find(conversion.source(), "", conversion.options());
        } catch (MetadataException | UnsupportedException e) {
            refuse("", e);
            return steps;
        }
        visit(
                root.orElseThrow(() -> new MetadataException(
                        "there is no array or group in " + conversion.source().describe())),
                "");
        return steps;
    }

    /** Returns the metadata of the converted node; empty if it or a node below it is refused. */
    private Optional<NodeMetadata> visit(ZarrNode node, String path) throws IOException {
        Optional<NodeMetadata> existing;
        try {
            existing = findZarrV3Metadata(node, path);
        } catch (MetadataException | UnsupportedException e) {
            refuse(path, e);
            return Optional.empty();
        }
        if (node instanceof ZarrGroup group
                && existing.filter(ArrayMetadata.class::isInstance).isEmpty()) {
            return visit(group, path, existing.map(GroupMetadata.class::cast));
        } else if (existing.isPresent()) {
            steps.add(newStep(
                    path,
                    Outcome.UNCHANGED,
                    existing.get(),
                    null,
                    existing.get().remarks()));
            return existing;
        }
        return planArray((ZarrArray) node, path);
    }

    /**
     * Returns the Zarr v3 metadata that is stored next to the documents of another format. A search for that format
     * does not find it. Empty unless the conversion is in place and a format is named.
     */
    private Optional<NodeMetadata> findZarrV3Metadata(ZarrNode node, String path) {
        boolean isNamed = conversion.options().formats() instanceof FormatChoice.Named
                || NamedFormat.name(conversion.source()).isPresent();
        if (conversion.target().isPresent() || node.nodeFormat().isEmpty() || !isNamed) {
            return Optional.empty();
        }
        MetadataReader reader = new MetadataReader(
                conversion.options().registry(), conversion.options().limits());
        return Zarr.document(conversion.source(), path, conversion.options())
                .filter(document -> document.get("zarr_format").equals(Optional.of(Json.of(3))))
                .map(reader::read);
    }

    private Optional<NodeMetadata> visit(ZarrGroup group, String path, Optional<GroupMetadata> existing)
            throws IOException {
        Map<String, NodeMetadata> below = new LinkedHashMap<>();
        boolean isComplete = true;
        SortedSet<String> names = group.childNames();
        Optional<NameChecks> checked =
                conversion.target().flatMap(target -> target.store().find(NameChecks.class));
        if (checked.isPresent()) {
            checked.get().check(path, names);
        }
        for (String name : names) {
            String child = StoreKeys.join(path, name);
            if (NodePath.isReserved(name)) {
                refuseReserved(group, name, path);
                isComplete = false;
                continue;
            }
            try {
                Optional<ZarrNode> found = Zarr.find(conversion.source(), child, conversion.options());
                Optional<NodeMetadata> converted = found.isPresent() ? visit(found.get(), child) : Optional.empty();
                isComplete &= found.isEmpty() || converted.isPresent();
                converted.ifPresent(m -> addDescendants(below, name, m));
            } catch (MetadataException | UnsupportedException e) {
                refuse(child, e);
                isComplete = false;
            }
        }
        if (!isComplete) {
            return Optional.empty();
        }
        boolean isDone =
                existing.isPresent() || isConverted(path, group.nodeFormat().isEmpty());
        return Optional.of(addGroup(existing.orElseGet(group::metadata), path, isDone, below));
    }

    private static void addDescendants(Map<String, NodeMetadata> below, String name, NodeMetadata converted) {
        if (converted instanceof GroupMetadata g) {
            below.put(name, g.withoutConsolidated());
            g.consolidated().ifPresent(nodes -> nodes.forEach((p, node) -> below.put(StoreKeys.join(name, p), node)));
        } else {
            below.put(name, converted);
        }
    }

    /** Collects the descendants as consolidated metadata; {@link #addDescendants} reads them from there. */
    private GroupMetadata addGroup(GroupMetadata group, String path, boolean isDone, Map<String, NodeMetadata> below) {
        GroupMetadata all = group.withConsolidated(below);
        GroupMetadata document = group.consolidated().isPresent() ? all : all.withoutConsolidated();
        steps.add(newStep(path, isDone ? Outcome.UNCHANGED : Outcome.DESCRIBED, document, null, group.remarks()));
        return all;
    }

    private Optional<NodeMetadata> planArray(ZarrArray array, String path) throws IOException {
        try {
            boolean isZarrV3 = array.nodeFormat().isEmpty()
                    && array.metadata().storageTransformers().isEmpty();
            if (conversion.target().isEmpty() && isZarrV3) {
                steps.add(newStep(
                        path,
                        Outcome.UNCHANGED,
                        array.metadata(),
                        null,
                        array.metadata().remarks()));
                return Optional.of(array.metadata());
            }
            PortableArray form = refuseOverflow(() -> conversion.portableArray(array.metadata()));
            Outcome outcome = outcome(array, path, form, isZarrV3);
            steps.add(newStep(
                    path,
                    outcome,
                    form.metadata(),
                    new Source(array, form),
                    array.metadata().remarks()));
            return Optional.of(form.metadata());
        } catch (MetadataException | UnsupportedException e) {
            refuse(path, e);
            return Optional.empty();
        }
    }

    private static PortableArray refuseOverflow(Supplier<PortableArray> form) {
        try {
            return form.get();
        } catch (ArithmeticException e) {
            throw new UnsupportedException("shards of more than 2^63-1 elements in a dimension", e);
        }
    }

    private Outcome outcome(ZarrArray array, String path, PortableArray form, boolean isZarrV3) throws IOException {
        if (!array.metadata().ignoredCodecs().isEmpty()) {
            throw new UnsupportedException("codecs that no plug-in supports and reads skip: "
                    + array.metadata().ignoredCodecs());
        } else if (conversion.target().isPresent()) {
            return isConverted(path, isZarrV3)
                    ? Outcome.UNCHANGED
                    : form.chunkHandling() == PortableArray.ChunkHandling.KEPT ? Outcome.COPIED : Outcome.RECODED;
        } else if (form.chunkHandling() == PortableArray.ChunkHandling.REENCODED) {
            throw new UnsupportedException(
                    "a codec that only numcodecs or N5 names; convert to another place to decode and "
                            + "encode its chunks again, or keep the names of numcodecs");
        } else if (!form.keepsKeys()) {
            throw new UnsupportedException("chunk keys that Zarr v3 does not support; convert it to another place");
        }
        return Outcome.DESCRIBED;
    }

    /** Whether the place of the converted node has a Zarr v3 document; in place, this is the node itself. */
    private boolean isConverted(String path, boolean isZarrV3) throws IOException {
        return conversion.target().isEmpty()
                ? isZarrV3
                : StoredObjects.has(conversion.target().get(), NodePath.of(path).documentKey());
    }

    private static Step newStep(
            String path, Outcome outcome, NodeMetadata metadata, @Nullable Source array, List<String> remarks) {
        return new Step(path, outcome, metadata, array, null, remarks);
    }

    /** Refuses a child that Zarr v3 cannot hold, and all nodes below it. */
    private void refuseReserved(ZarrGroup group, String name, String path) {
        UnsupportedException reason = new UnsupportedException("Zarr v3 reserves names that begin with __; rename the "
                + "node, or use shardkit copy, which leaves it out and says so");
        refuse(StoreKeys.join(path, name), reason);
        TreeWalk.visitDescendants(group, name, below -> refuse(StoreKeys.join(path, below), reason));
    }

    private void refuse(String path, ZarrException e) {
        steps.add(new Step(path, Outcome.REFUSED, null, null, e.fact(), List.of()));
    }
}
