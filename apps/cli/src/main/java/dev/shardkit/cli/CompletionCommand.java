package dev.shardkit.cli;

import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.shell.Completion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code completion}: prints the completion script of a shell. */
@Command(
        name = "completion",
        description = {
            "Print a script that completes commands, options and file names in a shell.",
            "For Bash and Z shell, run it when a shell starts; for fish, store it as the file of the example."
        },
        footer = {
            "",
            "Examples:",
            "  source <(shardkit completion bash)      in ~/.bashrc",
            "  source <(shardkit completion zsh)       in ~/.zshrc",
            "  shardkit completion fish > ~/.config/fish/completions/shardkit.fish"
        })
final class CompletionCommand extends ShardkitCommand {
    @Parameters(paramLabel = "bash|zsh|fish", description = "The shell.")
    private Completion shell = Completion.BASH;

    CompletionCommand(Output output) {
        super(output);
    }

    @Override
    public int run() {
        CommandLine commandLine = Main.commands(output());
        output().printLine(shell.script(commandLine).stripTrailing());
        return 0;
    }
}
