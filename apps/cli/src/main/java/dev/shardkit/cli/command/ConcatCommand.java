package dev.shardkit.cli.command;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.base.GroupsAbove;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.option.NamedAxis;
import dev.shardkit.cli.print.NodeFacts;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.OutputPlace;
import dev.shardkit.cli.print.WrongUse;
import dev.shardkit.maintenance.base.LocalFolders;
import dev.shardkit.maintenance.concat.Concatenation;
import dev.shardkit.maintenance.concat.Concatenation.Source;
import dev.shardkit.maintenance.concat.Concatenation.Summary;
import dev.shardkit.maintenance.concat.VirtualConcatenation;
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
    private String dimension = "0";

    @Option(names = "--to", paramLabel = "URL", description = "The location of the new array.")
    private @Nullable String to;

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
    public Optional<String> afterSignal(String command) {
        return to == null || dryRun ? beginAgain(command) : resume(to, command);
    }

    @Override
    public int run() throws IOException {
        ZarrOptions options = plainOptions();
        refuseGroup();
        if (isVirtual) {
            virtual(options);
            return 0;
        } else if (to == null || document != null) {
            throw new WrongUse("expected --to URL, or --virtual and -o FILE");
        }
        if (move && recodeTimes) {
            throw new WrongUse("--recode-times changes copies of elements: it cannot be used with --move");
        }
        String target = to;
        checkApart(target);
        List<Store> stores = new ArrayList<>();
        try (Store to = Zarr.openStore(target, options)) {
            List<Source> sources = new ArrayList<>();
            for (String url : urls) {
                Store store = Zarr.openStore(url, options());
                stores.add(store);
                sources.add(new Source(store, ""));
            }
            int axis = axis(sources.get(0), to, options);
            Concatenation all =
                    move ? Concatenation.moving(sources, axis, options) : Concatenation.copying(sources, axis, options);
            all = reencodeEdges ? all.reencodingEdges() : all;
            all = recodeTimes ? all.recodingTimes() : all;
            if (dryRun) {
                output().json(MetadataWriter.document(all.describe()));
            } else {
                print(all.to(to, ""));
                if (Zarr.find(to, "", options).orElse(null) instanceof ZarrArray made) {
                    tellGrid(made.metadata(), target);
                }
            }
        } finally {
            stores.forEach(Store::close);
        }
        if (!dryRun) {
            GroupsAbove.make(target, options, output());
        }
        return 0;
    }

    /**
     * Refuses a group, such as a NetCDF file with several variables, with the commands that join its arrays one by one.
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
            throw new ConcatRecipe(urls, dimension, Optional.ofNullable(to), isVirtual, switches, options()).of(group);
        } catch (ZarrException e) {
            return; // an array that an interrupted run moves cannot be opened
        }
    }

    private void virtual(ZarrOptions options) throws IOException {
        if (document == null || to != null || move || reencodeEdges || recodeTimes || json) {
            throw new WrongUse(
                    "--virtual: expected -o FILE, and none of --to, --move, --reencode-edges, --recode-times "
                            + "and --json");
        }
        List<ZarrArray> arrays = new ArrayList<>();
        try {
            for (String url : urls) {
                arrays.add(Zarr.openArray(url, options()));
                if (!OutputPlace.isStandardOutput(document)) {
                    OutputPlace.check(Path.of(document), arrays.get(arrays.size() - 1));
                }
            }
            int axis = NamedAxis.of(arrays.get(0), dimension);
            VirtualConcatenation all = VirtualConcatenation.of(arrays, axis, options);
            if (dryRun) {
                output().json(MetadataWriter.document(all.describe()));
                return;
            }
            ReferenceFile file = new ReferenceFile(document);
            long count = file.write(all.document(file::url), output());
            file.tell(NodeFacts.count(count - 1, "chunk") + " referred to; opened as reference:" + document, output());
        } finally {
            arrays.forEach(ZarrArray::close);
        }
    }

    /** Finds the dimension also while an interrupted run moves the first array, which then cannot be opened. */
    private int axis(Source source, Store to, ZarrOptions options) {
        ArrayMetadata first = Concatenation.first(source, to, "", options);
        return NamedAxis.of(first.rank(), first.dimensionNames().orElse(List.of()), dimension);
    }

    /** Says that others cannot read the grid of arrays with different shards. */
    private void tellGrid(ArrayMetadata made, String location) {
        if (made.chunkGrid().name().equals("rectilinear")) {
            output().message("note: " + location + " has a rectilinear chunk grid, which zarr-python 3.1 and so xarray "
                    + "cannot read; to make a copy with a regular one: shardkit copy " + ShellWords.quoted(location)
                    + " COPY --chunk-shape SHAPE (--shard-shape if it is sharded)");
        }
    }

    private void print(Summary done) {
        if (json) {
            output().json(Json.object()
                    .with("objects", Json.of(done.objects()))
                    .with("reencoded", Json.of(done.reencoded()))
                    .with("found", Json.of(done.found()))
                    .with("bytes", Json.of(done.bytes())));
            return;
        }
        output().line(NodeFacts.count(done.objects(), "object")
                + (move ? " moved" : " copied")
                + (done.reencoded() > 0 ? ", " + done.reencoded() + " of them encoded again" : "")
                + (done.found() > 0 ? "; " + done.found() + " already present" : "")
                + (move ? "" : "; " + done.bytes() + " bytes"));
    }

    private void checkApart(String target) throws IOException {
        Optional<Path> to = OutputPlace.folder(target);
        List<Path> before = new ArrayList<>();
        for (String url : urls) {
            Optional<Path> from = OutputPlace.folder(url);
            if (move && from.isPresent()) {
                Path own = from.get();
                if (before.stream().anyMatch(other -> LocalFolders.overlap(own, other))) {
                    throw new WrongUse("arrays to be moved overlap, or one is given twice: " + url);
                }
                before.add(own);
            }
            if (from.isPresent() && to.isPresent() && LocalFolders.overlap(from.get(), to.get())) {
                throw new WrongUse("a source array and the new array overlap: " + url + ", " + target);
            }
        }
    }
}
