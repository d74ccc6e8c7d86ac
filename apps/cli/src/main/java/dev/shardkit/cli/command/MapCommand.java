package dev.shardkit.cli.command;

import dev.shardkit.StoredChunks;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.option.Lengths;
import dev.shardkit.cli.print.ArrayMap;
import dev.shardkit.cli.print.Drawing;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.ShardMap;
import dev.shardkit.cli.print.WrongUse;
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

/** {@code map}: draws the stored parts of a shard or an array. Reads indexes but no inner chunk. */
@Command(name = "map", description = "Draw which inner chunks of a shard, or which shards of an array, are stored.")
public final class MapCommand extends ShardkitCommand {
    private static final long MAX_CHUNKS = 1 << 16;

    @Parameters(index = "0", paramLabel = "URL", description = "The location of the array.")
    private String url = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "CHUNK",
            description = "The shard's cell in the chunk grid, such as 0,1 (default: all shards of the array).")
    private @Nullable Lengths chunk;

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
        if (html != null && (json || chunk != null)) {
            throw new WrongUse("--html draws the whole array: give neither --json nor a chunk");
        }
        try (ZarrArray array = Zarr.openArray(url, options())) {
            if (html != null) {
                output().to(
                                html,
                                array,
                                out -> out.write(HeatMap.of(array).page(url).getBytes(StandardCharsets.UTF_8)));
            } else if (chunk != null) {
                one(array, chunk.values());
            } else {
                all(array);
            }
            return 0;
        }
    }

    private void one(ZarrArray array, long[] cell) {
        long[] cells = array.storedChunks().cells();
        if (cell.length != cells.length) {
            throw new WrongUse("chunk " + Arrays.toString(cell) + ": expected " + cells.length
                    + " indices, one for each dimension of the chunk grid " + Arrays.toString(cells) + ", found "
                    + cell.length);
        }
        boolean inside = true;
        for (int d = 0; inside && d < cell.length; d++) {
            inside = cell[d] < cells[d];
        }
        if (!inside) {
            throw new IndexOutOfBoundsException(
                    "chunk " + Arrays.toString(cell) + " lies outside the chunk grid " + Arrays.toString(cells));
        }
        Optional<ShardMap> map = ShardMap.of(array, cell);
        if (map.isEmpty()) {
            plain(array, cell);
        } else if (json) {
            output().json(map.get().json());
        } else {
            map.get().facts().forEach(output()::line);
            map.get().drawing().forEach(output()::line);
            output().line(Drawing.LEGEND);
        }
    }

    /** Prints a chunk that is not a shard. */
    private void plain(ZarrArray array, long[] cell) {
        StoredChunks chunks = array.storedChunks();
        Json.Obj facts = chunk(array, cell);
        if (json) {
            output().json(facts);
            return;
        }
        output().line("chunk        " + Arrays.toString(cell) + ", key " + chunks.key(cell) + ", elements "
                + chunks.box(cell) + "; it is not a shard");
        output().line("size         "
                + (facts.get("stored").equals(Optional.of(Json.of(true)))
                        ? facts.members().get("size") + " bytes"
                        : "not stored: all elements are the fill value"));
    }

    private static Json.Obj chunk(ZarrArray array, long[] cell) {
        OptionalLong size = array.storedChunks().storedSize(cell);
        return Json.object()
                .with("cell", Json.of(cell))
                .with("key", Json.of(array.storedChunks().key(cell)))
                .with("stored", Json.of(size.isPresent()))
                .with("size", Json.of(size.orElse(0)));
    }

    private void all(ZarrArray array) {
        long[] cells = array.storedChunks().cells();
        BigInteger all = Shapes.exactCount(cells);
        if (all.compareTo(BigInteger.valueOf(MAX_CHUNKS)) > 0) {
            throw new WrongUse("the grid of the array has " + all + " places, " + Arrays.toString(cells)
                    + ", and a map shows at most " + MAX_CHUNKS + "; give the position of a shard, or list the "
                    + "stored ones with shardkit chunks");
        }
        long count = all.longValue();
        boolean sharded = array.isSharded();
        List<Json> facts = new ArrayList<>();
        ArrayMap map = new ArrayMap(array);
        for (long i = 0; i < count; i++) {
            long[] cell = Shapes.unravel(i, cells);
            ShardMap shard = ShardMap.of(array, cell).orElse(null);
            Json.Obj fact = shard != null ? shard.summary() : chunk(array, cell);
            map.add(
                    shard,
                    fact.get("stored").equals(Optional.of(Json.of(true))),
                    Long.parseLong(fact.members().get("size").toString()));
            facts.add(fact);
        }
        if (json) {
            output().json(Json.object()
                    .with("cells", Json.of(cells))
                    .with("sharded", Json.of(sharded))
                    .with(sharded ? "shards" : "chunks", new Json.Arr(facts)));
        } else {
            map.facts().forEach(output()::line);
            map.drawing().forEach(output()::line);
            output().line(Drawing.LEGEND);
        }
    }
}
