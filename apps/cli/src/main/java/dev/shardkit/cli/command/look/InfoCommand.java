package dev.shardkit.cli.command.look;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.cf.CfDataset;
import dev.shardkit.cf.geo.Georeference;
import dev.shardkit.cf.geo.Overviews;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.option.ChildLocation;
import dev.shardkit.cli.print.ApiNameReplacement;
import dev.shardkit.cli.print.ChunkShapes;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.StoreDescription;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.cli.print.elements.DatasetText;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code info}: shows the metadata of one node. Reads no chunk, except for those of coordinates on request. */
@Command(
        name = "info",
        description = {
            "Show the metadata of an array or a group.",
            "If the data type, a codec or the grid of the node is unknown, show the rest and name the unknown part. "
                    + "The exit status is then 1."
        },
        footer = {"", "Example: shardkit info https://example.org/image.zarr --json"})
public final class InfoCommand extends ShardkitCommand {
    /**
     * The placeholder codec of HDF5 datasets that cannot be read. The data type and layout beside it are placeholders
     * too; so is the shape if it is {@code []}.
     */
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
    private boolean showStore;

    @Option(
            names = {"-c", "--coordinates"},
            description =
                    "Show the dimensions of a group, with the labels of their coordinate variables (CF conventions), "
                            + "and its variables. Reads the coordinates.")
    private boolean coordinates;

    public InfoCommand(Output output) {
        super(output);
    }

    @Override
    public int run() throws IOException {
        if (showStore) {
            try (Store store = Zarr.openStore(url, options())) {
                print(StoreDescription.describe(store));
            }
            return 0;
        }
        try {
            return showNode();
        } catch (UnsupportedException e) {
            try (Store store = Zarr.openStore(url, options())) {
                Optional<Json.Obj> document = Zarr.document(store, "", options());
                print(describeUnsupported(store, document.orElseThrow(() -> e), e));
            }
            output().printMessage(e.getMessage());
            return faultStatus();
        }
    }

    private int showNode() {
        try (ZarrNode node = Zarr.open(url, options())) {
            if (coordinates && !(node instanceof ZarrGroup)) {
                throw new UsageException("--coordinates: expected a group, found an array at " + url);
            }
            Json.Obj properties = node instanceof ZarrArray a ? describeArray(a) : describeGroup((ZarrGroup) node);
            Json.Obj dataset = coordinates ? DatasetText.describe(CfDataset.of((ZarrGroup) node)) : Json.object();
            print(json && coordinates ? properties.with("dataset", dataset) : properties);
            if (coordinates && !json) {
                DatasetText.lines(dataset).forEach(output()::printLine);
            }
            return 0;
        }
    }

    private void print(Json.Obj properties) {
        if (json) {
            output().printJson(properties);
        } else {
            printLines(properties);
        }
    }

    /** Returns the properties of a node that cannot be opened. */
    private static Json.Obj describeUnsupported(Store store, Json.Obj document, UnsupportedException failure) {
        Json.Obj properties = Json.object().with("location", Json.of(store.describe()));
        boolean isPlaceholder =
                document.get("codecs").map(Json::toString).orElse("").contains(UNREADABLE);
        // In a placeholder document, the data type and a shape of [] say nothing about the dataset: left out.
        for (String name : List.of("node_type", "data_type", "shape")) {
            Optional<Json> value = document.get(name)
                    .filter(v -> !isPlaceholder || !name.equals("data_type") && !v.equals(Json.of(new long[0])));
            properties = value.isPresent() ? properties.with(name, value.get()) : properties;
        }
        if (isPlaceholder) {
            return properties.with("unsupported", Json.of(ApiNameReplacement.replaceIn(failure.fact())));
        }
        return properties
                .with("unsupported", Json.of(ApiNameReplacement.replaceIn(failure.fact())))
                .with("metadata", document);
    }

