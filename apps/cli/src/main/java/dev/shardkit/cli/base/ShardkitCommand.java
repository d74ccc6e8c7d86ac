package dev.shardkit.cli.base;

import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.print.Output;
import dev.shardkit.store.SymbolicLinks;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The base of all commands: it holds the output and returns an exit status. Used once. */
@Command(
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true)
public abstract class ShardkitCommand implements Callable<Integer> {
    /** The locations of archives, which change only when a command succeeds. */
    private static final Pattern ARCHIVE = Pattern.compile("(?is)zip:.*|.*[.](zip|ozx)([!|].*)?");

    private final Output output;
    private volatile boolean hasBegun;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    public ShardkitCommand(Output output) {
        this.output = output;
    }

    /** Returns the output. */
    public final Output output() {
        return output;
    }

    /** Returns picocli's model of the command. */
    public final CommandSpec model() {
        return spec;
    }

    /** Returns the command {@code shardkit} itself, which has the options of all commands. */
    public final RootCommand root() {
        return (RootCommand) spec.root().userObject();
    }

    /**
     * Returns the options for opening the nodes that the command is about, from the options that all commands share.
     */
    public final ZarrOptions options() {
        ZarrOptions plain = plainOptions();
        return root().format().choice(plain.registry()).map(plain::withFormats).orElse(plain);
    }

    /** Returns the options for opening other locations, whose formats only their prefixes name. */
    public final ZarrOptions plainOptions() {
        RootCommand root = root();
        ZarrOptions options = ZarrOptions.defaults().withLinks(root.links());
        return root.registry().map(options::withRegistry).orElse(options);
    }

    /** Whether the command line asks for following links. */
    public final boolean followsLinks() {
        return root().links() == SymbolicLinks.FOLLOW;
    }

    @Override
    public final Integer call() throws IOException {
        Interrupts.begin(
                this, spec.root().commandLine().getParseResult().originalArgs().toArray(String[]::new));
        try {
            if (!takesStreams()) {
                StreamArguments.refuse(spec);
            }
            return run();
        } finally {
            Interrupts.end();
        }
    }

    /** Runs the command and returns the exit status. */
    public abstract int run() throws IOException;

    /** Whether parameters of the command may name pipes, devices and standard input. */
    public boolean takesStreams() {
        return false;
    }

    /**
     * Returns what a signal that ends the command leaves, and how to resume the command; empty if a user needs no word
     * about it. Called when the command has stopped.
     *
     * @param command the command line, quoted for a shell
     */
    public Optional<String> afterSignal(String command) {
        return Optional.empty();
    }

    /**
     * Returns what a failure of a store or file leaves and how to go on, where its message does not say it; empty if a
     * user needs no word about it.
     *
     * @param command the command line, quoted for a shell
     */
    public Optional<String> afterFailure(String command) {
        return Optional.empty();
    }

    /** Notes that the command begins to change something. */
    public final void begin() {
        hasBegun = true;
    }

    /** Whether the command may have changed something. */
    public final boolean hasBegun() {
        return hasBegun;
    }

    /** Whether a location is in an archive, which changes only when a command succeeds. */
    public static boolean isInArchive(String target) {
        return ARCHIVE.matcher(target).matches();
    }

    /** Returns how to repeat a command that reads a file or a stream. */
    public static String again(String input, String command) {
        return (InputFile.isStream(input) ? "send the same input again to: " : "rerun: ") + command;
    }

    /** Returns the advice for a command that resumes when it is repeated. */
    public static Optional<String> resume(String command) {
        return Optional.of("to resume, rerun: " + command);
    }

    /** Returns the advice for a command that resumes when it is repeated, unless its target is an archive. */
    public static Optional<String> resume(String target, String command) {
        return isInArchive(target) ? beginAgain(command) : resume(command);
    }

    /** Returns the advice for a command that changes nothing before its end. */
    public static Optional<String> beginAgain(String command) {
        return Optional.of("nothing was changed; to begin again, rerun: " + command);
    }

    /** Returns the exit status for faults of the data, a store or the target. */
    public int faultStatus() {
        return 1;
    }
}
