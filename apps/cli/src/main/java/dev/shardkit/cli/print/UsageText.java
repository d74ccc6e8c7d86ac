package dev.shardkit.cli.print;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is said about wrong usage: one line, in the words of this command. Stateless. */
public final class UsageText {
    /** The maximum number of commands that are named. */
    private static final int MAX_OTHERS = 3;

    private UsageText() {}

    /**
     * Returns the line for an error of the parser.
     *
     * @param all the model of all commands
     */
    public static String of(CommandLine.ParameterException e, CommandLine all) {
        String name = e.getCommandLine().getCommandSpec().qualifiedName();
        return fact(e) + meant(e, all) + " (see " + name + " --help)";
    }

    private static String fact(CommandLine.ParameterException e) {
        boolean isCommand = e instanceof UnmatchedArgumentException unmatched
                && !unmatched.isUnknownOption()
                && e.getCommandLine().getParent() == null;
        return isCommand
                ? "there is no command \""
                        + ((UnmatchedArgumentException) e).getUnmatched().get(0) + "\""
                : e.getMessage();
    }

    /** Returns the command or option that an unknown one most probably means. */
    public static String meant(CommandLine.ParameterException e, CommandLine all) {
        if (!(e instanceof UnmatchedArgumentException unmatched)) {
            return "";
        }
        String word = unmatched.getUnmatched().get(0);
        if (word.equals("--json") && e.getCommandLine().getCommandSpec().findOption("--format") != null) {
            return "; did you mean --format json?";
        }
        List<String> others = othersWith(word, all);
        if (!others.isEmpty()) {
            return "; " + String.join(", ", others) + (others.size() == 1 ? " has it" : " have it");
        }
        return unmatched.getSuggestions().stream()
                .filter(like -> like.regionMatches(true, 0, word, 0, 1)) // picocli: any that share two letters
                .findFirst()
                .map(like -> "; did you mean " + like + "?")
                .orElse("");
    }

    /** Returns the commands that have an option with this name. */
    private static List<String> othersWith(String word, CommandLine all) {
        String option = word.split("=", 2)[0];
        return !option.startsWith("--")
                ? List.of()
                : all.getSubcommands().values().stream()
                        .map(CommandLine::getCommandSpec)
                        .filter(spec -> !spec.usageMessage().hidden() && spec.findOption(option) != null)
                        .map(CommandLine.Model.CommandSpec::qualifiedName)
                        .distinct()
                        .limit(MAX_OTHERS)
                        .toList();
    }
}
