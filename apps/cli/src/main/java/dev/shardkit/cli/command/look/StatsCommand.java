package dev.shardkit.cli.command.look;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cf.CfDataset;
import dev.shardkit.cf.CfKind;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.option.LabelOptions;
import dev.shardkit.cli.option.Options;
import dev.shardkit.cli.option.PartOption;
import dev.shardkit.cli.option.Region;
import dev.shardkit.cli.option.VariableView;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.ProgressDisplay;
import dev.shardkit.cli.print.StatisticsText;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.maintenance.SkippedElements;
import dev.shardkit.maintenance.stats.Statistics;
import dev.shardkit.maintenance.stats.Statistics.Bin;
import dev.shardkit.maintenance.stats.Statistics.Numbers;
import dev.shardkit.maintenance.stats.Statistics.Result;
import dev.shardkit.maintenance.stats.VariableStatistics;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stats}: prints statistics of the elements. */
@Command(
        name = "stats",
        description = {
            "Print minimum, maximum, mean, histogram and the share of the fill value.",
            "Reads each chunk once, in little memory. NaN, infinities and missing elements (_FillValue, missing_value; see "
                    + "--skip) are counted, but not included in minimum, maximum, mean and histogram. The figures are "
                    + "those of the stored numbers, unless --physical applies scale_factor and add_offset. Booleans are 0 and 1. Other data types, such as text, have only the share of the fill value.",
            "--part prints a JSON document, and --finish merges the documents of all parts, as in: shardkit stats URL "
                    + "--finish part1.json part2.json. Use the same --region, --bins and --skip for all parts and for --finish."
        },
        footer = {
            "",
            "Example: shardkit stats image.zarr --region 0:100,: --bins 32",
            "         shardkit stats data.zarr/t2m --physical --sel time=2020-03"
        })
public final class StatsCommand extends ShardkitCommand {
    private static final int MAX_BAR_LENGTH = 40;
    /** The maximum size of the document of a part. */
    private static final long MAX_BYTES = 1 << 24;

    @Parameters(paramLabel = "URL", description = "The location of the array.")
    private String url = "";

    @Option(
            names = "--region",
            paramLabel = "R",
            description = "Only this region, as for read but without steps (default: all).")
    private @Nullable String region;

    @Option(
            names = "--bins",
            paramLabel = "N",
            defaultValue = "16",
            description = "The maximum number of bins, 8 to 65536 (default: 16). The width of a bin is a power of two.")
    private int bins;

    @Option(
            names = "--skip",
            paramLabel = "WHAT",
            description = "The elements that do not count: missing (those equal to the attribute _FillValue or "
                    + "missing_value), fill (also those equal to the fill value) or none (default: missing).")
    private SkippedElements skip = SkippedElements.MISSING;

    @Option(
            names = "--physical",
            description =
                    "Statistics of physical values, with their units: scale_factor and add_offset are applied. Missing "
                            + "elements are only counted. Of times: the first and the last one.")
    private boolean physical;

    @Mixin
    private final LabelOptions labels = new LabelOptions();

    @Mixin
    private PartOption parts = new PartOption();

    @Option(
            names = "--finish",
            paramLabel = "FILE",
            arity = "1..*",
            description =
                    "Print the statistics of all parts together; each FILE holds the output of one --part. Put URL "
                            + "before this option.")
    private List<Path> documents = List.of();

    @Option(names = "--json", description = "Print a JSON document.")
    private boolean json;

    public StatsCommand(Output output) {
        super(output);
    }

    @Override
    public Optional<String> adviceAfterSignal(String command) {
        return restartAdvice(command);
    }

    @Override
    public int run() throws IOException {
        if (parts.part().isPresent() && !documents.isEmpty()) {
            throw new UsageException("--part and --finish exclude each other");
        }
        if (physical) {
            return printPhysical();
        } else if (labels.isUsed()) {
            throw new UsageException("--sel, --method and --cyclic select physical values: give --physical, too");
        }
        Result result;
        try (ZarrArray array = Zarr.openArray(url, options());
                ProgressDisplay progress = ProgressDisplay.of("stats", output())) {
            Statistics statistics = Statistics.of(array)
                    .withBins(bins)
                    .withSkipped(skip)
                    .withProgress((path, done, total) -> progress.onProgress(done, total));
            Statistics configured = region != null ? statistics.within(Region.parse(region, array)) : statistics;
            if (parts.part().isPresent()) {
                output().printJson(configured.runPart(parts.part().get()));
                return 0;
            }
            result = documents.isEmpty() ? configured.run() : configured.merged(readDocuments());
        }
        if (json) {
            output().printJson(StatisticsText.toJson(result));
        } else {
            print(result);
            StatisticsText.note(result).ifPresent(output()::printMessage);
        }
        return 0;
    }

    /** Prints the statistics of a variable's physical values. */
    private int printPhysical() {
        if (parts.part().isPresent()
                || !documents.isEmpty()
                || skip != SkippedElements.MISSING
                || region != null && labels.isUsed()) {
            throw new UsageException(
                    "--physical cannot be used with --part, --finish or --skip, nor with both --sel and " + "--region");
        }
        try (CfDataset dataset = VariableView.openDataset(url, options());
                ProgressDisplay progress = ProgressDisplay.of("stats", output())) {
            CfVariable variable = VariableView.variable(dataset, url);
            VariableStatistics statistics = VariableStatistics.of(labels.select(variable))
                    .withBins(bins)
                    .withProgress((path, done, total) -> progress.onProgress(done, total));
            VariableStatistics.Result result =
                    (region == null ? statistics : statistics.within(region(variable, region))).run();
            if (json) {
                output().printJson(StatisticsText.toJson(result, variable));
            } else {
                print(result, variable);
            }
            List<String> ranges = Stream.of("valid_range", "valid_min", "valid_max")
                    .filter(name -> variable.attributes().get(name).isPresent())
                    .toList();
            if (!ranges.isEmpty() && !json) {
                output().printMessage("note: " + String.join(", ", ranges) + " not applied, as in xarray");
            }
            return 0;
        }
    }

