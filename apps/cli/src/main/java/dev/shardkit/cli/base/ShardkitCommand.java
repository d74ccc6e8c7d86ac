package dev.shardkit.cli.base;

import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.print.Output;
import dev.shardkit.store.policy.SymbolicLinks;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The base class of all commands. An instance runs once. */
@Command(
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true)
public abstract class ShardkitCommand implements Callable<Integer> {
    /** Locations in ZIP archives. */
    private static final Pattern ARCHIVE = Pattern.compile("(?is)zip:.*|.*[.](zip|ozx)([!|].*)?");

    private final Output output;
    private volatile boolean changing;

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

    /** Returns the command {@code shardkit} itself, which holds the options that all commands share. */
    public final RootCommand root() {
        return (RootCommand) spec.root().userObject();
    }

    /** Returns the options for opening the nodes of the command, with the format of {@code --node-format}. */
    public final ZarrOptions options() {
        ZarrOptions plain = plainOptions();
        return root().format().choice(plain.registry()).map(plain::withFormats).orElse(plain);
    }

    /** Returns the options for opening other locations. {@code --node-format} does not apply to them. */
    public final ZarrOptions plainOptions() {
        RootCommand root = root();
        ZarrOptions options = ZarrOptions.defaults().withLinks(root.links());
        return root.registry().map(options::withRegistry).orElse(options);
    }

    /** Whether {@code --follow-links} is set. */
    public final boolean followsLinks() {
        return root().links() == SymbolicLinks.FOLLOW;
    }

    @Override
    public final Integer call() throws IOException {
        Interrupts.commandStarted(
                this, spec.root().commandLine().getParseResult().originalArgs().toArray(String[]::new));
        try {
            if (!acceptsStreams()) {
                RandomAccessCheck.refuseStream(spec);
            }
            return run();
        } finally {
            Interrupts.commandEnded();
        }
    }

    /** Runs the command and returns the exit status. */
    public abstract int run() throws IOException;

    /** Whether parameters of the command may name pipes, devices and standard input. */
    public boolean acceptsStreams() {
        return false;
    }

    /**
     * Returns advice for the user after a signal stopped the command: what remains stored, and how to resume. Empty if
     * there is nothing to say.
     *
     * @param command the command line, quoted for a shell
     */
    public Optional<String> adviceAfterSignal(String command) {
        return Optional.empty();
    }

    /**
     * Returns advice for the user after a store or a file failed: what remains stored, and how to resume. Empty if the
     * message of the failure says enough.
     *
     * @param command the command line, quoted for a shell
     */
    public Optional<String> adviceAfterFailure(String command) {
        return Optional.empty();
    }

    /** Records that the command starts to change stored data. */
    public final void markChanging() {
        changing = true;
    }

    /** Whether the command may have changed stored data. */
    public final boolean mayHaveChanged() {
        return changing;
    }

    /** Whether a location is in a ZIP archive. Archives change only when a command succeeds. */
    public static boolean isInArchive(String target) {
        return ARCHIVE.matcher(target).matches();
    }

    /** Returns the advice for repeating a command that reads a file or a stream. */
    public static String repeatAdvice(String input, String command) {
        return (InputFile.isStream(input) ? "send the same input again to: " : "rerun: ") + command;
    }

    /** Returns the advice for a command that resumes when it is run again. */
    public static Optional<String> resumeAdvice(String command) {
        return Optional.of("to resume, rerun: " + command);
    }

    /**
     * Returns the advice for a command that resumes when it is run again. With an archive as target, it starts from the
     * beginning.
     */
    public static Optional<String> resumeAdvice(String target, String command) {
        return isInArchive(target) ? restartAdvice(command) : resumeAdvice(command);
    }

    /** Returns the advice for a command that publishes its changes only at its end. */
    public static Optional<String> restartAdvice(String command) {
        return Optional.of("nothing was changed; to begin again, rerun: " + command);
    }

    /** Returns the exit status for errors in the data, a store or the target. */
    public int faultStatus() {
        return 1;
    }
}
