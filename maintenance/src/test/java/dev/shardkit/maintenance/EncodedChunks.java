package dev.shardkit.maintenance;

import dev.shardkit.ArrayStorage;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Reads the encoded innermost chunks of an array. */
public final class EncodedChunks {
    private EncodedChunks() {}

    /** Returns the number of occurrences of each encoded chunk, as hexadecimal text. */
    public static TreeMap<String, Integer> of(ZarrArray array) {
        ArrayStorage chunks = array.storage();
        Box cells = Box.of(chunks.gridShape());
        TreeMap<String, Integer> found = new TreeMap<>();
        for (long i = 0; i < cells.count(); i++) {
            List<List<String>> one =
                    chunks.inspect(List.of(cells.at(i)), (c, source) -> readAll(chunks.codec(c), source));
            one.get(0).forEach(bytes -> found.merge(bytes, 1, Integer::sum));
        }
        return found;
    }

    private static Plan<List<String>> readAll(ChunkCodec codec, Source source) {
        if (codec.shardAccess().isEmpty()) {
            return source.read(
                    ByteRange.whole(1 << 30),
                    (answer, scratch) -> answer instanceof ReadResult.Found f
                            ? List.of(
                                    java.util.HexFormat.of().formatHex(f.bytes().toArray()))
                            : List.of());
        }
        ShardAccess shard = codec.shardAccess().get();
        Box cells = Box.of(shard.gridShape());
        return Plan.<List<String>>all(Math.toIntExact(cells.count()), i -> shard.locate(source, cells.at(i))
                        .then(s -> s.isAbsent() ? Plan.done(List.of()) : readAll(shard.inner(), s)))
                .map(lists -> {
                    List<String> all = new ArrayList<>();
                    lists.forEach(all::addAll);
                    return all;
                });
    }
}
