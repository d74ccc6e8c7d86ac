package dev.shardkit.cli.command.files;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.base.ParentGroupCreation;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.option.AxisOption;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.OutputLocationCheck;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.maintenance.concat.Concatenation;
import dev.shardkit.maintenance.concat.Concatenation.Source;
import dev.shardkit.maintenance.concat.Concatenation.Summary;
import dev.shardkit.maintenance.concat.VirtualConcatenation;
import dev.shardkit.maintenance.local.LocalFolders;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.pictures.ShellWords;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code concat}: concatenates arrays without decoding them. */
@Command(
        name = "concat",
        description = {
            "Concatenate arrays along a dimension into a new array, or into a document of references to them. For groups, "
                    + "such as NetCDF files with several variables, it prints the commands that join array by array.",
            "Attributes come from the first array. Arrays whose attributes give elements another meaning, such as units "
                    + "or scale_factor, are refused.",
            "Stored chunks and shards are copied, or moved, without decoding. If chunk shapes differ along the "
                    + "dimension, the new array has a rectilinear chunk grid. Its metadata is written last; rerunning "
                    + "the command resumes an interrupted run."
        })
public final class ConcatCommand extends ShardkitCommand {
    @Parameters(paramLabel = "URL", arity = "1..*", description = "The locations of the arrays, in order.")
    private List<String> urls = List.of();

    @Option(
            names = "--axis",
            paramLabel = "DIM",
            required = true,
            description = "The dimension: its number, counted from 0, or its name in the first array.")
    private String axisOption = "0";

    @Option(names = "--to", paramLabel = "URL", description = "The location of the new array.")
    private @Nullable String targetUrl;

