package dev.shardkit.cli.command.files;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.option.Lengths;
import dev.shardkit.cli.option.Options;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.adopt.Adoption;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code adopt}: turns a file of another format into a shard. */
@Command(
        name = "adopt",
        description = {
            "Turn a file whose chunk positions are known into a shard, without copying the chunks.",
            "The command appends a shard index to the file and hard-links the file into the folder of the array.",
            "With --beside the file stays unchanged: ARRAY is a document, which is opened as reference:ARRAY.",
            "For an HDF5 or NetCDF4 file with several datasets, give --dataset. For another file, give --array and "
                    + "--chunks (or --contiguous): one line for each chunk, such as "
                    + "{\"cell\":[0,1],\"offset\":4016,\"size\":512}, or 0,1,4016,512."
        })
public final class AdoptCommand extends ShardkitCommand {
    @Parameters(paramLabel = "FILE", index = "0", description = "The file.")
    private Path file = Path.of("");

    @Parameters(
            paramLabel = "ARRAY",
            index = "1",
            description = "The folder of the array, or the document (with --beside).")
    private Path arrayLocation = Path.of("");

    @Option(
            names = "--array",
            paramLabel = "FILE",
            description =
                    "The array as a JSON object with shape, data_type, chunk_shape, codecs, and optionally fill_value,"
                            + " shard_shape (default: one shard), dimension_names, attributes.")
    private @Nullable Path arrayFile;

    @Option(
            names = "--dataset",
            paramLabel = "PATH",
            description = "The dataset of an HDF5 or NetCDF4 file that describes the array and its chunks.")
    private @Nullable String dataset;

    @Option(
            names = "--chunks",
            paramLabel = "FILE",
            description = "The file with the chunk positions; - is standard input.")
    private @Nullable String chunks;

    @Option(
            names = "--contiguous",
            paramLabel = "OFFSET",
            description = "The shard's elements are stored unencoded from this byte on, in C order.")
    private @Nullable Long contiguous;

    @Option(
            names = "--shard",
            paramLabel = "CELL",
            description = "The shard that the file becomes, such as 0,1 (default: the first).")
    private @Nullable Lengths shard;

    @Option(names = "--beside", description = "Leave the file unchanged and write the index to a document.")
    private boolean beside;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "With --beside, the path of the file in the document (default: relative to the document).")
    private @Nullable String url;

    @Option(names = "--undo", description = "Undo: remove the index and the hard link.")
    private boolean undo;

    @Option(names = "--dry-run", description = "Only check, and print what would be done.")
    private boolean dryRun;

    public AdoptCommand(Output output) {
        super(output);
    }

    @Override
    public int run() throws IOException {
        ZarrOptions options = options();
        Mode mode = dryRun ? Mode.DRY_RUN : Mode.APPLY;
        if (!undo && chunks == null && contiguous == null && arrayFile == null) {
            try (ForeignDataset source = ForeignDataset.open(file, dataset, options)) {
                adopt(source.describeAsShard(), source.chunkPositions(), options, mode);
            }
            return 0;
        } else if (dataset != null) {
            throw new UsageException("--dataset: expected neither --undo, --array, --chunks nor --contiguous");
        }
        ArrayMetadata metadata = describeArray(options);
        if (undo) {
            printResult(
                    "restored",
                    Adoption.of(metadata, shardCell(metadata), options).undo(file, arrayLocation, mode));
            return 0;
        }
        adopt(
                metadata,
                contiguous != null
                        ? ChunkPositionParser.contiguousChunks(metadata, contiguous)
                        : readChunkLines(metadata.shape().length),
                options,
                mode);
        return 0;
    }

    private long[] shardCell(ArrayMetadata metadata) {
        return shard != null ? shard.values() : new long[metadata.shape().length];
    }

    private void adopt(ArrayMetadata metadata, List<Adoption.Chunk> chunkPositions, ZarrOptions options, Mode mode)
            throws IOException {
        Adoption adoption = Adoption.of(metadata, shardCell(metadata), options);
        URI fileUri = file.toAbsolutePath().toUri();
        String urlInDocument = url != null ? url : new ReferenceFile(arrayLocation.toString()).urlInDocument(fileUri);
        printResult(
                beside ? "adopted beside the file" : "adopted",
                beside
                        ? adoption.writeReferences(file, urlInDocument, arrayLocation, chunkPositions, mode)
                        : adoption.append(file, arrayLocation, chunkPositions, mode));
    }

    private void printResult(String action, Adoption.Result result) {
        output().printLine((dryRun ? "would be " : "") + action + ": " + file + " as " + result.key() + ", "
                + (undo ? "" : NodeText.count(result.chunks(), "chunk") + ", ") + result.fileSize() + " bytes, "
                + (result.added() < 0 ? -result.added() + " taken away" : result.added() + " added"));
    }

    private List<Adoption.Chunk> readChunkLines(int rank) throws IOException {
        if (chunks == null) {
            throw new UsageException("--chunks or --contiguous is missing");
        }
        return chunks.equals("-")
                ? ChunkPositionParser.read(output().in(), rank)
                : ChunkPositionParser.read(Files.newInputStream(Path.of(chunks)), rank);
    }

    /** Returns the metadata of the array that {@code --array} describes, or that exists at ARRAY. */
    private ArrayMetadata describeArray(ZarrOptions options) throws IOException {
        if (arrayFile != null) {
            Json.Obj members = Options.object("--array", Files.readString(arrayFile));
            // --undo does not need --contiguous, but takes the same description, which may lack codecs.
            boolean mayLackCodecs = undo || contiguous != null;
            ArraySpec spec = JsonArraySpec.parse(members, mayLackCodecs);
            return UsageException.reportingMetadata(() -> Zarr.describe(spec, options));
        }
        String location = beside ? "reference:" + arrayLocation.toAbsolutePath().toUri() : arrayLocation.toString();
        if (!Files.exists(beside ? arrayLocation : arrayLocation.resolve("zarr.json"))) {
            throw new UsageException("--array is missing: there is no array at " + arrayLocation + " yet");
        }
        try (ZarrArray existing = Zarr.openArray(location, options)) {
            return existing.metadata();
        }
    }
}
