package dev.shardkit.cli.command.ome;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.base.RandomAccessCheck;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.ome.OmeImage;
import dev.shardkit.ome.OmeLevel;
import dev.shardkit.ome.metadata.Axis;
import dev.shardkit.ome.metadata.AxisType;
import dev.shardkit.ome.metadata.OmeMetadata;
import dev.shardkit.ome.validation.OmeFinding;
import dev.shardkit.ome.validation.OmeValidation;
import dev.shardkit.pictures.ShellWords;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ome}: shows, checks and upgrades OME-Zarr metadata. */
@Command(
        name = "ome",
        description = {
            "Show, check or upgrade an OME-Zarr image, label image, plate or well.",
            "info shows levels, pixel sizes, labels and wells. validate checks metadata and arrays against the "
                    + "specification of their version (0.4, 0.5, 0.6rc0), with labels, wells and fields. It reads no "
                    + "elements.",
            "upgrade turns metadata of 0.4 in a tree of Zarr v3, which convert and copy make of Zarr v2, into 0.5, and "
                    + "names the dimensions of the arrays by the axes. Elements are not read.",
            "Exit status of validate: 0 no errors (warnings do not count), 1 errors, 2 wrong usage, 3 the command did "
                    + "not finish."
        },
        footer = {"", "Example: shardkit ome validate image.ome.zarr"})
public final class OmeCommand extends ShardkitCommand {
    /** The sub-command. */
    enum Action {
        INFO,
        VALIDATE,
        UPGRADE
    }

    @Parameters(paramLabel = "info|validate|upgrade", description = "What to do.")
    private Action action = Action.INFO;

    @Parameters(
            paramLabel = "URL",
            description = "The location of the group. For validate also a JSON file (.json) with attributes, a pipe "
                    + "with one, or - for standard input.")
    private String url = "";

    @Option(names = "--strict", description = "validate: demand what the specification recommends, too.")
    private boolean strict;

    @Option(names = "--metadata-only", description = "validate: do not look at arrays and other groups.")
    private boolean metadataOnly;

    @Option(names = "--json", description = "Print a JSON document.")
    private boolean json;

    public OmeCommand(Output output) {
        super(output);
    }

    @Override
    public boolean acceptsStreams() {
        return action == Action.VALIDATE;
    }

    @Override
    public int faultStatus() {
        return action == Action.VALIDATE ? 3 : 1;
    }

    @Override
    public int run() throws IOException {
        if (action == Action.VALIDATE) {
            return validate();
        }
        if (strict || metadataOnly) {
            throw new UsageException("--strict and --metadata-only belong to shardkit ome validate");
        } else if (action == Action.UPGRADE) {
            return upgrade();
        }
        try (ZarrGroup group = Zarr.openGroup(url, options())) {
            Json.Obj properties = describe(group);
            if (json) {
                output().printJson(properties);
            } else {
                printLines(properties);
            }
        }
        return 0;
    }

    private int upgrade() {
        try (ZarrGroup group = Zarr.openGroup(url, plainOptions())) {
            int groups = OmeUpgrade.upgrade(group);
            if (json) {
                output().printJson(Json.object().with("groups", Json.of(groups)));
            } else {
                output().printLine(NodeText.count(groups, "group") + " upgraded to OME-Zarr 0.5");
            }
        }
        return 0;
    }

    /** Returns a note if a tree of Zarr v3 has metadata of OME-Zarr 0.4, with the command that upgrades it. */
    public static Optional<String> upgradeNote(Store store, String location, ZarrOptions options) {
        if (NamedFormat.name(store).isPresent()
                || !(Zarr.find(store, "", options).orElse(null) instanceof ZarrGroup group)) {
            return Optional.empty();
        }
        return OmeUpgrade.findOutdated(group)
                .map(path -> "note: " + (path.isEmpty() ? location : location + "/" + path)
                        + " has metadata of OME-Zarr 0.4, which belongs to Zarr v2, so it is no valid image in Zarr v3; "
                        + "to make it OME-Zarr 0.5: shardkit ome upgrade " + ShellWords.quoted(location));
    }

