package dev.shardkit.cli.command.write;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrNode;
import dev.shardkit.cli.base.RefusedException;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.option.Options;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code attrs}: prints and changes attributes. */
@Command(
        name = "attrs",
        description = {
            "Print the attributes of an array or a group as JSON, or change them.",
            "Several changes are one write: first --replace, then --merge, --remove and --set.",
            ConsolidateCommand.GROUPS_ABOVE
        },
        footer = {
            "",
            "Example: shardkit attrs image.zarr --set unit=mm --set scale=0.5",
            "Example: shardkit attrs a.zarr | shardkit attrs b.zarr --merge -"
        })
public final class AttrsCommand extends ShardkitCommand {
    @Parameters(paramLabel = "URL", description = "The location of the array or group.")
    private String url = "";

    @Option(names = "--get", paramLabel = "NAME", description = "Print only the value of this attribute.")
    private @Nullable String get;

    @Option(
            names = "--replace",
            paramLabel = "JSON",
            description = "Replace all attributes by this JSON object; - reads it from standard input.")
    private @Nullable String replace;

    @Option(
            names = "--merge",
            paramLabel = "JSON",
            description = "Add the members of this JSON object, in place of those with the same name; - reads it from "
                    + "standard input.")
    private @Nullable String merge;

    @Option(names = "--remove", paramLabel = "NAME", description = "Remove this attribute; may be repeated.")
    private List<String> remove = List.of();

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description =
                    "Set this attribute to a JSON value, such as 3, true, NaN or '[1, 2]', or to a text, such as mm; "
                            + "a text that is JSON needs quotes: '\"3\"'. May be repeated.")
    private List<String> set = List.of();

    public AttrsCommand(Output output) {
        super(output);
    }

    @Override
    public int run() throws IOException {
        boolean hasChanges = replace != null || merge != null || !remove.isEmpty() || !set.isEmpty();
        if (hasChanges && get != null) {
            throw new UsageException("--get and changes exclude each other");
        } else if ("-".equals(replace) && "-".equals(merge)) {
            throw new UsageException("--replace and --merge cannot both read standard input");
        }
        @Nullable
        Map<String, Json> replacement =
                replace == null ? null : readObject("--replace", replace).members();
        Map<String, Json> additions =
                merge == null ? Map.of() : readObject("--merge", merge).members();
        try (ZarrNode node = Zarr.open(url, options())) {
            if (hasChanges) {
                node.changeAttributes(
                        current -> applyChanges(replacement != null ? replacement : current.members(), additions));
            } else {
                output().printJson(get != null ? requireValue(node.attributes(), get) : node.attributes());
            }
            return 0;
        }
    }

    /** Returns the attributes after {@code --merge}, {@code --remove} and {@code --set}, in this order. */
    private Json.Obj applyChanges(Map<String, Json> current, Map<String, Json> additions) {
        Map<String, Json> members = new LinkedHashMap<>(current);
        members.putAll(additions);
        for (String name : remove) {
            if (members.remove(name) == null) {
                throw noSuchAttribute(name);
            }
        }
        for (String item : set) {
            int equalsSign = item.indexOf('=');
            if (equalsSign < 1) {
                throw new UsageException("--set: expected NAME=VALUE, found " + item);
            }
            members.put(
                    item.substring(0, equalsSign), Options.attribute("--set " + item, item.substring(equalsSign + 1)));
        }
        return new Json.Obj(members);
    }

    private Json.Obj readObject(String option, String text) throws IOException {
        return Options.attributes(
                option, text.equals("-") ? new String(output().in().readAllBytes(), StandardCharsets.UTF_8) : text);
    }

    private static Json requireValue(Json.Obj attributes, String name) {
        return attributes.get(name).orElseThrow(() -> noSuchAttribute(name));
    }

    private static RefusedException noSuchAttribute(String name) {
        return new RefusedException("there is no attribute \"" + name + "\"");
    }
}
