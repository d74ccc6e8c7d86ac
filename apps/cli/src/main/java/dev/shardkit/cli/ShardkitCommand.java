package dev.shardkit.cli;

import dev.shardkit.ZarrOptions;
import dev.shardkit.store.Links;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The base of all commands: it holds the output and returns an exit status. Used once. */
@Command(
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true)
abstract class ShardkitCommand implements Callable<Integer> {
    /** What to do after a signal if a repeated command resumes. */
    static final Optional<String> RERUN = Optional.of("to resume, rerun");

    private final Output output;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    ShardkitCommand(Output output) {
        this.output = output;
    }

    /** Returns the output. */
    final Output output() {
        return output;
    }

    /** Returns picocli's model of the command. */
    final CommandSpec model() {
        return spec;
    }

    /** Returns the command {@code shardkit} itself, which has the options of all commands. */
    final RootCommand root() {
        return (RootCommand) spec.root().userObject();
    }

    /**
     * Returns the options for opening the nodes that the command is about, from the options that all commands share.
     */
    final ZarrOptions options() {
        ZarrOptions plain = plainOptions();
        return root().format().choice(plain.registry()).map(plain::withFormats).orElse(plain);
    }

    /** Returns the options for opening other locations, whose formats only their prefixes name. */
    final ZarrOptions plainOptions() {
        RootCommand root = root();
        ZarrOptions options = ZarrOptions.defaults().withLinks(root.links());
        return root.registry().map(options::withRegistry).orElse(options);
    }

    /** Whether the command line asks for following links. */
    final boolean followsLinks() {
        return root().links() == Links.FOLLOW;
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
    abstract int run() throws IOException;

    /** Whether parameters of the command may name pipes, devices and standard input. */
    boolean takesStreams() {
        return false;
    }

    /** Returns what to do if a signal ends the command, before the command line; empty if nothing is left behind. */
    Optional<String> afterSignal() {
        return Optional.empty();
    }

    /** Returns the exit status for faults of the data, a store or the target. */
    int faultStatus() {
        return 1;
    }
}
