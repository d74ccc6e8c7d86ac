package dev.shardkit.ome.validation;

import dev.shardkit.ome.metadata.Axis;
import dev.shardkit.ome.metadata.AxisType;
import dev.shardkit.ome.metadata.CoordinateTransformation;
import dev.shardkit.ome.metadata.ImageLabel;
import dev.shardkit.ome.metadata.Multiscale;
import dev.shardkit.ome.metadata.OmeMetadata;
import dev.shardkit.ome.metadata.OmeVersion;
import dev.shardkit.ome.metadata.Omero;
import dev.shardkit.ome.metadata.Plate;
import dev.shardkit.spi.error.MetadataException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Checks the OME-Zarr metadata of one group against the rules of the specification that its JSON schemas cannot
 * express, such as unique names. {@link JsonSchema} checks the others. Used once.
 */
final class MetadataRules {
    private static final Pattern COLOR = Pattern.compile("[0-9A-Fa-f]{6}");

    private final OmeMetadata metadata;
    private final String node;
    private final FindingCollector findings;

    MetadataRules(OmeMetadata metadata, String node, FindingCollector findings) {
        this.node = node;
        this.metadata = metadata;
        this.findings = findings;
    }

    /** Checks the metadata and reports the findings. Metadata that cannot be parsed are one error. */
    void check() {
        try {
            List<Multiscale> images = metadata.multiscales();
            for (int i = 0; i < images.size(); i++) {
                checkImage(images.get(i), "multiscales[" + i + "]");
            }
            metadata.omero().ifPresent(this::checkOmero);
            metadata.imageLabel().ifPresent(this::checkLabel);
            metadata.plate().ifPresent(this::checkPlate);
            metadata.well(); // there are no rules for wells, but this throws if the well cannot be parsed
        } catch (MetadataException e) {
            findings.addError(node, "", "metadata of the specified form", e.fact());
        }
    }

    private void addError(String member, String expected, String found) {
        findings.addError(node, member, expected, found);
    }

    /**
     * Reports a violation as an error in 0.5 and as a warning in other versions, as the official test cases of the
     * specification demand. If an array cannot be read because of it, {@link TreeCheck} reports another error.
     */
    private void reportByVersion(String member, String expected, String found) {
        if (metadata.version() == OmeVersion.V0_5) {
            addError(member, expected, found);
        } else {
            findings.addWarning(node, member, expected, found);
        }
    }

    /** Reports an item whose key another item before it has. */
    private <T> void checkUnique(String member, List<T> items, Function<T, Object> key) {
        Set<Object> knownValues = new HashSet<>();
        for (int i = 0; i < items.size(); i++) {
            Object value = key.apply(items.get(i));
            if (!knownValues.add(value)) {
                addError(member + "[" + i + "]", "a value that occurs once", value + " again");
            }
        }
    }

    /** Checks an image. In 0.6, the scale and translation of a dataset may be in a sequence. */
    private void checkImage(Multiscale image, String path) {
        checkUnique(path + ".axes", image.axes(), Axis::name);
        if (metadata.version() != OmeVersion.V0_6) {
            checkOrder(image.axes(), path + ".axes");
            int minScales = 0; // a transformation of the whole image is optional
            checkSteps(image.transformations(), image.axes().size(), path + ".coordinateTransformations", minScales);
        }
        for (int dataset = 0; dataset < image.datasets().size(); dataset++) {
            List<CoordinateTransformation> steps = image.datasets().get(dataset).transformations();
            String member = path + ".datasets[" + dataset + "].coordinateTransformations";
            if (metadata.version() == OmeVersion.V0_6
                    && steps.size() == 1
                    && steps.get(0) instanceof CoordinateTransformation.Sequence sequence) {
                checkSteps(sequence.transformations(), image.axes().size(), member, 1);
            } else {
                checkSteps(steps, image.axes().size(), member, metadata.version() == OmeVersion.V0_6 ? 0 : 1);
            }
        }
        if (image.name().isEmpty()) {
            findings.addWarning(node, path + ".name", "a string", "nothing");
        }
    }

