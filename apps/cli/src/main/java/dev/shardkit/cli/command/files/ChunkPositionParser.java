package dev.shardkit.cli.command.files;

import dev.shardkit.cli.option.Options;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.maintenance.adopt.Adoption;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Parses the positions of the chunks in a file that {@code adopt} turns into a shard: one line of text for each chunk,
 * with its cell in the grid, its offset and its size.
 */
final class ChunkPositionParser {
    // Limits that keep a wrong file from filling the memory.
    private static final int MAX_CHUNKS = 1 << 26;
    private static final int MAX_LINE_LENGTH = 10_000;

    private ChunkPositionParser() {}

    /** Reads lines of JSON objects or of numbers separated by commas. Skips a header line. Closes {@code in}. */
    static List<Adoption.Chunk> read(InputStream in, int rank) throws IOException {
        List<Adoption.Chunk> chunks = new ArrayList<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            int lineNumber = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                lineNumber++;
                String text = line.strip();
                if (text.length() > MAX_LINE_LENGTH || chunks.size() > MAX_CHUNKS) {
                    throw new UsageException("line " + lineNumber + ": expected at most " + MAX_LINE_LENGTH
                            + " characters and " + MAX_CHUNKS + " lines");
                }
                boolean isHeader = lineNumber == 1 && !text.isEmpty() && Character.isLetter(text.charAt(0));
                if (!text.isEmpty() && !isHeader) {
                    chunks.add(parseChunk(text, rank, lineNumber));
                }
            }
        }
        if (chunks.isEmpty()) {
            throw new UsageException("--chunks: expected a line for each chunk, found none");
        }
        return chunks;
    }

    /** Parses a line with the position of a chunk. */
    private static Adoption.Chunk parseChunk(String text, int rank, int lineNumber) {
        long[] numbers;
        try {
            numbers = text.startsWith("{")
                    ? parseJson(Options.object("line " + lineNumber, text), lineNumber)
                    : Arrays.stream(text.split(",", -1))
                            .mapToLong(word -> Long.parseLong(word.strip()))
                            .toArray();
        } catch (NumberFormatException e) {
            throw new UsageException("line " + lineNumber + ": expected integers of 64 bits");
        }
        if (numbers.length != rank + 2) {
            throw new UsageException("line " + lineNumber + ": expected a cell of " + rank
                    + " numbers, an offset and a size, found " + numbers.length + " numbers");
        }
        return new Adoption.Chunk(Arrays.copyOf(numbers, rank), numbers[rank], numbers[rank + 1]);
    }

    /** Returns the numbers of the cell, the offset and the size. Values that are not numbers fail to parse. */
    private static long[] parseJson(Json.Obj members, int lineNumber) {
        if (!(members.get("cell").orElse(Json.of("")) instanceof Json.Arr cell)) {
            throw new UsageException("line " + lineNumber + ": expected cell, offset and size");
        }
        List<Json> numbers = new ArrayList<>(cell.items());
        numbers.add(members.get("offset").orElse(Json.of("")));
        numbers.add(members.get("size").orElse(Json.of("")));
        return numbers.stream()
                .mapToLong(json -> Long.parseLong(json instanceof Json.Num number ? number.lexeme() : ""))
                .toArray();
    }

    /**
     * Returns the positions of the inner chunks of an array whose elements lie unencoded, in C order, from
     * {@code offset} on. Each inner chunk must cover all dimensions except the first one, because only then its
     * elements are adjacent.
     */
    static List<Adoption.Chunk> contiguousChunks(ArrayMetadata metadata, long offset) {
        Box firstShard = metadata.chunkGrid().chunk(new long[metadata.shape().length]);
        ChunkType type = ChunkType.of(metadata.dataType(), metadata.fillValue(), firstShard.shape());
        ShardAccess shard = metadata.codecs()
                .bind(type, Limits.defaults())
                .shardAccess()
                .orElseThrow(() -> new UsageException("--contiguous: expected an array with shards"));
        ChunkCodec inner = shard.inner();
        long[] shape = metadata.shape();
        long[] innerShape = shard.innerShape();
        boolean areAdjacent = shape.length > 0
                && shape[0] % innerShape[0] == 0
                && shape[0] <= firstShard.shape()[0];
        for (int d = 1; areAdjacent && d < shape.length; d++) {
            areAdjacent = innerShape[d] == shape[d];
        }
        if (!areAdjacent || inner.encodedSize().isEmpty()) {
            throw new UsageException("--contiguous: expected one shard of unencoded chunks that cover all of "
                    + Arrays.toString(shape) + " except in the first dimension, and divide that; found chunks of "
                    + Arrays.toString(innerShape));
        }
        long size = inner.encodedSize().getAsLong();
        List<Adoption.Chunk> chunks = new ArrayList<>();
        for (long i = 0; i < shape[0] / innerShape[0]; i++) {
            long[] cell = new long[shape.length];
            cell[0] = i;
            chunks.add(new Adoption.Chunk(cell, Math.addExact(offset, Math.multiplyExact(i, size)), size));
        }
        return chunks;
    }
}