    /** Validates, and returns the exit status. A group that cannot be opened is an error of the data, so a finding. */
    private int validate() throws IOException {
        List<OmeFinding> findings;
        boolean isDocument = url.endsWith(".json") && !url.contains("://") && Files.isRegularFile(Path.of(url));
        if (isDocument || isStream()) {
            findings = validateDocument();
        } else {
            try (ZarrGroup group = Zarr.openGroup(url, options())) {
                OmeValidation validation = OmeValidation.of(group);
                validation = strict ? validation.strict() : validation;
                findings = metadataOnly ? validation.runOnMetadata() : validation.run();
            } catch (MetadataException e) {
                if (isMissing()) {
                    throw e; // nothing was validated
                }
                findings = List.of(new OmeFinding(
                        OmeFinding.Severity.ERROR, url, "", "a group that can be opened", e.getMessage()));
            }
        }
        long errors = findings.stream()
                .filter(finding -> finding.severity() == OmeFinding.Severity.ERROR)
                .count();
        if (json) {
            output().printJson(Json.object()
                    .with("valid", Json.of(errors == 0))
                    .with(
                            "findings",
                            new Json.Arr(
                                    findings.stream().map(OmeCommand::toJson).toList())));
        } else {
            findings.forEach(finding -> output().printLine(
                            (finding.severity() == OmeFinding.Severity.ERROR ? "error: " : "warning: ") + finding));
            output().printLine(NodeText.count(errors, "error") + ", "
                    + NodeText.count(findings.size() - errors, "warning"));
        }
        return errors > 0 ? 1 : 0;
    }

    private boolean isStream() {
        return url.equals("-") || RandomAccessCheck.isStream(url);
    }

    /** Whether there is no node at all. False for a damaged node. */
    private boolean isMissing() {
        try (Store store = Zarr.openStore(url, options())) {
            return Zarr.find(store, "", options()).isEmpty();
        } catch (MetadataException e) {
            return false;
        }
    }

    private List<OmeFinding> validateDocument() throws IOException {
        byte[] document = url.equals("-") ? output().in().readAllBytes() : Files.readAllBytes(Path.of(url));
        if (JsonDocuments.read(document, Limits.defaults()) instanceof Json.Obj attributes) {
            return strict
                    ? OmeValidation.checkAttributesStrictly(attributes, url)
                    : OmeValidation.checkAttributes(attributes, url);
        }
        throw new UsageException(url + ": expected a JSON object with attributes");
    }

    private static Json toJson(OmeFinding finding) {
        return Json.object()
                .with("severity", Json.of(finding.severity() == OmeFinding.Severity.ERROR ? "error" : "warning"))
                .with("node", Json.of(finding.node()))
                .with("member", Json.of(finding.member()))
                .with("expected", Json.of(finding.expected()))
                .with("found", Json.of(finding.found()));
    }

    /** Returns the properties of an image, a plate or a well. */
    private static Json.Obj describe(ZarrGroup group) {
        OmeMetadata metadata = OmeMetadata.of(group);
        Json.Obj properties =
                Json.object().with("version", Json.of(metadata.version().text()));
        if (!metadata.multiscales().isEmpty()) {
            OmeImage image = OmeImage.open(group);
            Optional<String> name = image.multiscale().name();
            properties = (name.isPresent() ? properties.with("name", Json.of(name.get())) : properties)
                    .with(
                            "axes",
                            new Json.Arr(image.axes().stream()
                                    .map(OmeCommand::describeAxis)
                                    .toList()))
                    .with(
                            "levels",
                            new Json.Arr(image.levels().stream()
                                    .map(OmeCommand::describeLevel)
                                    .toList()))
                    .with("labels", Json.of(image.labelNames()))
                    .with("is_label", Json.of(metadata.imageLabel().isPresent()));
        }
        if (metadata.plate().isPresent()) {
            properties = properties.with(
                    "wells",
                    Json.of(metadata.plate().get().wells().stream()
                            .map(well -> well.path())
                            .toList()));
        }
        if (metadata.well().isPresent()) {
            properties = properties.with(
                    "fields",
                    Json.of(metadata.well().get().images().stream()
                            .map(field -> field.path())
                            .toList()));
        }
        return properties;
    }

    private static Json describeAxis(Axis axis) {
        Json.Obj properties = Json.object().with("name", Json.of(axis.name()));
        properties = axis.type().map(AxisType::text).isPresent()
                ? properties.with("type", Json.of(axis.type().get().text()))
                : properties;
        return axis.unit().isPresent()
                ? properties.with("unit", Json.of(axis.unit().get()))
                : properties;
    }

    private static Json describeLevel(OmeLevel level) {
        List<Json> scale = new ArrayList<>();
        for (double size : level.scale()) {
            scale.add(Json.of(size));
        }
        return Json.object()
                .with("path", Json.of(level.dataset().path()))
                .with("shape", Json.of(level.array().shape()))
                .with("data_type", level.array().dataType().json())
                .with("pixel_size", new Json.Arr(scale));
    }

    /** Prints a line for each property, and for each item of a list of objects. */
    private void printLines(Json.Obj properties) {
        properties.members().forEach((name, value) -> {
            if (value instanceof Json.Arr list && list.items().stream().anyMatch(Json.Obj.class::isInstance)) {
                list.items().forEach(item -> output().printLine(name + ": " + plainText(item)));
            } else {
                output().printLine(name + ": " + plainText(value));
            }
        });
    }

    private static String plainText(Json value) {
        return value.toString()
                .replace("\"", "")
                .replaceAll("[{}]", "")
                .replace(",", ", ")
                .replace(":", " ");
    }
}