    /**
     * Checks the order of axes: time, then a channel or an axis of another type, then space. At most one of the first
     * two each.
     */
    private void checkOrder(List<Axis> axes, String path) {
        int lastRank = 0; // the rank of an axis is its place in the order
        int otherCount = 0;
        int timeCount = 0;
        for (int i = 0; i < axes.size(); i++) {
            Optional<AxisType> type = axes.get(i).type();
            boolean isTime = type.equals(Optional.of(AxisType.Standard.TIME));
            int rank = 1;
            if (axes.get(i).isSpace()) {
                rank = 2;
            } else if (isTime) {
                rank = 0;
            }
            timeCount += rank == 0 ? 1 : 0;
            otherCount += rank == 1 ? 1 : 0;
            if (rank < lastRank) {
                addError(
                        path + "[" + i + "]",
                        "axes in the order time, channel or other, space",
                        axes.get(i).name());
            }
            lastRank = rank;
        }
        if (timeCount > 1 || otherCount > 1) {
            addError(
                    path,
                    "at most one axis of time and one of another type than space",
                    timeCount + " and " + otherCount);
        }
    }

    /**
     * Checks the steps of a transformation: one scale, then at most one translation. Each needs a number for each axis.
     *
     * @param axes the number of axes
     * @param minScales 1 if the scale is required; 0 if there may be none
     */
    private void checkSteps(List<CoordinateTransformation> steps, int axes, String path, int minScales) {
        int foundScales = 0;
        int foundTranslations = 0;
        for (int i = 0; i < steps.size(); i++) {
            String member = path + "[" + i + "]";
            if (steps.get(i) instanceof CoordinateTransformation.Scale scale) {
                foundScales++;
                checkLength(scale.scale(), axes, member + ".scale");
                checkPositive(scale.scale(), member + ".scale");
                if (foundTranslations > 0) {
                    addError(member, "the scale before the translation", "it after the translation");
                }
            } else if (steps.get(i) instanceof CoordinateTransformation.Translation translation) {
                foundTranslations++;
                checkLength(translation.translation(), axes, member + ".translation");
            }
        }
        if (foundScales < minScales || foundScales > 1 || foundTranslations > 1) {
            addError(
                    path,
                    "one scale and at most one translation",
                    foundScales + " scales and " + foundTranslations + " translations");
        }
    }

    private void checkLength(List<Double> numbers, int axes, String member) {
        if (numbers.size() != axes) {
            reportByVersion(member, axes + " numbers, one for each axis", String.valueOf(numbers.size()));
        }
    }

    private void checkPositive(List<Double> numbers, String member) {
        for (double scale : numbers) {
            if (!(scale > 0)) {
                findings.addWarning(node, member, "positive numbers", String.valueOf(scale));
            }
        }
    }

    private void checkOmero(Omero omero) {
        for (int i = 0; i < omero.channels().size(); i++) {
            String path = "omero.channels[" + i + "]";
            Omero.Channel channel = omero.channels().get(i);
            String color = channel.color().orElse("nothing");
            if (!COLOR.matcher(color).matches()) {
                addError(path + ".color", "six hexadecimal digits", color);
            }
            if (channel.window().isEmpty()) {
                addError(path + ".window", "an object", "nothing");
            }
        }
    }

    private void checkLabel(ImageLabel label) {
        checkUnique("image-label.colors", label.colors(), ImageLabel.Color::value);
        checkUnique("image-label.properties", label.properties(), ImageLabel.Properties::value);
    }

    private void checkPlate(Plate plate) {
        checkUnique("plate.rows", plate.rows(), Plate.RowOrColumn::name);
        checkUnique("plate.columns", plate.columns(), Plate.RowOrColumn::name);
        checkUnique("plate.acquisitions", plate.acquisitions(), Plate.Acquisition::id);
        for (int i = 0; i < plate.wells().size(); i++) {
            Plate.WellPosition well = plate.wells().get(i);
            String row = plate.rows().get((int) well.rowIndex()).name();
            String column = plate.columns().get((int) well.columnIndex()).name();
            String member = "plate.wells[" + i + "].path";
            String expected = "\"" + row + "/" + column + "\", the names of its row and column";
            // a swapped row and column is what the test cases treat differently by version
            if (!row.equals(column) && well.path().equals(column + "/" + row)) {
                reportByVersion(member, expected, well.path());
            } else if (!well.path().equals(row + "/" + column)) {
                addError(member, expected, well.path());
            }
        }
    }
}