    /**
     * Returns a region of a variable. CF may store texts as an array of characters: its last dimension, along which the
     * characters of a text lie, is no dimension of the variable and of the region.
     */
    private static Box region(CfVariable variable, String text) {
        Box box = Region.parse(text, variable.array());
        int rank = variable.dimensions().size();
        return Box.of(Arrays.copyOf(box.origin(), rank), Arrays.copyOf(box.shape(), rank));
    }

    private void print(VariableStatistics.Result result, CfVariable variable) {
        printLine("elements", String.valueOf(result.elements()));
        printLine(
                "missing",
                result.missing() + (result.elements() == 0 ? "" : percent(result.missing(), result.elements())));
        boolean isTime = variable.kind() == CfKind.TIME;
        variable.units().filter(text -> !isTime).ifPresent(text -> printLine("units", text));
        if (result.numbers().isEmpty()) {
            output().printMessage("min, max, mean and histogram are for numbers only");
            return;
        }
        Numbers numbers = result.numbers().get();
        numbers.mean()
                .ifPresent(
                        mean -> { // without a finite number, there is no minimum and maximum either
                            Json min = numbers.min().orElseThrow();
                            Json max = numbers.max().orElseThrow();
                            printLine("min", isTime ? StatisticsText.moment(variable, min) : min.toString());
                            printLine("max", isTime ? StatisticsText.moment(variable, max) : max.toString());
                            if (!isTime) {
                                printLine("mean", StatisticsText.toText(mean));
                            }
                        });
        if (numbers.infinities() > 0) {
            printLine("infinite", numbers.infinities() + percent(numbers.infinities(), result.elements()));
        }
        if (!isTime) {
            printHistogram(numbers.histogram());
        }
    }

    private List<Json.Obj> readDocuments() throws IOException {
        List<Json.Obj> parsed = new ArrayList<>();
        for (Path file : documents) {
            if (Files.size(file) > MAX_BYTES) {
                throw new UsageException("--finish: " + file + ": expected the output of stats --part, found "
                        + Files.size(file) + " bytes");
            }
            parsed.add(Options.object("--finish: " + file, Files.readString(file)));
        }
        return parsed;
    }

    private void print(Result result) {
        printLine("elements", String.valueOf(result.elements()));
        printLine(
                "fill value",
                result.fill() + (result.elements() == 0 ? "" : percent(result.fill(), result.elements())));
        if (result.numbers().isEmpty()) {
            output().printMessage("min, max, mean and histogram are for numbers only");
            return;
        }
        Numbers numbers = result.numbers().get();
        numbers.mean()
                .ifPresent(
                        mean -> { // without a finite number, there is no minimum and maximum either
                            printLine("min", numbers.min().orElseThrow().toString());
                            printLine("max", numbers.max().orElseThrow().toString());
                            printLine("mean", StatisticsText.toText(mean));
                        });
        if (numbers.nans() > 0) {
            printLine("NaN", numbers.nans() + percent(numbers.nans(), result.elements()));
        }
        if (numbers.infinities() > 0) {
            printLine("infinite", numbers.infinities() + percent(numbers.infinities(), result.elements()));
        }
        if (numbers.missing() > 0) {
            printLine(
                    "missing",
                    numbers.missing() + percent(numbers.missing(), result.elements())
                            + ", skipped (--skip none takes them as numbers)");
        }
        printHistogram(numbers.histogram());
    }

    private void printLine(String name, String value) {
        output().printLine(String.format("%-12s %s", name, value));
    }

    /** Returns a percentage as text. It is never rounded to 0 or 100 unless it is exact. */
    static String percent(long part, long whole) {
        String text = String.format(Locale.ROOT, "%.1f", 100.0 * part / whole);
        if (text.equals("100.0") && part < whole) {
            text = "> 99.9";
        } else if (text.equals("0.0") && part > 0) {
            text = "< 0.1";
        }
        return " (" + text + " %)";
    }

    /** Prints a line with a bar for each bin; the longest bar has the largest count. */
    private void printHistogram(List<Bin> bins) {
        long maxCount = bins.stream().mapToLong(Bin::count).max().orElse(0);
        List<String> names = bins.stream()
                .map(bin -> "[" + StatisticsText.toText(bin.from()) + ", " + StatisticsText.toText(bin.to()) + ")")
                .toList();
        int width = names.stream().mapToInt(String::length).max().orElse(0);
        int digits = String.valueOf(maxCount).length();
        for (int i = 0; i < bins.size(); i++) {
            long count = bins.get(i).count();
            int bar = (int) Math.ceil((double) MAX_BAR_LENGTH * count / maxCount);
            output().printLine(
                            String.format("%-" + width + "s %" + digits + "d %s", names.get(i), count, "#".repeat(bar))
                                    .stripTrailing());
        }
    }
}
