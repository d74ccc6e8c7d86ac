package dev.shardkit.cli.command;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.print.ChunkShapes;
import dev.shardkit.cli.print.NodeFacts;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.StoreFacts;
import dev.shardkit.cli.print.Switches;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code info}: shows the metadata of one node. Reads no chunk. */
@Command(
        name = "info",
        description = {
            "Show the metadata of an array or a group.",
            "If the data type, a codec or the grid of the node is unknown, show the rest and name the unknown part. "
                    + "The exit status is then 1."
        },
        footer = {"", "Example: shardkit info https://example.org/image.zarr --json"})
public final class InfoCommand extends ShardkitCommand {
    /** The codec in the documents of HDF5 datasets that cannot be read: type and layout there stand for nothing. */
    private static final String UNREADABLE = "\"hdf5.unreadable\"";

    @Parameters(paramLabel = "URL", description = "The location of the array or group.")
    private String url = "";

    @Option(names = "--json", description = "Print a JSON document that includes the node's metadata.")
    private boolean json;

    @Option(
            names = "--store",
            description = {
                "Show what the store at URL can do, such as support several writers, instead of the node.",
                "For a server that speaks S3 but is not Amazon's, this writes and deletes a small object, to test whether "
                        + "the server supports conditional writes."
            })
    private boolean ofStore;

    public InfoCommand(Output output) {
        super(output);
    }

    @Override
    public int run() throws IOException {
        if (ofStore) {
            try (Store store = Zarr.openStore(url, options())) {
                print(StoreFacts.of(store));
            }
            return 0;
        }
        try {
            return known();
        } catch (UnsupportedException e) {
            try (Store store = Zarr.openStore(url, options())) {
                Optional<Json.Obj> document = Zarr.document(store, "", options());
                print(unknown(store, document.orElseThrow(() -> e), e));
            }
            output().message(e.getMessage());
            return faultStatus();
        }
    }

    private int known() {
        try (ZarrNode node = Zarr.open(url, options())) {
            print(node instanceof ZarrArray a ? array(a) : group((ZarrGroup) node));
            return 0;
        }
    }

    private void print(Json.Obj facts) {
        if (json) {
            output().json(facts);
        } else {
            lines(facts);
        }
    }

    /** Returns the facts about a node that cannot be opened. */
    private static Json.Obj unknown(Store store, Json.Obj document, UnsupportedException why) {
        Json.Obj facts = Json.object().with("location", Json.of(store.describe()));
        boolean isMadeUp = document.get("codecs").map(Json::toString).orElse("").contains(UNREADABLE);
        for (String name : List.of("node_type", "data_type", "shape")) {
            Optional<Json> value = document.get(name)
                    .filter(v -> !isMadeUp || !name.equals("data_type") && !v.equals(Json.of(new long[0])));
            facts = value.isPresent() ? facts.with(name, value.get()) : facts;
        }
        if (isMadeUp) {
            return facts.with("unsupported", Json.of(Switches.in(why.fact())));
        }
        return facts.with("unsupported", Json.of(Switches.in(why.fact()))).with("metadata", document);
    }

    private Json.Obj node(ZarrNode node, String type) {
        Json.Obj facts =
                Json.object().with("location", Json.of(node.location())).with("node_type", Json.of(type));
        Json.Obj named = node.nodeFormat()
                .map(format -> facts.with("node_format", Json.of(format)))
                .orElse(facts);
        List<String> others = NodeFacts.otherFormats(node, output()::message);
        return others.isEmpty()
                ? named
                : named.with(
                        "other_formats",
                        new Json.Arr(others.stream().map(Json::of).toList()));
    }

    private Json.Obj array(ZarrArray array) {
        Json.Obj facts = node(array, "array");
        for (var fact : NodeFacts.summary(array).members().entrySet()) {
            facts = facts.with(fact.getKey(), fact.getValue());
        }
        long[] cells = array.storedChunks().cells();
        BigInteger elements = Shapes.exactCount(array.shape());
        facts = facts.with(array.isSharded() ? "shards" : "chunks", Json.of(cells))
                .with("elements", new Json.Num(elements.toString()));
        if (array.dataType().elementSize().isPresent()) {
            BigInteger size = BigInteger.valueOf(array.dataType().elementSize().getAsInt());
            facts = facts.with(
                    "unencoded_bytes", new Json.Num(elements.multiply(size).toString()));
        }
        if (!array.metadata().ignoredCodecs().isEmpty()) {
            facts = facts.with(
                    "ignored_codecs",
                    new Json.Arr(array.metadata().ignoredCodecs().stream()
                            .map(Json::of)
                            .toList()));
        }
        Optional<String> unfinished = NodeFacts.unfinished(array);
        facts = unfinished.isPresent() ? facts.with("unfinished", Json.of(unfinished.get())) : facts;
        return withRemarks(facts, array.metadata()).with("metadata", MetadataWriter.document(array.metadata()));
    }

