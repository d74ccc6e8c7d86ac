package dev.shardkit.cli.shell;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A shell that completes commands, options and file names by a script. */
public enum Completion {
    /** GNU Bash. */
    BASH,
    /** Z shell, by its emulation of Bash's completion. */
    ZSH,
    /** fish. */
    FISH;

    private static final String NAME = "shardkit";

    /** Returns the script for {@code root}, the model of all commands. Changes the model. */
    public String script(CommandLine root) {
        root.getSubcommands().values().forEach(command -> EnumWords.offer(command.getCommandSpec()));
        return this == FISH ? fish(root) : AutoComplete.bash(NAME, root);
    }

    private static String fish(CommandLine root) {
        StringBuilder script = new StringBuilder("# Completion of shardkit for fish.\n");
        options(script, root.getCommandSpec(), "");
        for (CommandLine command : root.getSubcommands().values()) {
            CommandSpec spec = command.getCommandSpec();
            complete(script, "-n __fish_use_subcommand -f -a " + spec.name(), summary(spec));
        }
        for (CommandLine command : root.getSubcommands().values()) {
            CommandSpec spec = command.getCommandSpec();
            options(script, spec, "-n '__fish_seen_subcommand_from " + spec.name() + "' ");
        }
        return script.toString();
    }

    private static void options(StringBuilder script, CommandSpec spec, String condition) {
        for (OptionSpec option : spec.options()) {
            if (option.inherited()) {
                continue; // the root's line serves all commands
            }
            String names = Arrays.stream(option.names())
                    .map(name -> name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1))
                    .collect(Collectors.joining(" "));
            String values = values(option);
            String value = option.arity().max() == 0 ? "" : values.isEmpty() ? " -r" : " -x -a '" + values + "'";
            complete(script, condition + names + value, first(option.description()));
        }
    }

    /** Returns the values that an option may have, if they are few. */
    private static String values(OptionSpec option) {
        Iterable<String> candidates = option.completionCandidates();
        if (candidates != null) {
            return String.join(" ", candidates);
        }
        return option.paramLabel().contains("|") ? option.paramLabel().replace('|', ' ') : "";
    }

    private static void complete(StringBuilder script, String what, String description) {
        String text = description.replace("\\", "\\\\").replace("'", "\\'");
        script.append("complete -c ").append(NAME).append(' ').append(what);
        script.append(" -d '").append(text).append("'\n");
    }

    static String summary(CommandSpec spec) {
        return first(spec.usageMessage().description());
    }

    /** Returns the first sentence. */
    private static String first(String... lines) {
        String text = String.join(" ", List.of(lines)).replace("%n", " ").replace("%%", "%");
        int end = text.indexOf(". ");
        return end < 0 ? text : text.substring(0, end + 1);
    }
}
