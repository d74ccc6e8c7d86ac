package dev.shardkit.ome.validation;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ome.OmeImage;
import dev.shardkit.ome.json.Members;
import dev.shardkit.ome.metadata.ImageLabel;
import dev.shardkit.ome.metadata.LevelPlacement;
import dev.shardkit.ome.metadata.Multiscale;
import dev.shardkit.ome.metadata.OmeMetadata;
import dev.shardkit.ome.metadata.OmeVersion;
import dev.shardkit.ome.metadata.Plate;
import dev.shardkit.ome.metadata.Well;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks the OME-Zarr metadata of a group, and of the arrays, labels, wells and fields that the metadata name. Reports
 * violations of the specification to a {@link FindingCollector}. Used by {@link OmeValidation}, by one thread.
 */
final class TreeCheck {
    /** The data types that labels may have. */
    private static final Set<String> INTEGERS =
            Set.of("uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64");

    private static final String LABELS = "labels";
    private static final int MAX_DEPTH = 8;

    private final SchemaSet.Strictness strictness;
    private final FindingCollector findings;
    /**
     * The number of nested groups whose checks have begun and not ended. Groups below {@link #MAX_DEPTH} are skipped.
     */
    private int depth;
    /** Whether the current group lies below a group of labels, so that its arrays hold labels. */
    private boolean inLabels;
    /** The group at which the check began. */
    private @Nullable ZarrGroup root;

    TreeCheck(SchemaSet.Strictness strictness, FindingCollector findings) {
        this.strictness = strictness;
        this.findings = findings;
    }

    /** Checks a group and the nodes that its metadata name. Called again for each group among them. */
    void check(ZarrGroup group) {
        if (findings.isFull() || depth >= MAX_DEPTH) {
            return;
        }
        depth++;
        root = root == null ? group : root;
        Optional<OmeMetadata> metadata =
                OmeValidation.parseAndCheck(group.attributes(), group.location(), strictness, findings);
        if (metadata.isPresent()) {
            checkFormat(group, metadata.get());
            try {
                checkParts(group, metadata.get());
            } catch (MetadataException | UnsupportedException e) {
                // wrong metadata fail here too, after the check has reported why
                if (findings.errorCount(group.location()) == 0) {
                    findings.addError(group.location(), "", "metadata of the specified form", e.fact());
                }
            }
        }
        depth--;
    }

    /** Checks that the version of OME-Zarr fits the version of Zarr. */
    private void checkFormat(ZarrGroup group, OmeMetadata metadata) {
        boolean isV2 = group.nodeFormat().isPresent();
        if (isV2 != (metadata.version() == OmeVersion.V0_4)) {
            findings.addError(
                    group.location(),
                    "version",
                    isV2 ? "0.4, which belongs to Zarr v2" : "0.5 or newer, which belongs to Zarr v3",
                    metadata.version().text());
        }
    }

    private void checkParts(ZarrGroup group, OmeMetadata metadata) {
        List<Multiscale> images = metadata.multiscales();
        for (int i = 0; i < images.size(); i++) {
            checkImage(group, images.get(i), "multiscales[" + i + "]", metadata);
        }
        metadata.imageLabel().flatMap(ImageLabel::source).ifPresent(sourcePath -> checkSource(group, sourcePath));
        if (!images.isEmpty()) {
            checkLabels(group, images.get(0).datasets().size());
        }
        metadata.plate()
                .ifPresent(plate -> checkGroups(
                        group,
                        "plate.wells",
                        plate.wells().stream().map(Plate.WellPosition::path).toList()));
        metadata.well()
                .ifPresent(well -> checkGroups(
                        group,
                        "well.images",
                        well.images().stream().map(Well.Field::path).toList()));
    }

    /** Checks the arrays of an image. {@code path} is the path of the image's description in the metadata. */
    private void checkImage(ZarrGroup group, Multiscale image, String path, OmeMetadata metadata) {
        long[] finer = null;
        for (int d = 0; d < image.datasets().size() && !findings.isFull(); d++) {
            String member = path + ".datasets[" + d + "].path";
            Optional<ZarrNode> node =
                    findNode(group, member, image.datasets().get(d).path());
            if (node.isEmpty()) {
                continue;
            }
            if (!(node.get() instanceof ZarrArray array)) {
                findings.addError(group.location(), member, "the path of an array", "the path of a group");
                continue;
            }
            long[] shape = array.shape();
            checkPlacement(group, image, d, metadata);
            checkArray(group, member, image, array, metadata);
            if (finer != null && isLarger(shape, finer)) {
                findings.addError(
                        group.location(),
                        member,
                        "levels from the largest to the smallest",
                        "one larger than the last");
            }
            finer = shape;
            array.close();
        }
    }

    /**
     * Reports a level whose position in space cannot be computed. Does nothing if the group already has errors, because
     * one of them is probably the cause.
     */
    private void checkPlacement(ZarrGroup group, Multiscale image, int level, OmeMetadata metadata) {
        if (findings.errorCount(group.location()) > 0) {
            return;
        }
        try {
            LevelPlacement.of(metadata, image, level);
        } catch (MetadataException e) {
            findings.addError(group.location(), "", "levels that have a place in space", e.fact());
        } catch (UnsupportedException e) {
            return; // a transformation of 0.6 that this library does not apply
        }
    }

