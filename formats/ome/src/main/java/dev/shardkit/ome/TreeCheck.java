package dev.shardkit.ome;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
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

/** Checks a group and what its metadata name: arrays, labels, wells and fields. Used by one thread. */
final class TreeCheck {
    private static final Set<String> INTEGERS =
            Set.of("uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64");
    private static final String LABELS = "labels";
    private static final int DEEPEST = 8;

    private final SchemaSet.Strictness strictness;
    private final Findings findings;
    private int depth;
    private boolean inLabels;
    private @Nullable ZarrGroup root;

    TreeCheck(SchemaSet.Strictness strictness, Findings findings) {
        this.strictness = strictness;
        this.findings = findings;
    }

    void check(ZarrGroup group) {
        if (findings.isFull() || depth >= DEEPEST) {
            return;
        }
        depth++;
        root = root == null ? group : root;
        Optional<OmeMetadata> metadata =
                OmeValidation.metadata(group.attributes(), group.location(), strictness, findings);
        if (metadata.isPresent()) {
            format(group, metadata.get());
            try {
                parts(group, metadata.get());
            } catch (MetadataException | UnsupportedException e) {
                if (findings.errors(group.location()) == 0) {
                    findings.error(group.location(), "", "metadata of the specified form", e.fact());
                }
            }
        }
        depth--;
    }

    private void format(ZarrGroup group, OmeMetadata metadata) {
        boolean isV2 = group.nodeFormat().isPresent();
        if (isV2 != (metadata.version() == OmeVersion.V0_4)) {
            findings.error(
                    group.location(),
                    "version",
                    isV2 ? "0.4, which belongs to Zarr v2" : "0.5 or newer, which belongs to Zarr v3",
                    metadata.version().text());
        }
    }

    private void parts(ZarrGroup group, OmeMetadata metadata) {
        List<Multiscale> images = metadata.multiscales();
        for (int i = 0; i < images.size(); i++) {
            image(group, images.get(i), "multiscales[" + i + "]", metadata);
        }
        metadata.imageLabel().flatMap(ImageLabel::source).ifPresent(source -> source(group, source));
        if (!images.isEmpty()) {
            labels(group, images.get(0).datasets().size());
        }
        metadata.plate()
                .ifPresent(plate -> groups(
                        group,
                        "plate.wells",
                        plate.wells().stream().map(Plate.Place::path).toList()));
        metadata.well()
                .ifPresent(well -> groups(
                        group,
                        "well.images",
                        well.images().stream().map(Well.Field::path).toList()));
    }

    private void image(ZarrGroup group, Multiscale image, String at, OmeMetadata metadata) {
        long[] finer = null;
        for (int d = 0; d < image.datasets().size() && !findings.isFull(); d++) {
            String member = at + ".datasets[" + d + "].path";
            Optional<ZarrNode> node =
                    find(group, member, image.datasets().get(d).path());
            if (node.isEmpty()) {
                continue;
            }
            if (!(node.get() instanceof ZarrArray array)) {
                findings.error(group.location(), member, "the path of an array", "the path of a group");
                continue;
            }
            long[] shape = array.shape();
            place(group, image, d, metadata);
            array(group, member, image, array, metadata);
            if (finer != null && isLarger(shape, finer)) {
                findings.error(
                        group.location(),
                        member,
                        "levels from the largest to the smallest",
                        "one larger than the last");
            }
            finer = shape;
            array.close();
        }
    }

    /** Reports a level whose place in space cannot be told. */
    private void place(ZarrGroup group, Multiscale image, int level, OmeMetadata metadata) {
        if (findings.errors(group.location()) > 0) {
            return;
        }
        try {
            Placement.of(group.location(), metadata.version(), image, level);
        } catch (MetadataException e) {
            findings.error(group.location(), "", "levels that have a place in space", e.fact());
        } catch (UnsupportedException e) {
            return; // a transformation of 0.6 that this library does not apply
        }
    }

    private void array(ZarrGroup group, String member, Multiscale image, ZarrArray array, OmeMetadata metadata) {
        int axes = image.axes().size();
        if (array.shape().length != axes) {
            findings.error(
                    group.location(),
                    member,
                    "an array with " + axes + " dimensions, one for each axis",
                    array.shape().length + " dimensions");
        }
        List<Optional<String>> names =
                image.axes().stream().map(axis -> Optional.of(axis.name())).toList();
        if (metadata.version() != OmeVersion.V0_4 && !array.dimensionNames().equals(Optional.of(names))) {
            findings.error(
                    array.location(),
                    "dimension_names",
                    "the names of the axes, " + flat(names),
                    array.dimensionNames().map(TreeCheck::flat).orElse("nothing"));
        }
        if ((inLabels || metadata.imageLabel().isPresent())
                && !INTEGERS.contains(array.dataType().name())) {
            findings.error(
                    array.location(),
                    "data_type",
                    "an integer type, because these are labels",
                    array.dataType().name());
        }
    }

