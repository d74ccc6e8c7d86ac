package dev.shardkit.cli.command.look;

import dev.shardkit.ArrayStorage;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.option.Lengths;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.cli.print.drawing.GridDrawing;
import dev.shardkit.cli.print.drawing.InnerChunkPositions;
import dev.shardkit.cli.print.drawing.StoredPartsDrawing;
import dev.shardkit.pictures.HeatMap;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code map}: draws which shards of an array, or which inner chunks of one shard, are stored. Reads the shards'
 * indexes, but no inner chunk.
 */
@Command(name = "map", description = "Draw which inner chunks of a shard, or which shards of an array, are stored.")
public final class MapCommand extends ShardkitCommand {
    /** The number of shards or chunks that a map of an array shows. */
    private static final long MAX_CHUNKS = 1 << 16;

    @Parameters(index = "0", paramLabel = "URL", description = "The location of the array.")
    private String url = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "CHUNK",
            description = "The shard's cell in the chunk grid, such as 0,1 (default: all shards of the array).")
    private @Nullable Lengths cellOption;

    @Option(names = "--json", description = "Print a JSON document.")
    private boolean json;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Write heat maps of all shards or chunks as a page that needs no other file; - for standard "
                    + "output.")
    private @Nullable String html;

    public MapCommand(Output output) {
        super(output);
    }

    @Override
    public int run() throws IOException {
        if (html != null && (json || cellOption != null)) {
            throw new UsageException("--html draws the whole array: give neither --json nor a chunk");
        }
        try (ZarrArray array = Zarr.openArray(url, options())) {
            if (html != null) {
                output().writeFile(
                                html,
                                array,
                                out -> out.write(HeatMap.of(array).page(url).getBytes(StandardCharsets.UTF_8)));
            } else if (cellOption != null) {
                drawShard(array, cellOption.values());
            } else {
                drawArray(array);
            }
            return 0;
        }
    }

    /** Draws the inner chunks of a shard, or describes a chunk that is not a shard. */
    private void drawShard(ZarrArray array, long[] cell) {
        long[] cells = array.storage().gridShape();
        if (cell.length != cells.length) {
            throw new UsageException("chunk " + Arrays.toString(cell) + ": expected " + cells.length
                    + " indices, one for each dimension of the chunk grid " + Arrays.toString(cells) + ", found "
                    + cell.length);
        }
        boolean isInGrid = true;
        for (int d = 0; isInGrid && d < cell.length; d++) {
            isInGrid = cell[d] < cells[d];
        }
        if (!isInGrid) {
            throw new IndexOutOfBoundsException(
                    "chunk " + Arrays.toString(cell) + " lies outside the chunk grid " + Arrays.toString(cells));
        }
        Optional<InnerChunkPositions> map = InnerChunkPositions.of(array, cell);
        if (map.isEmpty()) {
            drawChunk(array, cell);
        } else if (json) {
            output().printJson(map.get().toJson());
        } else {
            map.get().summaryLines().forEach(output()::printLine);
            map.get().drawingLines().forEach(output()::printLine);
            output().printLine(GridDrawing.LEGEND);
        }
    }

    /** Prints a chunk that is not a shard. */
    private void drawChunk(ZarrArray array, long[] cell) {
        ArrayStorage chunks = array.storage();
        Json.Obj members = describeChunk(array, cell);
        if (json) {
            output().printJson(members);
            return;
        }
        output().printLine("chunk        " + Arrays.toString(cell) + ", key " + chunks.key(cell) + ", elements "
                + chunks.box(cell) + "; it is not a shard");
        output().printLine("size         "
                + (members.get("stored").equals(Optional.of(Json.of(true)))
                        ? members.members().get("size") + " bytes"
                        : "not stored: all elements are the fill value"));
    }

    private static Json.Obj describeChunk(ZarrArray array, long[] cell) {
        OptionalLong size = array.storage().storedSize(cell);
        return Json.object()
                .with("cell", Json.of(cell))
                .with("key", Json.of(array.storage().key(cell)))
                .with("stored", Json.of(size.isPresent()))
                .with("size", Json.of(size.orElse(0)));
    }

    /** Draws all shards or chunks of the array. */
    private void drawArray(ZarrArray array) {
        long[] cells = array.storage().gridShape();
        BigInteger cellCount = Shapes.exactCount(cells);
        if (cellCount.compareTo(BigInteger.valueOf(MAX_CHUNKS)) > 0) {
            throw new UsageException("the grid of the array has " + cellCount + " places, " + Arrays.toString(cells)
                    + ", and a map shows at most " + MAX_CHUNKS + "; give the position of a shard, or list the "
                    + "stored ones with shardkit chunks");
        }
        long count = cellCount.longValue();
        boolean isSharded = array.isSharded();
        List<Json> members = new ArrayList<>();
        StoredPartsDrawing map = new StoredPartsDrawing(array);
        for (long i = 0; i < count; i++) {
            long[] cell = Shapes.unravel(i, cells);
            InnerChunkPositions shard = InnerChunkPositions.of(array, cell).orElse(null);
            Json.Obj cellMembers = shard != null ? shard.summary() : describeChunk(array, cell);
            map.add(
                    shard,
                    cellMembers.get("stored").equals(Optional.of(Json.of(true))),
                    Long.parseLong(cellMembers.members().get("size").toString()));
            members.add(cellMembers);
        }
        if (json) {
            output().printJson(Json.object()
                    .with("cells", Json.of(cells))
                    .with("sharded", Json.of(isSharded))
                    .with(isSharded ? "shards" : "chunks", new Json.Arr(members)));
        } else {
            map.summaryLines().forEach(output()::printLine);
            map.drawingLines().forEach(output()::printLine);
            output().printLine(GridDrawing.LEGEND);
        }
    }
}
