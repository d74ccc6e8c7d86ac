package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.print.Output;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The help of each command: whole sentences, the same words for the same options, 80 columns. */
class HelpTest {
    private static final int COLUMNS = 80;
    private static final Set<String> SHAPES = Set.of("--shape", "--chunk-shape", "--shard-shape");

    private static List<CommandSpec> commands() {
        Output output = new Output(
                new ByteArrayInputStream(new byte[0]), new ByteArrayOutputStream(), new ByteArrayOutputStream());
        return Commands.createAll(output).stream()
                .map(command -> new CommandLine(command).getCommandSpec())
                .toList();
    }

    @Test
    void commands_areMadeByTheirNames() {
        for (CommandSpec command : commands()) {
            assertTrue(Commands.has(command.name()), command.name());
            assertEquals(
                    command.userObject().getClass(),
                    Commands.create(command.name(), ((ShardkitCommand) command.userObject()).output())
                            .getClass());
        }
    }

    @Test
    void sharedOptions_areExplainedOnce() {
        String help = Cli.good("info", "--help").out();
        assertFalse(help.contains("--s3-endpoint") || help.contains("--plugin="), help);
        assertTrue(help.contains("shardkit --help"), help);
        assertTrue(help.lines().count() < 30, help);
        assertTrue(Cli.good("--help").out().contains("--s3-endpoint=URL"));
        Cli.bad(1, "image.zarr", "info", "image.zarr", "--s3-anonymous");
    }

    @Test
    void help_ofACommand_isThatOfItsOption() {
        assertEquals(Cli.good("read", "--help").out(), Cli.good("help", "read").out());
        assertEquals(Cli.good("--help").out(), Cli.good("help").out());
        Cli.bad(2, "there is no command \"LIST\" (see", "help", "LIST");
        Cli.bad(2, "there is no command \"inof\"; did you mean info?", "help", "inof");
        Cli.bad(2, "there is no command \"inof\"; did you mean info?", "inof");
        Cli.bad(2, "there is no command \"inof\"; did you mean info?", "inof", "image.zarr");
    }

    @Test
    void values_areSpelledInOneWay() {
        Cli.bad(2, "expected text, json or raw, found Foo", "read", "a", "--format", "Foo");
        Cli.bad(2, "expected rewrite, in-place or append, found no", "write", "a", "--strategy", "no");
        Cli.bad(2, "expected c, fortran, morton or as-they-come", "compact", "a", "--order", "x");
        Cli.bad(1, "a", "read", "a", "--format", "JSON");
    }

    @Test
    void descriptions_areWholeSentences() {
        List<String> cut = new ArrayList<>();
        for (CommandSpec command : commands()) {
            Stream.concat(
                            Stream.of(command.usageMessage().description()),
                            Stream.concat(command.options().stream(), command.positionalParameters().stream())
                                    .flatMap(argument -> Stream.of(argument.description())))
                    .filter(line -> !line.endsWith(".") && !line.endsWith("Example:") && !line.endsWith("'"))
                    .forEach(line -> cut.add(command.name() + ": " + line));
        }
        assertEquals(List.of(), cut);
    }

    @Test
    void shapes_haveTheSameNamesEverywhere() {
        for (CommandSpec command : commands()) {
            for (OptionSpec option : command.options()) {
                assertEquals(
                        SHAPES.contains(option.longestName()),
                        option.paramLabel().equals("SHAPE"),
                        command.name() + ": " + option);
            }
        }
    }

    @Test
    void lines_fitTheTerminal() {
        for (CommandSpec command : commands()) {
            String help = command.commandLine().getUsageMessage(CommandLine.Help.Ansi.OFF);
            assertTrue(help.lines().allMatch(line -> line.length() <= COLUMNS), help);
        }
    }
}