    private Json.Obj describeNode(ZarrNode node, String type) {
        Json.Obj properties =
                Json.object().with("location", Json.of(node.location())).with("node_type", Json.of(type));
        Json.Obj withFormat = node.nodeFormat()
                .map(format -> properties.with("node_format", Json.of(format)))
                .orElse(properties);
        List<String> formatNames = NodeText.otherFormats(node, output()::printMessage);
        return formatNames.isEmpty()
                ? withFormat
                : withFormat.with(
                        "other_formats",
                        new Json.Arr(formatNames.stream().map(Json::of).toList()));
    }

    /** Returns the properties of an array: its summary, sizes, place on the Earth and remarks. */
    private Json.Obj describeArray(ZarrArray array) {
        Json.Obj properties = describeNode(array, "array");
        for (var property : NodeText.summary(array).members().entrySet()) {
            properties = properties.with(property.getKey(), property.getValue());
        }
        long[] cells = array.storage().gridShape();
        BigInteger elements = Shapes.exactCount(array.shape());
        properties = properties
                .with(array.isSharded() ? "shards" : "chunks", Json.of(cells))
                .with("elements", new Json.Num(elements.toString()));
        if (array.dataType().elementSize().isPresent()) {
            BigInteger size = BigInteger.valueOf(array.dataType().elementSize().getAsInt());
            properties = properties.with(
                    "unencoded_bytes", new Json.Num(elements.multiply(size).toString()));
        }
        if (!array.metadata().ignoredCodecs().isEmpty()) {
            properties = properties.with(
                    "ignored_codecs",
                    new Json.Arr(array.metadata().ignoredCodecs().stream()
                            .map(Json::of)
                            .toList()));
        }
        properties = withUnfinished(properties, array);
        Georeference georeference = georeference(array);
        return withRemarks(withGeoreference(properties, georeference), array.metadata(), georeference.notes())
                .with("metadata", MetadataWriter.document(array.metadata()));
    }

    /**
     * Returns where the array lies on the Earth. Attributes of its parent group may complete those of the array: then
     * the parent is read, too, if it can be opened.
     */
    private Georeference georeference(ZarrArray array) {
        boolean mayBeCompleted = array.attributes().members().keySet().stream()
                .anyMatch(name -> name.matches("(proj|spatial):.*|grid_mapping"));
        if (mayBeCompleted) {
            try (ZarrGroup parent = Zarr.openGroup(ChildLocation.split(url).parent(), options())) {
                return Georeference.of(array, parent);
            } catch (ZarrException | UsageException e) {
                return Georeference.of(array);
            }
        }
        return Georeference.of(array);
    }

    private static Json.Obj withGeoreference(Json.Obj properties, Georeference georeference) {
        Json.Obj result = properties;
        if (georeference.crs().isPresent()) {
            result = result.with(
                    "reference_system", Json.of(georeference.crs().get().toString()));
        }
        if (georeference.boundingBox().isPresent()) {
            result = result.with(
                    "bounding_box", Json.of(georeference.boundingBox().get().toString()));
        }
        return result;
    }

    private static Json.Obj withRemarks(Json.Obj properties, NodeMetadata metadata, List<String> notes) {
        List<String> remarks =
                Stream.concat(metadata.remarks().stream(), notes.stream()).toList();
        return remarks.isEmpty() ? properties : properties.with("remarks", Json.of(remarks));
    }

    private static Json.Obj withUnfinished(Json.Obj properties, ZarrNode node) {
        return NodeText.describeUnfinished(node)
                .map(text -> properties.with("unfinished", Json.of(text)))
                .orElse(properties);
    }

    /**
     * Returns the properties of a group. In a pyramid by the convention {@code multiscales}, the finest level says
     * where the group lies on the Earth.
     */
    private Json.Obj describeGroup(ZarrGroup group) {
        Json.Obj properties = describeNode(group, "group")
                .with("consolidated", Json.of(group.metadata().consolidated().isPresent()));
        properties = withUnfinished(properties, group);
        Optional<Overviews> overviews = Overviews.of(group);
        if (overviews.isPresent()) {
            properties = withGeoreference(
                            properties, overviews.get().levels().get(0).georeference())
                    .with(
                            "overviews",
                            Json.of(overviews.get().levels().stream()
                                    .map(Overviews.Level::path)
                                    .toList()));
        }
        return withRemarks(
                        properties,
                        group.metadata(),
                        overviews
                                .map(found -> Stream.concat(
                                                found.notes().stream(),
                                                found.levels().get(0).georeference().notes().stream())
                                        .toList())
                                .orElse(List.of()))
                .with("metadata", MetadataWriter.document(group.metadata()));
    }

