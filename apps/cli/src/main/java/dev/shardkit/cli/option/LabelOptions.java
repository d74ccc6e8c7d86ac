package dev.shardkit.cli.option;

import dev.shardkit.cf.CfKind;
import dev.shardkit.cf.CfMatch;
import dev.shardkit.cf.CfSelection;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.cli.print.UsageException;
import java.math.BigInteger;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select elements by labels of coordinates (CF conventions). */
public final class LabelOptions {
    /** A comma between two items. A name and an equals sign follow it; any other comma is part of a label. */
    private static final Pattern NEXT_ITEM = Pattern.compile(",(?=[^,=]+=)");

    /** A range of labels, such as {@code 47..55}. */
    private static final Pattern RANGE = Pattern.compile("(.+?)\\.\\.(.+)");

    /** An integer, which may be a label of 64 bits: a {@code double} would round it. */
    private static final Pattern INTEGER = Pattern.compile("[+-]?\\d{1,20}");

    @Option(
            names = "--sel",
            paramLabel = "C=LABEL",
            description = {
                "Only the elements at a label of coordinate C, or at labels from A to B as in C=A..B. Labels are "
                        + "numbers, times such as 2020-03-01T12:00, periods such as 2020-03 or 2020-03-01, and texts, "
                        + "which have no ranges. Several are separated by commas: time=2020-03,lat=47..55,lon=13.4. "
                        + "The coordinates are those of the array's group."
            })
    private List<String> items = new ArrayList<>();

    @Option(
            names = "--method",
            paramLabel = "exact|nearest|before|after",
            description = "How --sel finds a single number or time (default: exact). Ranges and texts ignore it.")
    private @Nullable CfMatch method;

    @Option(
            names = "--cyclic",
            paramLabel = "C",
            description = "The labels of coordinate C repeat after 360 degrees: -10 is 350.")
    private List<String> cyclic = new ArrayList<>();

    /** Returns whether one of the options is given. */
    public boolean isUsed() {
        return !items.isEmpty() || method != null || !cyclic.isEmpty();
    }

    /**
     * Returns the selection of a variable's elements.
     *
     * @throws UsageException if a label has another form than the coordinate's labels, or no label is given for the
     *     other options
     * @throws IllegalArgumentException if there is no such coordinate
     */
    public CfSelection select(CfVariable variable) {
        if (items.isEmpty() && (method != null || !cyclic.isEmpty())) {
            throw new UsageException("--method and --cyclic say how --sel finds labels: give --sel, too");
        }
        CfSelection selection = variable.select();
        for (String coordinate : cyclic) {
            selection = selection.cyclic(coordinate);
        }
        for (String list : items) {
            for (String item : NEXT_ITEM.split(list)) {
                int equalsSign = item.indexOf('=');
                if (equalsSign < 1 || equalsSign == item.length() - 1) {
                    throw new UsageException(
                            "--sel: expected a coordinate and a label such as lat=52.5, found " + item);
                }
                selection = select(selection, item.substring(0, equalsSign), item.substring(equalsSign + 1));
            }
        }
        return selection;
    }

    /** Adds an item of {@code --sel} to a selection: a label, or a range of labels. */
    private CfSelection select(CfSelection selection, String name, String label) {
        Optional<CfKind> kind = selection.variable().coordinates().stream()
                .filter(coordinate -> coordinate.name().equals(name))
                .map(CfVariable::kind)
                .findFirst();
        Matcher range = RANGE.matcher(label);
        // Texts have no order, so two dots are part of a text, and only an equal text can be found.
        if (kind.isEmpty() || kind.get() == CfKind.TEXT) {
            return selection.at(name, label); // throws if there is no such coordinate
        } else if (range.matches()) {
            // A range begins and ends at values, not at labels, so --method does not apply.
            return selection.range(
                    name, label(kind.get(), name, range.group(1)), label(kind.get(), name, range.group(2)));
        }
        return selection.sel(name, label(kind.get(), name, label), method == null ? CfMatch.EXACT : method);
    }

    /** Parses a label of the coordinate {@code name}. Times stay texts, because a text may also name a period. */
    private static Object label(CfKind kind, String name, String text) {
        try {
            return switch (kind) {
                case NUMBER -> INTEGER.matcher(text).matches() ? new BigInteger(text) : (Object) Double.valueOf(text);
                case DURATION -> Duration.parse(text);
                default -> text;
            };
        } catch (NumberFormatException e) {
            throw new UsageException("--sel: expected a number as label of " + name + ", found " + text);
        } catch (DateTimeParseException e) {
            throw new UsageException(
                    "--sel: expected a time span such as PT6H as label of " + name + ", found " + text);
        }
    }
}
