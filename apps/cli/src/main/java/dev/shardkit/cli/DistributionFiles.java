package dev.shardkit.cli;

import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.shell.Completion;
import dev.shardkit.cli.shell.ManualPage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;

/**
 * Writes the generated files of the archive that users download: the completion scripts, the manual page and the
 * changed copy of picocli. Only the build runs this class.
 */
final class DistributionFiles {
    private DistributionFiles() {}

    /** Writes the files into the folder {@code args[0]}; {@code args[1]} is the version. */
    public static void main(String[] args) throws IOException {
        CommandLine commandLine = Main.commands(new Output(
                InputStream.nullInputStream(), OutputStream.nullOutputStream(), OutputStream.nullOutputStream()));
        Path folder = Path.of(args[0]);
        Path completion = Files.createDirectories(folder.resolve("completion"));
        Files.writeString(completion.resolve("shardkit.bash"), Completion.BASH.script(commandLine));
        Files.writeString(completion.resolve("shardkit.zsh"), Completion.ZSH.script(commandLine));
        Files.writeString(completion.resolve("shardkit.fish"), Completion.FISH.script(commandLine));
        DistributionLibrary.write(Files.createDirectories(folder.resolve("lib")));
        Path manual = Files.createDirectories(folder.resolve("man/man1"));
        Files.writeString(manual.resolve("shardkit.1"), ManualPage.of(commandLine, args[1]));
    }
}
