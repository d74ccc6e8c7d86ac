package dev.shardkit.cli;

import dev.shardkit.ZarrOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What all commands share: where they write, and that they end with an exit status. Used once. */
@Command(
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true)
abstract class ShardkitCommand implements Callable<Integer> {
    private final Output output;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    ShardkitCommand(Output output) {
        this.output = output;
    }

    /** Where it writes. */
    final Output output() {
        return output;
    }

    /** The command as picocli knows it. */
    final CommandSpec model() {
        return spec;
    }

    /** How it opens nodes, as the options say that all commands understand. */
    final ZarrOptions options() {
        return ZarrOptions.defaults().withLinks(((RootCommand) spec.root().userObject()).links());
    }

    @Override
    public final Integer call() throws IOException {
        return run();
    }

    /** Does it, and gives the exit status. */
    abstract int run() throws IOException;

    /** The exit status when the data, a store or the target is at fault. */
    int faultStatus() {
        return 1;
    }
}
