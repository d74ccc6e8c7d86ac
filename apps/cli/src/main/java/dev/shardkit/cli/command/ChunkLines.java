package dev.shardkit.cli.command;

import dev.shardkit.cli.option.Options;
import dev.shardkit.cli.print.WrongUse;
import dev.shardkit.maintenance.concat.Adoption;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.Partitioned;
import dev.shardkit.spi.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The chunk positions in a foreign file, as text. */
final class ChunkLines {
    private static final int MAX_CHUNKS = 1 << 26;
    private static final int LONGEST = 10_000;

    private ChunkLines() {}

    /** Reads lines: JSON objects, or numbers separated by commas. Skips a heading. */
    static List<Adoption.Chunk> read(InputStream in, int rank) throws IOException {
        List<Adoption.Chunk> chunks = new ArrayList<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                String text = line.strip();
                if (text.length() > LONGEST || chunks.size() > MAX_CHUNKS) {
                    throw new WrongUse("line " + number + ": expected at most " + LONGEST + " characters and "
                            + MAX_CHUNKS + " lines");
                } else if (!text.isEmpty() && !(number == 1 && Character.isLetter(text.charAt(0)))) {
                    chunks.add(chunk(text, rank, number));
                }
            }
        }
        if (chunks.isEmpty()) {
            throw new WrongUse("--chunks: expected a line for each chunk, found none");
        }
        return chunks;
    }

    private static Adoption.Chunk chunk(String text, int rank, int line) {
        long[] numbers;
        try {
            numbers = text.startsWith("{")
                    ? json(Options.object("line " + line, text), line)
                    : Arrays.stream(text.split(",", -1))
                            .mapToLong(n -> Long.parseLong(n.strip()))
                            .toArray();
        } catch (NumberFormatException e) {
            throw new WrongUse("line " + line + ": expected integers of 64 bits");
        }
        if (numbers.length != rank + 2) {
            throw new WrongUse("line " + line + ": expected a cell of " + rank
                    + " numbers, an offset and a size, found " + numbers.length + " numbers");
        }
        return new Adoption.Chunk(Arrays.copyOf(numbers, rank), numbers[rank], numbers[rank + 1]);
    }

    private static long[] json(Json.Obj members, int line) {
        if (!(members.get("cell").orElse(Json.of("")) instanceof Json.Arr cell)) {
            throw new WrongUse("line " + line + ": expected cell, offset and size");
        }
        List<Json> all = new ArrayList<>(cell.items());
        all.add(members.get("offset").orElse(Json.of("")));
        all.add(members.get("size").orElse(Json.of("")));
        return all.stream()
                .mapToLong(json -> Long.parseLong(json instanceof Json.Num n ? n.lexeme() : ""))
                .toArray();
    }

    /**
     * Returns the chunks of elements that are stored in C order from {@code offset} on: chunks must be whole slabs of
     * rows.
     */
    static List<Adoption.Chunk> contiguous(ArrayMetadata metadata, long offset) {
        Box first = metadata.chunkGrid().chunk(new long[metadata.shape().length]);
        ChunkType type = ChunkType.of(metadata.dataType(), metadata.fillValue(), first.shape());
        Partitioned shard = metadata.codecs()
                .bind(type, Limits.defaults())
                .partitioned()
                .orElseThrow(() -> new WrongUse("--contiguous: expected an array with shards"));
        ChunkCodec inner = shard.inner();
        long[] shape = metadata.shape();
        long[] chunk = shard.innerShape();
        boolean slabs = shape.length > 0 && shape[0] % chunk[0] == 0 && shape[0] <= first.shape()[0];
        for (int d = 1; slabs && d < shape.length; d++) {
            slabs = chunk[d] == shape[d];
        }
        if (!slabs || inner.encodedSize().isEmpty()) {
            throw new WrongUse("--contiguous: expected one shard of unencoded chunks that cover all of "
                    + Arrays.toString(shape) + " except in the first dimension, and divide that; found chunks of "
                    + Arrays.toString(chunk));
        }
        long size = inner.encodedSize().getAsLong();
        List<Adoption.Chunk> chunks = new ArrayList<>();
        for (long i = 0; i < shape[0] / chunk[0]; i++) {
            long[] cell = new long[shape.length];
            cell[0] = i;
            chunks.add(new Adoption.Chunk(cell, Math.addExact(offset, Math.multiplyExact(i, size)), size));
        }
        return chunks;
    }
}
