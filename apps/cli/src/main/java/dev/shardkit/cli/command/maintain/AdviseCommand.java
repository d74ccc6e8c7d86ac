package dev.shardkit.cli.command.maintain;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.option.AxisOption;
import dev.shardkit.cli.option.Lengths;
import dev.shardkit.cli.option.Options;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.maintenance.layout.LayoutAdvice;
import dev.shardkit.maintenance.layout.LayoutAdvice.Access;
import dev.shardkit.maintenance.layout.LayoutAdvice.Layout;
import dev.shardkit.maintenance.layout.LayoutAdvice.Place;
import dev.shardkit.maintenance.layout.LayoutAdvice.Writers;
import dev.shardkit.maintenance.relayout.Relayout;
import dev.shardkit.pictures.Advice;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code advise}: recommends chunks and shards. */
@Command(
        name = "advise",
        description = {
            "Recommend a chunk shape, and shards if they help. Print the reasons and the cost of typical reads.",
            "Give either an array (its compression is measured), or --shape and --data-type."
        },
        footer = {
            "",
            "Example: shardkit advise --shape 4096,4096,4096 --data-type uint16 --access slices --place remote",
            "Example: shardkit advise data.zarr --axis t"
        })
public final class AdviseCommand extends ShardkitCommand {
    /** The assumed size of an element whose data type has no fixed size, such as string. */
    private static final int VARIABLE_ELEMENT_BYTES = 32;

    @Parameters(arity = "0..1", paramLabel = "URL", description = "The location of an array.")
    private @Nullable String url;

    @Option(names = "--shape", paramLabel = "SHAPE", description = "The shape of an array that does not exist yet.")
    private @Nullable Lengths shape;

    @Option(names = "--data-type", paramLabel = "TYPE", description = "Its data type, such as uint16.")
    private @Nullable String dataType;

    @Option(
            names = "--access",
            paramLabel = "mixed|points|slices|whole",
            description =
                    "How it is read. mixed: regions of all kinds (default); points: small regions anywhere; slices: one index "
                            + "of a dimension at a time (--axis); whole: everything.")
    private @Nullable Access access;

    @Option(
            names = "--axis",
            paramLabel = "DIM",
            description =
                    "The dimension of --access slices: its number, counted from 0 (default: 0), or its name in the "
                            + "array. Without --access, it means slices.")
    private @Nullable String dimension;

    @Option(
            names = "--place",
            paramLabel = "local|remote",
            description = "Where it is stored (default: that of the array; otherwise local).")
    private @Nullable Place place;

    @Option(
            names = "--writers",
            paramLabel = "one|parallel",
            description = "one: one program writes it at a time (default); parallel: several do.")
    private Writers writers = Writers.ONE;

    @Option(names = "--json", description = "Print a JSON document.")
    private boolean json;

    public AdviseCommand(Output output) {
        super(output);
    }

    @Override
    public int run() {
        if (url != null && shape == null && dataType == null) {
            try (ZarrArray array = Zarr.openArray(url, options())) {
                Layout layout =
                        advise(LayoutAdvice.of(array), array.dimensionNames().orElse(List.of()), array.shape().length);
                // These groups have consolidated metadata that describe the array, so the command must update them.
                List<String> consolidatedGroups = Relayout.consolidatedAbove(array).stream()
                        .map(group -> group.replaceFirst("^file:", ""))
                        .toList();
                print(layout, Advice.command(array, layout, url, consolidatedGroups), array.shape(), array);
            }
        } else if (url == null && shape != null && dataType != null) {
            String create =
                    "shardkit create URL --shape " + joinWithCommas(shape.values()) + " --data-type " + dataType;
            Layout layout = advise(LayoutAdvice.of(shape.values(), elementBytes()), List.of(), shape.values().length);
            String shards = layout.shardShape()
                    .map(shard -> " --shard-shape " + joinWithCommas(shard))
                    .orElse("");
            print(
                    layout,
                    create + " --chunk-shape " + joinWithCommas(layout.chunkShape()) + shards,
                    shape.values(),
                    null);
        } else {
            throw new UsageException("give either the URL of an array, or --shape and --data-type");
        }
        return 0;
    }

    private int elementBytes() {
        ZarrOptions options = options();
        return UsageException.reportingOptions(() -> options.registry()
                        .dataType(Options.dataType("--data-type", String.valueOf(dataType)), "--data-type"))
                .elementSize()
                .orElse(VARIABLE_ELEMENT_BYTES);
    }

    private Layout advise(LayoutAdvice advice, List<Optional<String>> names, int rank) {
        if (dimension != null && access != null && access != Access.SLICES) {
            throw new UsageException("--axis is for --access slices only");
        }
        LayoutAdvice advised = dimension != null
                ? advice.withSlices(AxisOption.dimension(rank, names, dimension))
                : advice.withAccess(access != null ? access : Access.MIXED);
        advised = advised.withWriters(writers);
        return (place != null ? advised.withPlace(place) : advised).layout();
    }

    /**
     * Prints the recommendation.
     *
     * @param command the command line that applies the layout
     * @param array the array; null if it does not exist yet
     */
    private void print(Layout layout, String command, long[] arrayShape, @Nullable ZarrArray array) {
        List<LayoutCost> costs = LayoutCost.estimate(layout, arrayShape);
        if (json) {
            output().printJson(toJson(layout, command, costs, array));
            return;
        }
        if (array != null) {
            printLine("now", NodeText.toLine(array));
        }
        printLine("chunk shape", Arrays.toString(layout.chunkShape()));
        printLine("shard shape", layout.shardShape().map(Arrays::toString).orElse("none"));
        printLine("chunks", String.format(Locale.ROOT, "%,.0f", layout.chunks()));
        printLine("stored objects", String.format(Locale.ROOT, "%,.0f", layout.objects()));
        layout.reasons().forEach(reason -> printLine("why", reason));
        costs.forEach(cost -> printLine("cost", cost.toText()));
        printLine("command", command);
    }

    private void printLine(String name, String text) {
        output().printLine(String.format("%-20s %s", name, text));
    }

    /** Returns the recommendation as JSON. */
    private static Json.Obj toJson(Layout layout, String command, List<LayoutCost> costs, @Nullable ZarrArray array) {
        Json.Obj document = Json.object();
        if (array != null) {
            document = document.with("now", NodeText.summary(array));
        }
        return document.with("chunk_shape", Json.of(layout.chunkShape()))
                .with("shard_shape", layout.shardShape().<Json>map(Json::of).orElseGet(Json.Null::new))
                .with("chunk_bytes", LayoutCost.toJsonNumber(layout.chunkBytes()))
                .with("object_bytes", LayoutCost.toJsonNumber(layout.objectBytes()))
                .with("chunks", LayoutCost.toJsonNumber(layout.chunks()))
                .with("objects", LayoutCost.toJsonNumber(layout.objects()))
                .with(
                        "reasons",
                        new Json.Arr(
                                layout.reasons().stream().<Json>map(Json::of).toList()))
                .with(
                        "costs",
                        new Json.Arr(
                                costs.stream().<Json>map(LayoutCost::toJson).toList()))
                .with("command", Json.of(command));
    }

    private static String joinWithCommas(long[] lengths) {
        return Arrays.stream(lengths).mapToObj(String::valueOf).collect(Collectors.joining(","));
    }
}