    @Option(
            names = "--virtual",
            description = "Copy nothing: write a document of references (-o), which is opened as reference:FILE.")
    private boolean isVirtual;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description =
                    "The document, with --virtual; - for standard output. On a stream, the URLs of files are absolute.")
    private @Nullable String document;

    @Option(
            names = "--move",
            description = "Move stored objects instead of copying them (files: within one file system), and remove "
                    + "the arrays at the end.")
    private boolean move;

    @Option(
            names = "--reencode-edges",
            description = "If an array other than the last ends in a partial chunk, decode and encode that chunk again "
                    + "(default: refuse such an array).")
    private boolean reencodeEdges;

    @Option(
            names = "--recode-times",
            description =
                    "If an array has other units of time than the first, such as another reference date, change "
                            + "its elements to those units (default: refuse such an array). Times without an exact number fail.")
    private boolean recodeTimes;

    @Option(names = "--dry-run", description = "Only print the metadata of the new array.")
    private boolean dryRun;

    @Option(names = "--json", description = "Print a JSON document. Not with --virtual.")
    private boolean json;

    public ConcatCommand(Output output) {
        super(output);
    }

    @Override
    public Optional<String> adviceAfterSignal(String command) {
        return targetUrl == null || dryRun ? restartAdvice(command) : resumeAdvice(targetUrl, command);
    }

    @Override
    public int run() throws IOException {
        ZarrOptions options = plainOptions();
        refuseGroup();
        if (isVirtual) {
            writeVirtual(options);
            return 0;
        } else if (targetUrl == null || document != null) {
            throw new UsageException("expected --to URL, or --virtual and -o FILE");
        }
        if (move && recodeTimes) {
            throw new UsageException("--recode-times changes copies of elements: it cannot be used with --move");
        }
        String target = targetUrl;
        refuseOverlap(target);
        List<Store> stores = new ArrayList<>();
        try (Store targetStore = Zarr.openStore(target, options)) {
            List<Source> sources = new ArrayList<>();
            for (String url : urls) {
                Store store = Zarr.openStore(url, options());
                stores.add(store);
                sources.add(new Source(store, ""));
            }
            int axis = resolveAxis(sources.get(0), targetStore, options);
            Concatenation concatenation =
                    move ? Concatenation.moving(sources, axis, options) : Concatenation.copying(sources, axis, options);
            concatenation = reencodeEdges ? concatenation.reencodingEdges() : concatenation;
            concatenation = recodeTimes ? concatenation.recodingTimes() : concatenation;
            if (dryRun) {
                output().printJson(MetadataWriter.document(concatenation.describe()));
            } else {
                printSummary(concatenation.to(targetStore, ""));
                if (Zarr.find(targetStore, "", options).orElse(null) instanceof ZarrArray newArray) {
                    noteRectilinearGrid(newArray.metadata(), target);
                }
            }
        } finally {
            stores.forEach(Store::close);
        }
        if (!dryRun) {
            ParentGroupCreation.createMissing(target, options, output());
        }
        return 0;
    }

    /**
     * Refuses a group, such as a NetCDF file with several variables. The message lists the commands that join its
     * arrays one by one.
     */
    private void refuseGroup() {
        try (ZarrNode first = Zarr.open(urls.get(0), options())) {
            if (!(first instanceof ZarrGroup group)) {
                return;
            }
            List<String> switches = new ArrayList<>();
            if (move) {
                switches.add("--move");
            }
            if (reencodeEdges) {
                switches.add("--reencode-edges");
            }
            if (recodeTimes) {
                switches.add("--recode-times");
            }
            throw new ConcatCommandLines(
                            urls, axisOption, Optional.ofNullable(targetUrl), isVirtual, switches, options())
                    .refusal(group);
        } catch (ZarrException e) {
            return; // an interrupted run may have moved a part of the array, and this run resumes it
        }
    }

    /** Writes a document of references to the chunks of the arrays ({@code --virtual}). */
    private void writeVirtual(ZarrOptions options) throws IOException {
        if (document == null || targetUrl != null || move || reencodeEdges || recodeTimes || json) {
            throw new UsageException(
                    "--virtual: expected -o FILE, and none of --to, --move, --reencode-edges, --recode-times "
                            + "and --json");
        }
        List<ZarrArray> arrays = new ArrayList<>();
        try {
            for (String url : urls) {
                arrays.add(Zarr.openArray(url, options()));
                if (!OutputLocationCheck.isStandardOutput(document)) {
                    OutputLocationCheck.requireOutside(Path.of(document), arrays.get(arrays.size() - 1));
                }
            }
            int axis = AxisOption.dimension(arrays.get(0), axisOption);
            VirtualConcatenation concatenation = VirtualConcatenation.of(arrays, axis, options);
            if (dryRun) {
                output().printJson(MetadataWriter.document(concatenation.describe()));
                return;
            }
            ReferenceFile file = new ReferenceFile(document);
            long count = file.write(concatenation.document(file::urlInDocument), output());
            // All references but one, zarr.json, are chunks.
            file.printSummary(
                    NodeText.count(count - 1, "chunk") + " referred to; opened as reference:" + document, output());
        } finally {
            arrays.forEach(ZarrArray::close);
        }
    }

    /**
     * Returns the number of the dimension. Works even if an interrupted run has moved a part of the first array, so
     * that it cannot be opened.
     */
    private int resolveAxis(Source source, Store targetStore, ZarrOptions options) {
        ArrayMetadata firstArray = Concatenation.metadataOfFirst(source, targetStore, "", options);
        return AxisOption.dimension(
                firstArray.rank(), firstArray.dimensionNames().orElse(List.of()), axisOption);
    }

    /** Prints a note if other programs cannot read the grid of the new array. */
    private void noteRectilinearGrid(ArrayMetadata newArray, String location) {
        if (newArray.chunkGrid().name().equals("rectilinear")) {
            output().printMessage("note: " + location
                    + " has a rectilinear chunk grid, which zarr-python 3.1 and so xarray "
                    + "cannot read; to make a copy with a regular one: shardkit copy " + ShellWords.quoted(location)
                    + " COPY --chunk-shape SHAPE (--shard-shape if it is sharded)");
        }
    }

    private void printSummary(Summary summary) {
        if (json) {
            output().printJson(Json.object()
                    .with("objects", Json.of(summary.objects()))
                    .with("reencoded", Json.of(summary.reencoded()))
                    .with("found", Json.of(summary.found()))
                    .with("bytes", Json.of(summary.bytes())));
            return;
        }
        output().printLine(NodeText.count(summary.objects(), "object")
                + (move ? " moved" : " copied")
                + (summary.reencoded() > 0 ? ", " + summary.reencoded() + " of them encoded again" : "")
                + (summary.found() > 0 ? "; " + summary.found() + " already present" : "")
                + (move ? "" : "; " + summary.bytes() + " bytes"));
    }

    /** Refuses local arrays that contain each other if they are moved, or that overlap the new array. */
    private void refuseOverlap(String target) throws IOException {
        Optional<Path> targetFolder = OutputLocationCheck.folder(target);
        List<Path> movedFolders = new ArrayList<>();
        for (String url : urls) {
            Optional<Path> sourceFolder = OutputLocationCheck.folder(url);
            if (move && sourceFolder.isPresent()) {
                Path folder = sourceFolder.get();
                if (movedFolders.stream().anyMatch(earlier -> LocalFolders.overlap(folder, earlier))) {
                    throw new UsageException("arrays to be moved overlap, or one is given twice: " + url);
                }
                movedFolders.add(folder);
            }
            if (sourceFolder.isPresent()
                    && targetFolder.isPresent()
                    && LocalFolders.overlap(sourceFolder.get(), targetFolder.get())) {
                throw new UsageException("a source array and the new array overlap: " + url + ", " + target);
            }
        }
    }
}
