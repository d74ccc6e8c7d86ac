package dev.shardkit.fuzz;

import io.airlift.compress.Compressor;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.snappy.SnappyCompressor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Writes valid inputs for fuzz targets. The fuzzer starts a new corpus with them and mutates them.
 *
 * <pre>Seeds FIXTURES OUT
 *
 * FIXTURES   the folder of the conformance fixtures, which supply metadata documents
 * OUT        the folder in which each target gets a folder with its corpus</pre>
 */
public final class Seeds {
    /** Larger documents of the fixtures are skipped: small inputs are fuzzed faster. */
    private static final int LARGEST_DOCUMENT = 4096;
    /** The sizes of the contents that are compressed. */
    private static final int[] SIZES = {0, 1, 40, 300, 5000};

    private final Path out;

    private Seeds(Path out) {
        this.out = out;
    }

    /** Writes the seeds. */
    public static void main(String[] args) throws Exception {
        Seeds seeds = new Seeds(Path.of(args[1]));
        seeds.documents(Path.of(args[0]));
        seeds.references();
        seeds.grids();
        for (FuzzTarget target : List.of(FuzzTarget.SHARDS, FuzzTarget.CHUNKS)) {
            ChunkObjects chunks = target == FuzzTarget.SHARDS ? ChunkObjects.SHARDS : ChunkObjects.OTHERS;
            for (byte[] sample : chunks.samples()) {
                seeds.put(target, sample);
            }
        }
        for (byte[] sample : ForeignCodecs.NUMCODECS.samples()) {
            seeds.put(FuzzTarget.NUMCODECS, sample);
        }
        for (byte[] sample : ForeignCodecs.n5Samples()) {
            seeds.put(FuzzTarget.N5, sample);
        }
        for (byte[] sample : ForeignObjects.NEUROGLANCER.samples()) {
            seeds.put(FuzzTarget.NEUROGLANCER, sample);
        }
        for (byte[] sample : ForeignObjects.WKW.samples()) {
            seeds.put(FuzzTarget.WKW, sample);
        }
        for (byte[] sample : ForeignDocuments.samples()) {
            seeds.put(FuzzTarget.FOREIGN_DOCUMENTS, sample);
        }
        for (byte[] journal : Journals.samples()) {
            seeds.put(FuzzTarget.JOURNALS, journal);
        }
        for (byte[] bytes : contents()) {
            seeds.streams(bytes);
            seeds.put(FuzzTarget.LZ4, sized(bytes.length, compress(new Lz4Compressor(), bytes)));
            seeds.put(FuzzTarget.SNAPPY, sized(bytes.length, compress(new SnappyCompressor(), bytes)));
        }
    }

    private void put(FuzzTarget target, byte[] input) throws IOException {
        Path folder = Files.createDirectories(out.resolve(target.corpus()));
        Files.write(folder.resolve(String.format("seed-%08x-%d", Arrays.hashCode(input), input.length)), input);
    }

    /** Writes the metadata documents of the fixtures, each after the byte that {@link MetadataDocuments} expects. */
    private void documents(Path fixtures) throws IOException {
        List<String> kinds = List.of("zarr.json", ".zarray", ".zgroup", ".array.json");
        List<Path> files;
        try (Stream<Path> walk = Files.walk(fixtures)) {
            files = walk.filter(Files::isRegularFile).sorted().toList();
        }
        for (Path file : files) {
            String name = file.getFileName().toString();
            for (int kind = 0; kind < kinds.size(); kind++) {
                if (name.endsWith(kinds.get(kind)) && Files.size(file) <= LARGEST_DOCUMENT) {
                    put(FuzzTarget.DOCUMENTS, concat(new byte[] {(byte) kind}, Files.readAllBytes(file)));
                }
            }
        }
    }

    /** Writes two documents of references: in the form of keys alone, and in the form with templates. */
    private void references() throws IOException {
        for (String text : List.of(
                "{\"zarr.json\": \"{}\", \"c/0\": [\"data.bin\", 5, 6], \"d\": \"base64:AQID\"}",
                "{\"version\": 1, \"templates\": {\"u\": \"data{{x}}.bin\"}, \"gen\": [{\"key\": \"c/{{i}}\", \"url\": "
                        + "\"{{u(x=i)}}\", \"offset\": \"{{(i + 1) * 10}}\", \"length\": \"5\", \"dimensions\": {\"i\": {\"stop\": "
                        + "3}}}], \"refs\": {\".zgroup\": \"{\\\"zarr_format\\\": 2}\"}}")) {
            put(FuzzTarget.REFERENCES, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Writes lengths of chunks of rectilinear grids, some of them with the shape of an array after a zero byte. */
    private void grids() throws IOException {
        for (String text :
                List.of("[[5, 5], [[2, 5]]]", "[[[1, 3], 7], 4]\0[10, 12]", "[10, [1, 2, 3, 4]]\0[100, 10]")) {
            put(FuzzTarget.GRIDS, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private void streams(byte[] bytes) throws IOException {
        put(FuzzTarget.ZSTD, sized(bytes.length, Streams.ZSTD.encode(bytes)));
        put(FuzzTarget.GZIP, sized(bytes.length, Streams.GZIP.encode(bytes)));
        put(FuzzTarget.ZLIB, sized(bytes.length, Streams.ZLIB.encode(bytes)));
        put(FuzzTarget.BLOSC, sized(bytes.length, Streams.BLOSC.encode(bytes)));
    }

    /**
     * Returns contents to compress: for each size, random bytes of 1, 4 and 256 different values, and repeated text.
     */
    private static List<byte[]> contents() {
        Random random = new Random(11);
        List<byte[]> all = new ArrayList<>();
        for (int size : SIZES) {
            for (int differentValues : new int[] {1, 4, 256}) {
                byte[] bytes = new byte[size];
                for (int i = 0; i < size; i++) {
                    bytes[i] = (byte) random.nextInt(differentValues);
                }
                all.add(bytes);
            }
            all.add(
                    "a shard holds inner chunks; " // 28 characters
                            .repeat(size / 28 + 1)
                            .substring(0, size)
                            .getBytes(StandardCharsets.UTF_8));
        }
        return all;
    }

    private static byte[] compress(Compressor compressor, byte[] bytes) {
        byte[] buffer = new byte[compressor.maxCompressedLength(bytes.length)];
        return Arrays.copyOf(buffer, compressor.compress(bytes, 0, bytes.length, buffer, 0, buffer.length));
    }

    /** Returns encoded bytes after the decoded size in two bytes, as the targets of decoders expect. */
    private static byte[] sized(int size, byte[] encoded) {
        return concat(new byte[] {(byte) (size >> 8), (byte) size}, encoded);
    }

    private static byte[] concat(byte[] head, byte[] tail) {
        byte[] all = Arrays.copyOf(head, head.length + tail.length);
        System.arraycopy(tail, 0, all, head.length, tail.length);
        return all;
    }
}
