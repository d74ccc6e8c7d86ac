package dev.shardkit.it.formats;

import dev.shardkit.ArraySpec;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.it.Samples;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.composed.Composition;
import dev.shardkit.store.composed.Composition.Kind;
import dev.shardkit.store.composed.Composition.StoredPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * New arrays in the formats of other programs, with their elements in files beside them: little-endian, C order. The
 * table {@link #TABLE} has a row for each array: format, folder, number of the scale, file of the elements, shape.
 */
final class ForeignArrays {
    static final String TABLE = "arrays.tsv";

    private final Path root;
    private final List<String> rows = new ArrayList<>();

    ForeignArrays(Path root) {
        this.root = root;
    }

    /** Writes the table. */
    void finish() throws IOException {
        Files.write(root.resolve(TABLE), rows);
    }

    /** Stores the elements of an array that lies at {@code place}, below the root. */
    void expect(String format, String place, int scale, NdArray values) throws IOException {
        expect(format, place, scale, Samples.bytes(values), values.shape());
    }

    void expect(String format, String place, int scale, byte[] elements, long[] shape) throws IOException {
        String file = place + "." + scale + ".out";
        Files.write(root.resolve(file), elements);
        String lengths = LongStream.of(shape).mapToObj(Long::toString).collect(Collectors.joining(","));
        rows.add(String.join("\t", format, place, "" + scale, file, lengths));
    }

    void create() throws IOException {
        Path created = Files.createDirectories(root.resolve("created"));
        volumes();
        cubes();
        blocks();
        composed(created.resolve("composed"));
    }

    private void volumes() throws IOException {
        ArraySpec raw = ArraySpec.of("uint16", 37, 21, 13, 2).withChunkShape(16, 8, 8, 2);
        volume("scales", 0, 8, raw, 900);
        volume("scales", 1, 16, raw.withShardShape(32, 16, 16, 2), 900);
        volume("scales", 2, 32, ArraySpec.of("uint16", 5, 3, 2, 2).withChunkShape(4, 4, 4, 2), 900);
        volume("float", 0, 8, ArraySpec.of("float32", 20, 17, 9).withChunkShape(8, 8, 8), 900);
        ArraySpec ids = ArraySpec.of("uint64", 37, 21, 13)
                .withChunkShape(16, 8, 8)
                .withCodecs(Json.of("compressed_segmentation"));
        volume("segments", 0, 8, ids, 9);
        volume("segments", 1, 16, ids.withShardShape(32, 16, 16), 9);
        ArraySpec gray = ArraySpec.of("uint8", 37, 21, 13).withChunkShape(16, 8, 8);
        volume("png", 0, 8, gray.withCodecs(Json.of("png")), 256);
        volume("png", 1, 16, gray.withCodecs(Json.of("png")).withShardShape(32, 16, 16), 256);
        volume("jpeg", 0, 8, gray.withCodecs(Json.of("jpeg")), 4);
        volume("jpeg", 1, 16, gray.withCodecs(Json.of("jpeg")).withShardShape(32, 16, 16), 4);
    }

    private void volume(String name, int scale, int resolution, ArraySpec spec, int most) throws IOException {
        ArraySpec at = spec.withAttributes(
                Json.object().with("resolution", Json.of(new long[] {resolution, resolution, resolution})));
        try (ZarrArray array = Zarr.createArray("neuroglancer:" + root.resolve("created/" + name), at)) {
            NdArray values = fill(array, most);
            // JPEG does not keep elements: what counts is that others decode the same.
            expect("neuroglancer", "created/" + name, scale, name.equals("jpeg") ? array.read() : values);
        }
    }

    private void cubes() throws IOException {
        ArraySpec cubes =
                ArraySpec.of("uint16", 30, 21, 40).withChunkShape(8, 8, 8).withShardShape(16, 16, 16);
        cube("wkw-lz4", cubes, "1,30,21,40");
        cube("wkw-raw", cubes.withCodecs(Json.of("raw")), "1,30,21,40");
        ArraySpec colors = ArraySpec.of("uint8", 3, 30, 21, 40)
                .withDimensionNames("channel", "x", "y", "z")
                .withChunkShape(3, 8, 8, 8)
                .withShardShape(3, 16, 16, 16);
        cube("wkw-lz4-channels", colors, "3,30,21,40");
        cube("wkw-raw-channels", colors.withCodecs(Json.of("raw")), "3,30,21,40");
    }

    /** The array is created first, and filled through its location, as the commands do. */
    private void cube(String name, ArraySpec spec, String shape) throws IOException {
        String location = "wkw:" + root.resolve("created/" + name);
        Zarr.createArray(location, spec).close();
        try (ZarrArray array = Zarr.openArray(location + "#shape=" + shape)) {
            expect("wkw", "created/" + name, 0, fill(array, 200));
        }
    }

    /** Arrays of N5 in a container, of all compressions and of each size of elements. */
    private void blocks() throws IOException {
        document(root.resolve("created/new.n5/attributes.json"), "{\"n5\":\"4.0.0\"}");
        ArraySpec spec = ArraySpec.of("uint16", 30, 21, 40)
                .withChunkShape(16, 8, 9)
                .withDimensionNames("x", "y", "z")
                .withAttributes(Json.object().with("title", Json.of("made by shardkit")));
        for (String codec :
                List.of("raw", "gzip", "gzip:3", "zlib", "bzip2", "xz:2", "zstd:5", "blosc", "blosc:zstd:3")) {
            List<String> words = new ArrayList<>(List.of(codec.split(":")));
            Collections.reverse(words); // the check looks at the end of names
            block(String.join("-", words), spec.withCodecs(Json.of(codec)));
        }
        for (String type : List.of("uint8", "uint64", "float32")) {
            block(
                    type + "-blosc",
                    ArraySpec.of(type, 30, 21).withChunkShape(16, 9).withCodecs(Json.of("blosc")));
        }
    }

    private void block(String name, ArraySpec spec) throws IOException {
        String place = "created/new.n5/" + name;
        try (ZarrArray array = Zarr.createArray("n5:" + root.resolve(place), spec)) {
            expect("n5", place, 0, fill(array, 200));
        }
    }

    /** Documents of Zarr v2 in the layout of shardedstore; the elements are written through the composed store. */
    private void composed(Path folder) throws IOException {
        document(folder.resolve("base.zarr/.zgroup"), "{\"zarr_format\":2}");
        document(folder.resolve("base.zarr/planes/.zarray"), zarray("[3,10,7]", "[1,4,3]"));
        document(folder.resolve("group.zarr/.zgroup"), "{\"zarr_format\":2}");
        document(folder.resolve("group.zarr/image/.zarray"), zarray("[9,8]", "[4,4]"));
        Map<String, StoredPart> planes = new TreeMap<>();
        for (int plane = 0; plane < 3; plane++) {
            Path part = folder.resolve("planes/" + plane + ".zarr");
            document(part.resolve(".zarray"), zarray("[30,7]", "[4,3]"));
            planes.put("" + plane, new StoredPart(Kind.FOLDER, part.toString()));
        }
        Composition all = new Composition(
                new StoredPart(Kind.FOLDER, folder.resolve("base.zarr").toString()),
                Map.of(
                        "group",
                        new StoredPart(Kind.FOLDER, folder.resolve("group.zarr").toString())),
                Map.of("planes", planes));
        Files.writeString(folder.resolve("composed.json"), all.json().toString());
        for (String path : List.of("planes", "group/image")) {
            try (ZarrArray array = Zarr.openArray("composed:" + folder.resolve("composed.json") + "!" + path)) {
                NdArray values = fill(array, 900);
                Files.createDirectories(folder.resolve("group"));
                expect("composed", "created/composed/" + path, 0, values);
            }
        }
    }

    private static String zarray(String shape, String chunks) {
        return "{\"zarr_format\":2,\"shape\":" + shape + ",\"chunks\":" + chunks
                + ",\"dtype\":\"<u2\",\"compressor\":{\"id\":\"zlib\",\"level\":1},\"fill_value\":0,\"order\":\"C\","
                + "\"filters\":null,\"dimension_separator\":\"/\"}";
    }

    private static void document(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** Writes integers below {@code most}, the first third of them zero. */
    private static NdArray fill(ZarrArray array, int most) {
        NdArray values = array.read();
        int n = Math.toIntExact(values.count());
        Random random = new Random(n);
        for (int i = n / 3; i < n; i++) {
            int value = random.nextInt(most);
            Object elements = values.array();
            if (elements instanceof byte[] b) {
                b[i] = (byte) value;
            } else if (elements instanceof short[] s) {
                s[i] = (short) value;
            } else if (elements instanceof float[] f) {
                f[i] = value / 4f;
            } else {
                ((long[]) elements)[i] = value * 0x1_0000_0001L;
            }
        }
        array.write(array.domain(), values);
        return values;
    }
}
