package dev.shardkit.cli.base;

import dev.shardkit.cli.print.UsageException;
import dev.shardkit.registry.FormatChoice;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.Extension;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * {@code --node-format}: the format of the nodes at the command's location, in place of a prefix such as {@code n5:}.
 * {@code --format} is another name for it, except on commands with a {@code --format} of their own.
 */
public final class NodeFormatOption {
    private static final String ALIAS = "--format";
    /** The values of the option that are not names of node formats in the registry. */
    private static final Map<String, FormatChoice> CHOICES =
            Map.of("any", FormatChoice.ANY, "zarr", FormatChoice.ZARR, "zarr_v3", FormatChoice.ZARR_V3);

    @Option(
            names = "--node-format",
            scope = ScopeType.INHERIT,
            paramLabel = "NAME",
            description =
                    "The format of the nodes at URL, such as n5, as if URL began with n5:; zarr or zarr_v3, to see no "
                            + "others; or any, to look for all formats in remote stores too. Of two locations, it is "
                            + "that of the first. Also --format, except with read and export.")
    private @Nullable String name;

    /** Adds {@code --format} to a command, unless the command has its own option of this name. */
    public void addAlias(CommandSpec command) {
        if (command.findOption(ALIAS) == null) {
            command.addOption(OptionSpec.builder(ALIAS)
                    .type(String.class)
                    .arity("1")
                    .paramLabel("NAME")
                    .description("The same as --node-format.")
                    .hidden(true)
                    .setter(new Setter(this))
                    .build());
        }
    }

    /** Returns the formats that the option selects; empty if it is absent. */
    Optional<FormatChoice> choice(Registry registry) {
        return Optional.ofNullable(name).map(text -> parse(text, registry));
    }

    /** Parses the value of the option: a node format, or one of {@link #CHOICES}. */
    private static FormatChoice parse(String text, Registry registry) {
        String formatName = text.replace('-', '_');
        if (CHOICES.containsKey(formatName)) {
            return CHOICES.get(formatName);
        }
        if (registry.nodeFormats().stream().noneMatch(format -> format.name().equals(formatName))) {
            String known = Stream.concat(
                            registry.nodeFormats().stream().map(Extension::name), CHOICES.keySet().stream())
                    .sorted()
                    .collect(Collectors.joining(", "));
            throw new UsageException("--node-format: expected one of " + known + ", found '" + text
                    + "'; other containers are named before the location, as in hdf5:FILE or b2nd:FILE");
        }
        return FormatChoice.named(formatName);
    }

    /** Sets the name when picocli finds the alias {@code --format}. Returns the previous name, as picocli requires. */
    private record Setter(NodeFormatOption option) implements picocli.CommandLine.Model.ISetter {
        @Override
        @SuppressWarnings("unchecked")
        public <T> T set(T value) {
            String previous = option.name;
            if (value != null) {
                option.name = value.toString();
            }
            return (T) previous;
        }
    }
}