    private static String flat(List<Optional<String>> names) {
        return names.stream().map(name -> name.orElse("null")).limit(8).toList().toString();
    }

    private static boolean isLarger(long[] shape, long[] finer) {
        for (int d = 0; d < Math.min(shape.length, finer.length); d++) {
            if (shape[d] > finer[d]) {
                return true;
            }
        }
        return false;
    }

    private void labels(ZarrGroup group, int levels) {
        Optional<ZarrNode> labels = group.find(LABELS);
        if (labels.isEmpty() || !(labels.get() instanceof ZarrGroup below)) {
            return;
        }
        Optional<OmeMetadata> metadata = OmeMetadata.find(below.attributes(), below.location());
        if (metadata.isEmpty() || metadata.get().members().get(LABELS).isEmpty()) {
            findings.error(below.location(), LABELS, "an array with the paths of the label images", "nothing");
            return;
        }
        List<String> paths = metadata.get().labels();
        boolean outside = inLabels;
        inLabels = true;
        groups(below, LABELS, paths);
        inLabels = outside;
        for (int i = 0; i < paths.size() && !findings.isFull(); i++) {
            count(below, paths.get(i), levels);
        }
        below.close();
    }

    /**
     * Checks the image that labels describe (0.5, "labels"): a relative path to an image. It is looked for below the
     * group that is checked, and never outside of it.
     */
    private void source(ZarrGroup label, String source) {
        String member = "image-label.source.image";
        ZarrGroup top = Objects.requireNonNull(root);
        if (source.startsWith("/") || source.contains(":")) {
            findings.error(label.location(), member, "a relative path", "\"" + source + "\"");
            return;
        }
        Deque<String> names = new ArrayDeque<>(
                label.path().equals(top.path()) ? List.of() : parts(StoreKeys.relative(top.path(), label.path())));
        for (String name : parts(source)) {
            if (!name.equals("..")) {
                names.addLast(name);
            } else if (names.pollLast() == null) {
                return; // outside of what is checked
            }
        }
        String path = String.join("/", names);
        try {
            Optional<ZarrNode> image = path.isEmpty() ? Optional.of(top) : top.find(path);
            boolean isImage = image.isPresent()
                    && image.get() instanceof ZarrGroup group
                    && OmeMetadata.find(group.attributes(), group.location())
                            .filter(found -> !found.multiscales().isEmpty())
                            .isPresent();
            if (!isImage) {
                findings.error(
                        label.location(), member, "the path of an image", "\"" + source + "\", where there is none");
            }
        } catch (MetadataException | UnsupportedException e) {
            findings.error(label.location(), member, "the path of an image that can be opened", e.fact());
        }
    }

    private static List<String> parts(String path) {
        return Arrays.stream(path.split("/"))
                .filter(name -> !name.isEmpty() && !name.equals("."))
                .toList();
    }

    private void count(ZarrGroup labels, String path, int levels) {
        try (OmeImage label = OmeImage.opened(labels.group(Members.below(labels.location(), LABELS, path)))) {
            if (label.levels().size() != levels) {
                findings.error(
                        label.group().location(),
                        "multiscales[0].datasets",
                        levels + " levels, as many as the image has",
                        String.valueOf(label.levels().size()));
            }
        } catch (MetadataException | UnsupportedException e) {
            // reported with the group
        }
    }

    private void groups(ZarrGroup group, String member, List<String> paths) {
        for (int i = 0; i < paths.size() && !findings.isFull(); i++) {
            String at = member + "[" + i + "]";
            Optional<ZarrNode> node = find(group, at, paths.get(i));
            if (node.isPresent() && node.get() instanceof ZarrGroup below) {
                check(below);
                below.close();
            } else if (node.isPresent()) {
                findings.error(group.location(), at, "the path of a group", "the path of an array");
            }
        }
    }

    private Optional<ZarrNode> find(ZarrGroup group, String member, String path) {
        try {
            Optional<ZarrNode> node = group.find(Members.below(group.location(), member, path));
            if (node.isEmpty()) {
                findings.error(group.location(), member, "the path of a node", "\"" + path + "\", where there is none");
            }
            return node;
        } catch (MetadataException | UnsupportedException e) {
            findings.error(group.location(), member, "a node that can be opened", fact(e));
            return Optional.empty();
        }
    }

    private static String fact(ZarrException e) {
        return e.getMessage();
    }
}
