package dev.shardkit.spark;

import dev.shardkit.cli.print.StatisticsText;
import dev.shardkit.maintenance.stats.Statistics;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code stats} on Spark: prints statistics of an array's elements as JSON. */
@Command(
        name = "stats",
        mixinStandardHelpOptions = true,
        description = "Print minimum, maximum, mean, histogram and the share of the fill value as a JSON document.")
final class SparkStatsCommand implements Callable<Integer> {
    @Parameters(paramLabel = "URL", description = "The location of the array.")
    private String url = "";

    @Option(
            names = "--bins",
            paramLabel = "N",
            defaultValue = "16",
            description = "The maximum number of bins, 8 to 65536 (default: 16).")
    private int bins;

    @Option(
            names = "--skip",
            paramLabel = "WHAT",
            defaultValue = "missing",
            description = "The elements that do not count: missing (those equal to the attribute _FillValue or "
                    + "missing_value), fill (also those equal to the fill value) or none (default: missing).")
    private String skip = "missing";

    @Option(names = "--tasks", paramLabel = "N", description = "The most tasks (default: 16 for each core).")
    private int tasks;

    @Override
    public Integer call() {
        StatsJob job = StatsJob.of(url)
                .withBins(bins)
                .withSkipped(SparkPyramidCommand.skipped(skip))
                .withMessages(System.err::println);
        StatsJob all = tasks == 0 ? job : job.withTasks(tasks);
        return Main.inSpark("stats", spark -> {
            Statistics.Result result = all.run(spark);
            System.out.println(StatisticsText.toJson(result));
            StatisticsText.note(result).ifPresent(System.err::println);
            return 0;
        });
    }
}
