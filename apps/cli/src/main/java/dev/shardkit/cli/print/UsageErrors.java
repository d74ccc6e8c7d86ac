package dev.shardkit.cli.print;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.UnmatchedArgumentException;

/** Formats messages about wrong usage as one line. Stateless. */
public final class UsageErrors {
    /** The maximum number of commands that a message names. */
    private static final int MAX_NAMED_COMMANDS = 3;

    private UsageErrors() {}

    /**
     * Returns the message for an error of the parser.
     *
     * @param commandLine the model of all commands
     */
    public static String message(CommandLine.ParameterException e, CommandLine commandLine) {
        String name = e.getCommandLine().getCommandSpec().qualifiedName();
        return problem(e) + suggestion(e, commandLine) + " (see " + name + " --help)";
    }

    private static String problem(CommandLine.ParameterException e) {
        boolean isCommand = e instanceof UnmatchedArgumentException unmatched
                && !unmatched.isUnknownOption()
                && e.getCommandLine().getParent() == null;
        return isCommand
                ? "there is no command \""
                        + ((UnmatchedArgumentException) e).getUnmatched().get(0) + "\""
                : e.getMessage();
    }

    /** Returns a suggestion for an unknown command or option; empty if there is none. */
    public static String suggestion(CommandLine.ParameterException e, CommandLine commandLine) {
        if (!(e instanceof UnmatchedArgumentException unmatched)) {
            return "";
        }
        String argument = unmatched.getUnmatched().get(0);
        if (argument.equals("--json") && e.getCommandLine().getCommandSpec().findOption("--format") != null) {
            return "; did you mean --format json?";
        }
        List<String> commands = commandsWithOption(argument, commandLine);
        if (!commands.isEmpty()) {
            return "; " + String.join(", ", commands) + (commands.size() == 1 ? " has it" : " have it");
        }
        // picocli suggests every name that shares two letters; a typing error rarely changes the first letter.
        return unmatched.getSuggestions().stream()
                .filter(candidate -> candidate.regionMatches(true, 0, argument, 0, 1))
                .findFirst()
                .map(candidate -> "; did you mean " + candidate + "?")
                .orElse("");
    }

    /** Returns the commands that have an option with this name. */
    private static List<String> commandsWithOption(String argument, CommandLine commandLine) {
        String option = argument.split("=", 2)[0];
        return !option.startsWith("--")
                ? List.of()
                : commandLine.getSubcommands().values().stream()
                        .map(CommandLine::getCommandSpec)
                        .filter(spec -> !spec.usageMessage().hidden() && spec.findOption(option) != null)
                        .map(CommandLine.Model.CommandSpec::qualifiedName)
                        .distinct()
                        .limit(MAX_NAMED_COMMANDS)
                        .toList();
    }
}
