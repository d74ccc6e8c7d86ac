package dev.shardkit.spark;

import dev.shardkit.cli.print.ApiNameReplacement;
import dev.shardkit.cli.print.UsageErrors;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.spi.error.ZarrException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Spec;

/**
 * The jobs as commands, for {@code spark-submit}. Commands and options have the same names as in the {@code shardkit}
 * command, but these commands never change a node in place. Data goes to standard output, messages to standard error.
 *
 * <p>Exit status: 0 success; 1 an error in the data, a store or the target, or errors that {@code verify} found; 2
 * wrong usage; 3 {@code verify} did not finish.
 */
@Command(
        name = "dev.shardkit.spark.Main",
        description = "Copies, converts, checks and summarizes sharded Zarr arrays by the executors of Spark.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        subcommands = {
            SparkCopyCommand.Plain.class,
            SparkCopyCommand.Reshard.class,
            SparkCopyCommand.Aggregate.class,
            SparkCopyCommand.Convert.class,
            SparkVerifyCommand.class,
            SparkStatsCommand.class,
            SparkPyramidCommand.class
        })
public final class Main implements Runnable {
    private static final int FAILURE = 1;
    private static final int WRONG_USE = 2;
    private static final int NOT_FINISHED = 3;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandLine.Model.CommandSpec spec;

    /** Used by picocli. */
    Main() {}

    /** Runs the command and ends the process, and with it Spark, with its exit status. */
    public static void main(String[] args) {
        System.exit(run(Main::stopSpark, args));
    }

    /**
     * Stops Spark and its log. Spark logs lines while it stops. The reason of a failure is printed later, so that it is
     * the last line.
     */
    private static void stopSpark() {
        if (SparkEnv.get() != null) { // otherwise getOrCreate would start Spark
            SparkContext spark = SparkContext.getOrCreate();
            spark.stop();
            spark.setLogLevel("ERROR");
        }
    }

    /** Runs the command and returns its exit status. Does not stop Spark. */
    static int run(String... args) {
        return run(() -> {}, args);
    }

    /** Runs the command and returns its exit status; {@code end} runs before the reason of a failure is printed. */
    private static int run(Runnable end, String... args) {
        CommandLine line = new CommandLine(new Main());
        line.setExpandAtFiles(false);
        line.setExecutionExceptionHandler((e, command, parsed) -> {
            end.run();
            return reportFailure(e, command);
        });
        line.setParameterExceptionHandler((e, all) -> reportWrongUse(e, line));
        return line.execute(args);
    }

    private static int reportWrongUse(CommandLine.ParameterException e, CommandLine all) {
        PrintWriter err = e.getCommandLine().getErr();
        err.println("shardkit: " + UsageErrors.message(e, all));
        err.flush();
        return WRONG_USE;
    }

    /** Prints the reason of a failure, and returns the exit status. */
    private static int reportFailure(Exception e, CommandLine command) {
        PrintWriter err = command.getErr();
        if (e instanceof ZarrException || e instanceof IllegalArgumentException || isWrongUse(e)) {
            err.println("shardkit: " + ApiNameReplacement.replaceIn(String.valueOf(e.getMessage())));
        } else { // a bug in this program or in Spark: print its stack trace
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            err.println("shardkit: " + trace);
        }
        err.flush();
        if (e instanceof IllegalArgumentException || isWrongUse(e)) {
            return WRONG_USE;
        }
        // The command verify uses status 1 for damage that it found.
        return command.getCommand() instanceof SparkVerifyCommand ? NOT_FINISHED : FAILURE;
    }

    private static boolean isWrongUse(Exception e) {
        return e instanceof UsageException;
    }

    /** Work that needs Spark. */
    interface Job {
        /** Runs the job and returns the exit status. */
        int run(JavaSparkContext spark);
    }

    /** Runs a job in the context that {@code spark-submit} configures, or in a local one. */
    static int inSpark(String name, Job job) {
        SparkConf conf = new SparkConf().setIfMissing("spark.app.name", "shardkit " + name);
        conf.setIfMissing("spark.master", "local[*]");
        return job.run(JavaSparkContext.fromSparkContext(SparkContext.getOrCreate(conf)));
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "a command is missing");
    }
}
