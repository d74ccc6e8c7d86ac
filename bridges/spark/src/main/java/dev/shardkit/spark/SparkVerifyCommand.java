package dev.shardkit.spark;

import dev.shardkit.cli.print.VerificationText;
import dev.shardkit.maintenance.check.Verification.Summary;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code verify} on Spark: reports damage in an array or a tree, and changes nothing. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = {
            "Report damage in an array or a tree. Changes nothing.",
            "Exit status: 0 no errors (notes do not count), 1 errors, 2 wrong usage, 3 the command did not finish."
        })
final class SparkVerifyCommand implements Callable<Integer> {
    @Parameters(paramLabel = "URL", description = "The location of the array or group.")
    private String url = "";

    @Option(names = "--no-decode", description = "Read indexes only: skip chunks and innermost inner chunks.")
    private boolean noDecode;

    @Option(names = "--tasks", paramLabel = "N", description = "The number of tasks (default: 16 for each core).")
    private int tasks;

    @Override
    public Integer call() {
        VerifyJob job = noDecode ? VerifyJob.of(url).withoutDecoding() : VerifyJob.of(url);
        VerifyJob all = (tasks == 0 ? job : job.withTasks(tasks)).withMessages(System.err::println);
        return Main.inSpark("verify", spark -> {
            Summary summary = all.run(spark, System.out::println);
            System.out.println(VerificationText.toLine(summary));
            return summary.errors() > 0 ? 1 : 0;
        });
    }
}