    private void checkArray(ZarrGroup group, String member, Multiscale image, ZarrArray array, OmeMetadata metadata) {
        int axes = image.axes().size();
        if (array.shape().length != axes) {
            findings.addError(
                    group.location(),
                    member,
                    "an array with " + axes + " dimensions, one for each axis",
                    array.shape().length + " dimensions");
        }
        List<Optional<String>> names =
                image.axes().stream().map(axis -> Optional.of(axis.name())).toList();
        if (metadata.version() != OmeVersion.V0_4 && !array.dimensionNames().equals(Optional.of(names))) {
            findings.addError(
                    array.location(),
                    "dimension_names",
                    "the names of the axes, " + namesText(names),
                    array.dimensionNames().map(TreeCheck::namesText).orElse("nothing"));
        }
        if ((inLabels || metadata.imageLabel().isPresent())
                && !INTEGERS.contains(array.dataType().name())) {
            findings.addError(
                    array.location(),
                    "data_type",
                    "an integer type, because these are labels",
                    array.dataType().name());
        }
    }

    private static String namesText(List<Optional<String>> names) {
        return names.stream().map(name -> name.orElse("null")).limit(8).toList().toString();
    }

    /** Returns whether a level is longer than the next finer one in some dimension. */
    private static boolean isLarger(long[] shape, long[] finer) {
        for (int d = 0; d < Math.min(shape.length, finer.length); d++) {
            if (shape[d] > finer[d]) {
                return true;
            }
        }
        return false;
    }

    /** Checks the label images of an image. Each must have as many levels as the image has. */
    private void checkLabels(ZarrGroup group, int levels) {
        Optional<ZarrNode> labels = group.find(LABELS);
        if (labels.isEmpty() || !(labels.get() instanceof ZarrGroup child)) {
            return;
        }
        Optional<OmeMetadata> metadata = OmeMetadata.find(child.attributes(), child.location());
        if (metadata.isEmpty() || metadata.get().members().get(LABELS).isEmpty()) {
            findings.addError(child.location(), LABELS, "an array with the paths of the label images", "nothing");
            return;
        }
        List<String> paths = metadata.get().labels();
        boolean wasInLabels = inLabels;
        inLabels = true;
        checkGroups(child, LABELS, paths);
        inLabels = wasInLabels;
        for (int i = 0; i < paths.size() && !findings.isFull(); i++) {
            checkLevelCount(child, paths.get(i), levels);
        }
        child.close();
    }

    /**
     * Checks the path from a label image to the image that it describes (OME-Zarr 0.5, section "labels"). The path must
     * be relative and lead to an image. Never opens nodes outside the checked tree.
     */
    private void checkSource(ZarrGroup label, String sourcePath) {
        String member = "image-label.source.image";
        ZarrGroup rootGroup = Objects.requireNonNull(root);
        if (sourcePath.startsWith("/") || sourcePath.contains(":")) {
            findings.addError(label.location(), member, "a relative path", "\"" + sourcePath + "\"");
            return;
        }
        // the names between the root and the label image, from which the path starts
        Deque<String> names = new ArrayDeque<>(
                label.path().equals(rootGroup.path())
                        ? List.of()
                        : names(StoreKeys.relative(rootGroup.path(), label.path())));
        for (String name : names(sourcePath)) {
            if (!name.equals("..")) {
                names.addLast(name);
            } else if (names.pollLast() == null) {
                return; // outside the checked tree
            }
        }
        String path = String.join("/", names);
        try {
            Optional<ZarrNode> image = path.isEmpty() ? Optional.of(rootGroup) : rootGroup.find(path);
            boolean isImage = image.isPresent()
                    && image.get() instanceof ZarrGroup group
                    && OmeMetadata.find(group.attributes(), group.location())
                            .filter(found -> !found.multiscales().isEmpty())
                            .isPresent();
            if (!isImage) {
                findings.addError(
                        label.location(),
                        member,
                        "the path of an image",
                        "\"" + sourcePath + "\", where there is none");
            }
        } catch (MetadataException | UnsupportedException e) {
            findings.addError(label.location(), member, "the path of an image that can be opened", e.fact());
        }
    }

    /** Splits a path into names. Drops empty names and dots, which mean the same group. */
    private static List<String> names(String path) {
        return Arrays.stream(path.split("/"))
                .filter(name -> !name.isEmpty() && !name.equals("."))
                .toList();
    }

    private void checkLevelCount(ZarrGroup labels, String path, int levels) {
        try (ZarrGroup group = labels.group(Members.requireBelow(labels.location(), LABELS, path))) {
            OmeImage label = OmeImage.open(group);
            if (label.levels().size() != levels) {
                findings.addError(
                        label.group().location(),
                        "multiscales[0].datasets",
                        levels + " levels, as many as the image has",
                        String.valueOf(label.levels().size()));
            }
        } catch (MetadataException | UnsupportedException e) {
            // already reported for the group
        }
    }

    /** Checks the groups at paths that the member {@code member} of the metadata lists. */
    private void checkGroups(ZarrGroup group, String member, List<String> paths) {
        for (int i = 0; i < paths.size() && !findings.isFull(); i++) {
            String path = member + "[" + i + "]";
            Optional<ZarrNode> node = findNode(group, path, paths.get(i));
            if (node.isPresent() && node.get() instanceof ZarrGroup child) {
                check(child);
                child.close();
            } else if (node.isPresent()) {
                findings.addError(group.location(), path, "the path of a group", "the path of an array");
            }
        }
    }

    /** Finds the node at a path that a member names. Reports the error if there is none. */
    private Optional<ZarrNode> findNode(ZarrGroup group, String member, String path) {
        try {
            Optional<ZarrNode> node = group.find(Members.requireBelow(group.location(), member, path));
            if (node.isEmpty()) {
                findings.addError(
                        group.location(), member, "the path of a node", "\"" + path + "\", where there is none");
            }
            return node;
        } catch (MetadataException | UnsupportedException e) {
            findings.addError(group.location(), member, "a node that can be opened", message(e));
            return Optional.empty();
        }
    }

    private static String message(ZarrException e) {
        return e.getMessage();
    }
}