    private static Json.Obj withRemarks(Json.Obj facts, NodeMetadata metadata) {
        return metadata.remarks().isEmpty() ? facts : facts.with("remarks", Json.of(metadata.remarks()));
    }

    private Json.Obj group(ZarrGroup group) {
        Json.Obj facts = node(group, "group")
                .with("consolidated", Json.of(group.metadata().consolidated().isPresent()));
        return withRemarks(facts, group.metadata()).with("metadata", MetadataWriter.document(group.metadata()));
    }

    /** Prints the facts, one a line, and the members of the metadata that they do not cover. */
    private void lines(Json.Obj facts) {
        facts.members().forEach((name, value) -> {
            if (name.endsWith("_shape")
                    && value instanceof Json.Arr shapes
                    && shapes.items().stream().anyMatch(Json.Arr.class::isInstance)) {
                print(name, ChunkShapes.text(shapes));
            } else if (name.equals("other_formats")) {
                print(name, others((Json.Arr) value));
            } else if (!name.equals("metadata")) {
                print(name, value);
            }
        });
        boolean isNumber = facts.get("data_type").orElseGet(Json.Null::new) instanceof Json.Str type
                && type.value().matches("b?float[0-9].*|complex.*");
        Json metadata = facts.get("metadata").orElseGet(Json::object);
        ((Json.Obj) metadata).members().forEach((name, value) -> {
            boolean said = facts.members().containsKey(name)
                    || name.equals("zarr_format")
                    || name.equals("consolidated_metadata")
                    || value.equals(Json.object());
            if (name.equals("codecs") && value instanceof Json.Arr list) {
                codecs("", list);
            } else if (isNumber && name.equals("fill_value")) {
                print(name, value.toString().replace("\"", ""));
            } else if (!said) {
                print(name, value);
            }
        });
    }

    /** Returns the formats beside the node's own, and how to open them. */
    private String others(Json.Arr formats) {
        return formats.items().stream()
                .map(format -> ((Json.Str) format).value())
                .map(name -> name + " (to open it: " + name + ":" + url + ")")
                .collect(Collectors.joining(", "));
    }

    private void print(String name, Json value) {
        String text = value instanceof Json.Str s && !name.equals("fill_value") ? s.value() : value.toString();
        print(name, text);
    }

    private void print(String name, String text) {
        output().line(String.format("%-20s %s", name.replace('_', ' '), text));
    }

    /** Prints one codec a line; the codecs of inner chunks are indented below their shard's. */
    private void codecs(String indent, Json.Arr codecs) {
        String label = indent.isEmpty() ? "codecs" : "";
        for (Json codec : codecs.items()) {
            StringBuilder line = new StringBuilder(indent).append(name(codec));
            Json.Obj configuration = configuration(codec);
            configuration.members().forEach((key, value) -> {
                if (!key.equals("codecs")) {
                    line.append(' ').append(key).append('=').append(key.equals("index_codecs") ? names(value) : value);
                }
            });
            print(label, Json.of(line.toString()));
            label = "";
            if (configuration.get("codecs").orElseGet(Json.Null::new) instanceof Json.Arr inner) {
                codecs(indent + "  ", inner);
            }
        }
    }

    private static String name(Json codec) {
        Json name = codec instanceof Json.Obj o ? o.get("name").orElse(codec) : codec;
        return name instanceof Json.Str s ? s.value() : name.toString();
    }

    private static Json.Obj configuration(Json codec) {
        Json configuration =
                codec instanceof Json.Obj o ? o.get("configuration").orElseGet(Json::object) : codec;
        return configuration instanceof Json.Obj o ? o : Json.object();
    }

    private static String names(Json codecs) {
        return codecs instanceof Json.Arr list
                ? list.items().stream().map(InfoCommand::name).collect(Collectors.joining(", ", "[", "]"))
                : codecs.toString();
    }
}
