package dev.shardkit.cli;

import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.UsageErrors;
import dev.shardkit.cli.print.UsageException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code help}: prints the help of a command. */
@Command(
        name = "help",
        description = "Print the help of a command, as shardkit COMMAND --help does, or of all commands.",
        footer = {"", "Example: shardkit help read"})
final class HelpCommand extends ShardkitCommand {
    @Parameters(arity = "0..1", paramLabel = "COMMAND", description = "The command.")
    private @Nullable String command;

    HelpCommand(Output output) {
        super(output);
    }

    @Override
    public int run() {
        CommandLine shardkit = Main.commands(output());
        CommandLine selected =
                command == null ? shardkit : shardkit.getSubcommands().get(command.toLowerCase(Locale.ROOT));
        if (selected == null) {
            List<String> words = List.of(String.valueOf(command).toLowerCase(Locale.ROOT));
            throw new UsageException("there is no command \"" + command + "\""
                    + UsageErrors.suggestion(new UnmatchedArgumentException(shardkit, words), shardkit)
                    + " (see shardkit --help)");
        }
        selected.usage(output().writer()); // as --help does, so that the line separators are the same
        return 0;
    }
}
