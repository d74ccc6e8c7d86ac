package dev.shardkit.cli.command;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrNode;
import dev.shardkit.cli.base.Refusal;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.option.Options;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.WrongUse;
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
        boolean changes = replace != null || merge != null || !remove.isEmpty() || !set.isEmpty();
        if (changes && get != null) {
            throw new WrongUse("--get and changes exclude each other");
        } else if ("-".equals(replace) && "-".equals(merge)) {
            throw new WrongUse("--replace and --merge cannot both read standard input");
        }
        @Nullable
        Map<String, Json> replaced =
                replace == null ? null : object("--replace", replace).members();
        Map<String, Json> merged =
                merge == null ? Map.of() : object("--merge", merge).members();
        try (ZarrNode node = Zarr.open(url, options())) {
            if (changes) {
                node.changeAttributes(now -> changed(replaced != null ? replaced : now.members(), merged));
            } else {
                output().json(get != null ? value(node.attributes(), get) : node.attributes());
            }
            return 0;
        }
    }

    private Json.Obj changed(Map<String, Json> now, Map<String, Json> merged) {
        Map<String, Json> members = new LinkedHashMap<>(now);
        members.putAll(merged);
        for (String name : remove) {
            if (members.remove(name) == null) {
                throw missing(name);
            }
        }
        for (String item : set) {
            int at = item.indexOf('=');
            if (at < 1) {
                throw new WrongUse("--set: expected NAME=VALUE, found " + item);
            }
            members.put(item.substring(0, at), Options.attribute("--set " + item, item.substring(at + 1)));
        }
        return new Json.Obj(members);
    }

    private Json.Obj object(String option, String text) throws IOException {
        return Options.attributes(
                option, text.equals("-") ? new String(output().in().readAllBytes(), StandardCharsets.UTF_8) : text);
    }

    private static Json value(Json.Obj attributes, String name) {
        return attributes.get(name).orElseThrow(() -> missing(name));
    }

    private static Refusal missing(String name) {
        return new Refusal("there is no attribute \"" + name + "\"");
    }
}