    /** Prints the properties, one a line, then the other members of the metadata. */
    private void printLines(Json.Obj properties) {
        properties.members().forEach((name, value) -> {
            if (name.endsWith("_shape")
                    && value instanceof Json.Arr shapes
                    && shapes.items().stream().anyMatch(Json.Arr.class::isInstance)) {
                print(name, ChunkShapes.toText(shapes));
            } else if (name.equals("other_formats")) {
                print(name, otherFormats((Json.Arr) value));
            } else if (!name.equals("metadata")) {
                print(name, value);
            }
        });
        // The document has fill values such as NaN as text, but they are numbers: printed without quotes.
        boolean isFloat = properties.get("data_type").orElseGet(Json.Null::new) instanceof Json.Str type
                && type.value().matches("b?float[0-9].*|complex.*");
        Json metadata = properties.get("metadata").orElseGet(Json::object);
        ((Json.Obj) metadata).members().forEach((name, value) -> {
            boolean isPrinted = properties.members().containsKey(name)
                    || name.equals("zarr_format")
                    || name.equals("consolidated_metadata")
                    || value.equals(Json.object());
            if (name.equals("codecs") && value instanceof Json.Arr list) {
                printCodecs("", list);
            } else if (isFloat && name.equals("fill_value")) {
                print(name, value.toString().replace("\"", ""));
            } else if (!isPrinted) {
                print(name, value);
            }
        });
    }

    /** Returns other formats that the location holds, and how to open them. */
    private String otherFormats(Json.Arr formats) {
        return formats.items().stream()
                .map(format -> ((Json.Str) format).value())
                .map(name -> name + " (to open it: " + name + ":" + url + ")")
                .collect(Collectors.joining(", "));
    }

    /** Prints text without quotes, except for a fill value: there, quotes tell text from numbers. */
    private void print(String name, Json value) {
        String text = value instanceof Json.Str s && !name.equals("fill_value") ? s.value() : value.toString();
        print(name, text);
    }

    private void print(String name, String text) {
        output().printLine(String.format("%-20s %s", name.replace('_', ' '), text));
    }

    /** Prints one codec a line. Codecs of inner chunks are indented below the codec of their shard. */
    private void printCodecs(String indent, Json.Arr codecs) {
        String label = indent.isEmpty() ? "codecs" : "";
        for (Json codec : codecs.items()) {
            StringBuilder line = new StringBuilder(indent).append(codecName(codec));
            Json.Obj configuration = configuration(codec);
            configuration.members().forEach((key, value) -> {
                if (!key.equals("codecs")) {
                    line.append(' ')
                            .append(key)
                            .append('=')
                            .append(key.equals("index_codecs") ? codecNames(value) : value);
                }
            });
            print(label, Json.of(line.toString()));
            label = "";
            if (configuration.get("codecs").orElseGet(Json.Null::new) instanceof Json.Arr inner) {
                printCodecs(indent + "  ", inner);
            }
        }
    }

    private static String codecName(Json codec) {
        Json name = codec instanceof Json.Obj o ? o.get("name").orElse(codec) : codec;
        return name instanceof Json.Str s ? s.value() : name.toString();
    }

    private static Json.Obj configuration(Json codec) {
        Json configuration =
                codec instanceof Json.Obj o ? o.get("configuration").orElseGet(Json::object) : codec;
        return configuration instanceof Json.Obj o ? o : Json.object();
    }

    private static String codecNames(Json codecs) {
        return codecs instanceof Json.Arr list
                ? list.items().stream().map(InfoCommand::codecName).collect(Collectors.joining(", ", "[", "]"))
                : codecs.toString();
    }
}
