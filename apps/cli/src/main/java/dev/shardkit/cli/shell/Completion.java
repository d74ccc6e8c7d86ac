package dev.shardkit.cli.shell;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A shell, with its script that completes commands, options and file names. */
public enum Completion {
    /** GNU Bash. */
    BASH,
    /** Z shell, which emulates Bash's completion and so takes the same script. */
    ZSH,
    /** fish. */
    FISH;

    private static final String NAME = "shardkit";

    /** Returns the completion script for {@code root}, the model of all commands. Changes the model. */
    public String script(CommandLine root) {
        root.getSubcommands().values().forEach(command -> EnumWords.offerInCompletion(command.getCommandSpec()));
        return this == FISH ? fishScript(root) : AutoComplete.bash(NAME, root);
    }

    private static String fishScript(CommandLine root) {
        StringBuilder script = new StringBuilder("# Completion of shardkit for fish.\n");
        appendOptions(script, root.getCommandSpec(), "");
        for (CommandLine command : root.getSubcommands().values()) {
            CommandSpec spec = command.getCommandSpec();
            appendCompletion(script, "-n __fish_use_subcommand -f -a " + spec.name(), summary(spec));
        }
        for (CommandLine command : root.getSubcommands().values()) {
            CommandSpec spec = command.getCommandSpec();
            appendOptions(script, spec, "-n '__fish_seen_subcommand_from " + spec.name() + "' ");
        }
        return script.toString();
    }

    private static void appendOptions(StringBuilder script, CommandSpec spec, String condition) {
        for (OptionSpec option : spec.options()) {
            if (option.inherited()) {
                continue; // the line for the root's option completes it for all commands
            }
            String names = Arrays.stream(option.names())
                    .map(name -> name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1))
                    .collect(Collectors.joining(" "));
            String values = values(option);
            // -r: a value follows, such as a file; -x -a: one of these values follows, and no file.
            String value = option.arity().max() == 0 ? "" : values.isEmpty() ? " -r" : " -x -a '" + values + "'";
            appendCompletion(script, condition + names + value, firstSentence(option.description()));
        }
    }

    /** Returns the values of an option, separated by blanks; empty if it has no fixed list of values. */
    private static String values(OptionSpec option) {
        Iterable<String> candidates = option.completionCandidates();
        if (candidates != null) {
            return String.join(" ", candidates);
        }
        return option.paramLabel().contains("|") ? option.paramLabel().replace('|', ' ') : "";
    }

    private static void appendCompletion(StringBuilder script, String conditionAndNames, String description) {
        String text = description.replace("\\", "\\\\").replace("'", "\\'");
        script.append("complete -c ").append(NAME).append(' ').append(conditionAndNames);
        script.append(" -d '").append(text).append("'\n");
    }

    static String summary(CommandSpec spec) {
        return firstSentence(spec.usageMessage().description());
    }

    /** Returns the first sentence of a description. */
    private static String firstSentence(String... lines) {
        String text = String.join(" ", List.of(lines)).replace("%n", " ").replace("%%", "%");
        int end = text.indexOf(". ");
        return end < 0 ? text : text.substring(0, end + 1);
    }
}
