package dev.shardkit.cli.print;

import picocli.CommandLine;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is said about wrong usage: one line, in the words of this command. Stateless. */
public final class UsageText {
    private UsageText() {}

    /** Returns the line for an error of the parser. */
    public static String of(CommandLine.ParameterException e) {
        String name = e.getCommandLine().getCommandSpec().qualifiedName();
        return fact(e) + meant(e) + " (see " + name + " --help)";
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
    public static String meant(CommandLine.ParameterException e) {
        if (!(e instanceof UnmatchedArgumentException unmatched)) {
            return "";
        }
        String word = unmatched.getUnmatched().get(0);
        if (word.equals("--json") && e.getCommandLine().getCommandSpec().findOption("--format") != null) {
            return "; did you mean --format json?";
        }
        return unmatched.getSuggestions().stream()
                .filter(like -> like.regionMatches(true, 0, word, 0, 1)) // picocli: any that share two letters
                .findFirst()
                .map(like -> "; did you mean " + like + "?")
                .orElse("");
    }
}
