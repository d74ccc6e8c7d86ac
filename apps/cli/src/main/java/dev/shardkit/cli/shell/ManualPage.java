package dev.shardkit.cli.shell;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The manual page shardkit(1) in the macros of {@code man}: one section for each command. */
public final class ManualPage {
    private final StringBuilder page = new StringBuilder();

    private ManualPage() {}

    /** Returns the page for {@code root}, the model of all commands. */
    public static String of(CommandLine root, String version) {
        ManualPage manual = new ManualPage();
        CommandSpec spec = root.getCommandSpec();
        manual.macro("TH", "SHARDKIT", "1", "", version, "shardkit");
        manual.section("NAME");
        manual.text("shardkit - sharded Zarr v3 arrays from the command line");
        manual.section("SYNOPSIS");
        manual.line("shardkit \\fICOMMAND\\fR [\\fIOPTION\\fR ...] [\\fIARGUMENT\\fR ...]");
        manual.section("DESCRIPTION");
        manual.body(spec);
        manual.section("OPTIONS OF ALL COMMANDS");
        spec.options().stream().filter(option -> !option.hidden()).forEach(manual::option);
        for (CommandLine command : root.getSubcommands().values()) {
            manual.command(command);
        }
        return manual.page.toString();
    }

    private void command(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        section("shardkit " + spec.name());
        line("\\fBshardkit " + escape(spec.name()) + "\\fR "
                + escape(command.getHelp()
                        .synopsis(0)
                        .strip()
                        .replaceFirst("^shardkit ", "")
                        .replaceFirst("^" + spec.name(), "")
                        .replaceAll("\\s+", " ")));
        macro("PP");
        body(spec);
        for (PositionalParamSpec parameter : spec.positionalParameters()) {
            argument(parameter.paramLabel(), parameter);
        }
        spec.options().stream()
                .filter(option -> !option.hidden() && !option.inherited() && !isStandard(option))
                .forEach(this::option);
    }

    /** Whether an option is on all commands, without being inherited. */
    private static boolean isStandard(OptionSpec option) {
        return option.usageHelp() || option.versionHelp();
    }

    private void body(CommandSpec spec) {
        List.of(spec.usageMessage().description()).forEach(this::text);
        macro("PP");
        List.of(spec.usageMessage().footer()).forEach(this::text);
    }

    private void option(OptionSpec option) {
        String names = String.join(", ", option.names());
        argument(option.arity().max() == 0 ? names : names + " " + option.paramLabel(), option);
    }

    private void argument(String term, ArgSpec argument) {
        macro("TP");
        line("\\fB" + escape(term) + "\\fR");
        List.of(argument.description()).forEach(this::text);
    }

    private void section(String name) {
        macro("SH", name);
    }

    private void macro(String name, String... arguments) {
        page.append('.').append(name);
        for (String argument : arguments) {
            page.append(" \"").append(escape(argument)).append('"');
        }
        page.append('\n');
    }

    private void text(String template) {
        String text = Help.Ansi.OFF.string(String.format(template)).strip();
        if (!text.isEmpty()) {
            line(escape(text));
        }
    }

    /** A line that begins with a point or an apostrophe would be a macro. */
    private void line(String text) {
        page.append(text.startsWith(".") || text.startsWith("'") ? "\\&" : "")
                .append(text)
                .append('\n');
    }

    private static String escape(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-").replace("\"", "\\(dq");
    }
}
