package dev.shardkit.cli.shell;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Formats the manual page shardkit(1) for {@code man}, in roff with the macros of man(7): one section for each command.
 */
public final class ManualPage {
    private final StringBuilder page = new StringBuilder();

    private ManualPage() {}

    /** Returns the page for {@code root}, the model of all commands. */
    public static String of(CommandLine root, String version) {
        ManualPage manual = new ManualPage();
        CommandSpec spec = root.getCommandSpec();
        manual.appendMacro("TH", "SHARDKIT", "1", "", version, "shardkit");
        manual.appendSection("NAME");
        manual.appendText("shardkit - sharded Zarr v3 arrays from the command line");
        manual.appendSection("SYNOPSIS");
        manual.appendLine("shardkit \\fICOMMAND\\fR [\\fIOPTION\\fR ...] [\\fIARGUMENT\\fR ...]");
        manual.appendSection("DESCRIPTION");
        manual.appendDescription(spec);
        manual.appendSection("OPTIONS OF ALL COMMANDS");
        spec.options().stream().filter(option -> !option.hidden()).forEach(manual::appendOption);
        for (CommandLine command : root.getSubcommands().values()) {
            manual.appendCommand(command);
        }
        return manual.page.toString();
    }

    /** Appends the section of a command: synopsis, description, arguments and options. */
    private void appendCommand(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        appendSection("shardkit " + spec.name());
        appendLine("\\fBshardkit " + escape(spec.name()) + "\\fR "
                + escape(command.getHelp()
                        .synopsis(0)
                        .strip()
                        .replaceFirst("^shardkit ", "")
                        .replaceFirst("^" + spec.name(), "")
                        .replaceAll("\\s+", " ")));
        appendMacro("PP");
        appendDescription(spec);
        for (PositionalParamSpec parameter : spec.positionalParameters()) {
            appendArgument(parameter.paramLabel(), parameter);
        }
        spec.options().stream()
                .filter(option -> !option.hidden() && !option.inherited() && !isStandard(option))
                .forEach(this::appendOption);
    }

    /**
     * Whether an option is one of {@code --help} and {@code --version}, which all commands have without inheriting
     * them.
     */
    private static boolean isStandard(OptionSpec option) {
        return option.usageHelp() || option.versionHelp();
    }

    private void appendDescription(CommandSpec spec) {
        List.of(spec.usageMessage().description()).forEach(this::appendText);
        appendMacro("PP");
        List.of(spec.usageMessage().footer()).forEach(this::appendText);
    }

    private void appendOption(OptionSpec option) {
        String names = String.join(", ", option.names());
        appendArgument(option.arity().max() == 0 ? names : names + " " + option.paramLabel(), option);
    }

    private void appendArgument(String term, ArgSpec argument) {
        appendMacro("TP");
        appendLine("\\fB" + escape(term) + "\\fR");
        List.of(argument.description()).forEach(this::appendText);
    }

    private void appendSection(String name) {
        appendMacro("SH", name);
    }

    private void appendMacro(String name, String... arguments) {
        page.append('.').append(name);
        for (String argument : arguments) {
            page.append(" \"").append(escape(argument)).append('"');
        }
        page.append('\n');
    }

    /** Appends a description of picocli, which may contain the format specifiers %n and %%, and colours. */
    private void appendText(String template) {
        String text = Help.Ansi.OFF.string(String.format(template)).strip();
        if (!text.isEmpty()) {
            appendLine(escape(text));
        }
    }

    /** Appends a line. Escapes a leading point or apostrophe, which would start a macro. */
    private void appendLine(String text) {
        page.append(text.startsWith(".") || text.startsWith("'") ? "\\&" : "")
                .append(text)
                .append('\n');
    }

    /** Escapes characters that roff interprets. {@code \-} is a hyphen that users can copy to a command line. */
    private static String escape(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-").replace("\"", "\\(dq");
    }
}
