package dev.shardkit.cli;

import java.util.List;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Formats the help that {@code --help} prints for a command. It omits the options that all commands share, which only
 * the help of {@code shardkit} itself explains.
 */
final class ShortHelp extends Help {
    private static final String SHARED =
            "%nOptions of all commands (--verbose, --follow-links, --plugin, --node-format,%n"
                    + "--header, --bearer-token-file, --netrc, --follow-redirects, --forbidden-as-missing,%n"
                    + "--s3-*, --gs-*, --az-*) are explained by: shardkit --help%n";

    /** Whether this is the help of a subcommand, and not of {@code shardkit} itself. */
    private final boolean isShort;

    /**
     * Creates the help of a command. Removes the inherited options from the command's model, so the model must not be
     * used afterwards.
     */
    ShortHelp(CommandSpec spec, ColorScheme colors) {
        super(withoutShared(spec), colors);
        this.isShort = spec.parent() != null;
    }

    private static CommandSpec withoutShared(CommandSpec spec) {
        List.copyOf(spec.options()).stream().filter(OptionSpec::inherited).forEach(spec::remove);
        return spec;
    }

    @Override
    public String optionList() {
        return isShort ? super.optionList() + String.format(SHARED) : super.optionList();
    }
}
