package dev.shardkit.cli;

import java.util.List;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The help of a command without the options that all commands share, except on {@code shardkit} itself. */
final class ShortHelp extends Help {
    private static final String SHARED =
            "%nOptions of all commands (--verbose, --follow-links, --plugin, --node-format,%n"
                    + "--header, --bearer-token-file, --netrc, --follow-redirects, --forbidden-as-missing,%n"
                    + "--s3-*, --gs-*, --az-*) are explained by: shardkit --help%n";

    private final boolean isShort;

    /** Makes the help of a command. Removes the shared options from its model, which is not used afterwards. */
    ShortHelp(CommandSpec spec, ColorScheme colours) {
        super(withoutShared(spec), colours);
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
