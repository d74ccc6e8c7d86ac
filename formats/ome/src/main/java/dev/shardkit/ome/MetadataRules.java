package dev.shardkit.ome;

import dev.shardkit.spi.error.MetadataException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The rules on metadata that the text of the specification has and its schemas do not express. Used once. */
final class MetadataRules {
    private static final Pattern COLOR = Pattern.compile("[0-9A-Fa-f]{6}");

    private final OmeMetadata metadata;
    private final Findings findings;

    MetadataRules(OmeMetadata metadata, Findings findings) {
        this.metadata = metadata;
        this.findings = findings;
    }

    void check() {
        try {
            List<Multiscale> images = metadata.multiscales();
            for (int i = 0; i < images.size(); i++) {
                image(images.get(i), "multiscales[" + i + "]");
            }
            metadata.omero().ifPresent(this::omero);
            metadata.imageLabel().ifPresent(this::label);
            metadata.plate().ifPresent(this::plate);
            metadata.well();
        } catch (MetadataException e) {
            findings.error(metadata.node(), "", "metadata of the specified form", e.fact());
        }
    }

    private void error(String member, String expected, String found) {
        findings.error(metadata.node(), member, expected, found);
    }

    /**
     * Reports a breach of a rule that the official test cases of 0.5 demand, while those of 0.4 and 0.6 call documents
     * valid that break it. {@link TreeCheck} still reports it if no array can be read because of it.
     */
    private void strictly(String member, String expected, String found) {
        if (metadata.version() == OmeVersion.V0_5) {
            error(member, expected, found);
        } else {
            findings.warning(metadata.node(), member, expected, found);
        }
    }

    private <T> void unique(String member, List<T> items, Function<T, Object> key) {
        Set<Object> seen = new HashSet<>();
        for (int i = 0; i < items.size(); i++) {
            Object value = key.apply(items.get(i));
            if (!seen.add(value)) {
                error(member + "[" + i + "]", "a value that occurs once", value + " again");
            }
        }
    }

    private void image(Multiscale image, String at) {
        unique(at + ".axes", image.axes(), Axis::name);
        if (metadata.version() != OmeVersion.V0_6) {
            order(image.axes(), at + ".axes");
            steps(image.transformations(), image.axes().size(), at + ".coordinateTransformations", 0);
        }
        for (int d = 0; d < image.datasets().size(); d++) {
            List<CoordinateTransformation> steps = image.datasets().get(d).transformations();
            String member = at + ".datasets[" + d + "].coordinateTransformations";
            if (metadata.version() == OmeVersion.V0_6
                    && steps.size() == 1
                    && steps.get(0) instanceof CoordinateTransformation.Sequence s) {
                steps(s.transformations(), image.axes().size(), member, 1);
            } else {
                steps(steps, image.axes().size(), member, metadata.version() == OmeVersion.V0_6 ? 0 : 1);
            }
        }
        if (image.name().isEmpty()) {
            findings.warning(metadata.node(), at + ".name", "a string", "nothing");
        }
    }

    /** Time first, then a channel or another type, then space. */
    private void order(List<Axis> axes, String at) {
        int last = 0;
        int others = 0;
        int times = 0;
        for (int i = 0; i < axes.size(); i++) {
            Optional<AxisType> type = axes.get(i).type();
            boolean isTime = type.equals(Optional.of(AxisType.Standard.TIME));
            int rank = axes.get(i).isSpace() ? 2 : isTime ? 0 : 1;
            times += rank == 0 ? 1 : 0;
            others += rank == 1 ? 1 : 0;
            if (rank < last) {
                error(
                        at + "[" + i + "]",
                        "axes in the order time, channel or other, space",
                        axes.get(i).name());
            }
            last = rank;
        }
        if (times > 1 || others > 1) {
            error(at, "at most one axis of time and one of another type than space", times + " and " + others);
        }
    }

    /** One scale, then at most one translation, with a number for each axis. */
    private void steps(List<CoordinateTransformation> steps, int axes, String at, int scales) {
        int foundScales = 0;
        int foundTranslations = 0;
        for (int i = 0; i < steps.size(); i++) {
            String member = at + "[" + i + "]";
            if (steps.get(i) instanceof CoordinateTransformation.Scale s) {
                foundScales++;
                length(s.scale(), axes, member + ".scale");
                positive(s.scale(), member + ".scale");
                if (foundTranslations > 0) {
                    error(member, "the scale before the translation", "it after the translation");
                }
            } else if (steps.get(i) instanceof CoordinateTransformation.Translation t) {
                foundTranslations++;
                length(t.translation(), axes, member + ".translation");
            }
        }
        if (foundScales < scales || foundScales > 1 || foundTranslations > 1) {
            error(
                    at,
                    "one scale and at most one translation",
                    foundScales + " scales and " + foundTranslations + " translations");
        }
    }

    private void length(List<Double> numbers, int axes, String member) {
        if (numbers.size() != axes) {
            strictly(member, axes + " numbers, one for each axis", String.valueOf(numbers.size()));
        }
    }

    private void positive(List<Double> scale, String member) {
        for (double s : scale) {
            if (!(s > 0)) {
                findings.warning(metadata.node(), member, "positive numbers", String.valueOf(s));
            }
        }
    }

    private void omero(Omero omero) {
        for (int i = 0; i < omero.channels().size(); i++) {
            String at = "omero.channels[" + i + "]";
            Omero.Channel channel = omero.channels().get(i);
            String color = channel.color().orElse("nothing");
            if (!COLOR.matcher(color).matches()) {
                error(at + ".color", "six hexadecimal digits", color);
            }
            if (channel.window().isEmpty()) {
                error(at + ".window", "an object", "nothing");
            }
        }
    }

    private void label(ImageLabel label) {
        unique("image-label.colors", label.colors(), ImageLabel.Color::value);
        unique("image-label.properties", label.properties(), ImageLabel.Properties::value);
    }

    private void plate(Plate plate) {
        unique("plate.rows", plate.rows(), Plate.Line::name);
        unique("plate.columns", plate.columns(), Plate.Line::name);
        unique("plate.acquisitions", plate.acquisitions(), Plate.Acquisition::id);
        for (int i = 0; i < plate.wells().size(); i++) {
            Plate.Place well = plate.wells().get(i);
            String row = plate.rows().get((int) well.rowIndex()).name();
            String column = plate.columns().get((int) well.columnIndex()).name();
            String member = "plate.wells[" + i + "].path";
            String expected = "\"" + row + "/" + column + "\", the names of its row and column";
            if (!row.equals(column) && well.path().equals(column + "/" + row)) {
                strictly(member, expected, well.path());
            } else if (!well.path().equals(row + "/" + column)) {
                error(member, expected, well.path());
            }
        }
    }
}
