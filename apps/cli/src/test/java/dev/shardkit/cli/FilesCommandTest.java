package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.command.files.ImportCommand;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code export} and {@code import}. */
@Tag("one-jdk")
class FilesCommandTest {
    @TempDir
    Path dir;

    private String path(String name) {
        return dir.resolve(name).toString();
    }

    private void array(String name, String type, long... shape) {
        ArraySpec spec = ArraySpec.of(type, shape);
        Random random = new Random(7);
        try (ZarrArray array = Zarr.createArray(path(name), spec)) {
            int n = Math.toIntExact(array.domain().count());
            Object values = array.read(Box.of(new long[shape.length])).array();
            if (values instanceof byte[]) {
                byte[] bytes = new byte[n];
                random.nextBytes(bytes);
                array.write(array.domain(), bytes, 0);
            } else if (values instanceof short[]) {
                short[] shorts = new short[n];
                for (int i = 0; i < n; i++) {
                    shorts[i] = (short) random.nextInt();
                }
                array.write(array.domain(), shorts, 0);
            } else if (values instanceof int[]) {
                array.write(array.domain(), random.ints(n).toArray(), 0);
            } else if (values instanceof float[]) {
                float[] floats = new float[n];
                for (int i = 0; i < n; i++) {
                    floats[i] = random.nextFloat() - 0.5f;
                }
                array.write(array.domain(), floats, 0);
            } else {
                array.write(array.domain(), random.doubles(n).toArray(), 0);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "npy,uint16,3|40|50",
        "npy,float64,7",
        "npy,int8,2|0|3",
        "npy,int32,''",
        "png,uint8,40|50",
        "png,uint16,33|20",
        "png,uint8,20|30|3",
        "png,uint16,20|30|4",
        "png,uint8,9|8|2",
        "tif,uint8,40|50",
        "tif,int16,3|40|50",
        "tif,uint32,40|50",
        "tif,float32,2|300|60",
        "tif,float64,20|10",
        "tif,uint8,3|20|30|3",
        "tif,uint16,20|30|4",
        "tif,int8,5|6",
        "tif,int32,5|6"
    })
    void files_comeBackAsTheyWere(String end, String type, String lengths) {
        long[] shape = lengths.isEmpty()
                ? new long[0]
                : Stream.of(lengths.split("\\|")).mapToLong(Long::parseLong).toArray();
        array("a", type, shape);
        Cli.good("export", path("a"), "-o", path("f." + end));
        Cli.good("import", path("f." + end), path("b"));
        assertEquals(0, Cli.run("diff", path("a"), path("b"), "--ignore-layout").status());
    }

    @Test
    void layout_isThatOfTheOptions() {
        array("a", "uint16", 70, 50);
        Cli.good("export", path("a"), "-o", path("a.npy"));
        Cli.good(
                "import",
                path("a.npy"),
                path("b"),
                "--chunk-shape",
                "8,8",
                "--shard-shape",
                "32,32",
                "--dimension-names",
                "y,x");
        List<String> info = Cli.good("info", path("b")).lines();
        assertTrue(info.stream().anyMatch(line -> line.contains("[32,32]")), info::toString);
        assertEquals(1, Cli.run("diff", path("a"), path("b"), "--ignore-layout").status(), "names differ");
    }

    @Test
    void stacks_areSortedByNumber() throws IOException {
        array("a", "uint8", 12, 5, 6);
        Files.createDirectory(dir.resolve("slices"));
        for (int z = 0; z < 12; z++) {
            Cli.good("export", path("a"), "--region", z + ",:,:", "-o", path("slices/z" + z + ".png"));
        }
        Cli.good("import", path("slices"), path("b"), "--chunk-shape", "4,4,4", "--shard-shape", "8,8,8");
        Cli.good("diff", path("a"), path("b"), "--ignore-layout");
        Files.writeString(dir.resolve("slices/z5.png"), "not a picture");
        Cli.bad(1, "expected a valid PNG", "import", path("slices"), path("c"));
        assertFalse(Files.exists(dir.resolve("c")), "nothing is made of broken files");
        assertTrue(ImportCommand.compareByNumbers("z9.png", "z010.png") < 0);
    }

    @Test
    void truncatedFiles_areRefusedAndLeaveNoArray() throws IOException {
        array("a", "uint16", 64, 64);
        for (String end : List.of("npy", "png", "tif")) {
            Path file = dir.resolve("f." + end);
            Cli.good("export", path("a"), "-o", file.toString());
            byte[] whole = Files.readAllBytes(file);
            for (int length : new int[] {0, 5, 30, 100, whole.length / 2, whole.length - 30}) {
                Files.write(file, Arrays.copyOf(whole, length));
                Cli.Result result = Cli.run("import", file.toString(), path("b"));
                assertEquals(1, result.status(), end + " of " + length + " bytes: " + result.err());
                assertFalse(Files.exists(dir.resolve("b/zarr.json")), end);
                assertTrue(result.err().contains(file.toString()), result.err());
            }
        }
    }

    @Test
    void claimedSizes_areNotTrusted() throws IOException {
        String header = "{'descr': '<u2', 'fortran_order': False, 'shape': (4611686018427387, 999999), }";
        byte[] bytes = ("\u0093NUMPY\u0001\0" + (char) (header.length() + 1) + "\0" + header + "\n")
                .getBytes(StandardCharsets.ISO_8859_1);
        Files.write(dir.resolve("huge.npy"), bytes);
        Cli.bad(1, "expected 9223362813482737145226 bytes", "import", path("huge.npy"), path("b"));
        byte[] png = HexFormat.of().parseHex("89504e470d0a1a0a0000000d494844527fffffff7fffffff0800000000");
        Files.write(dir.resolve("big.tif"), HexFormat.of().parseHex("49492b00080000001000000000000000"));
        Cli.bad(1, "BigTIFF cannot be imported", "import", path("big.tif"), path("b"));
        Files.write(dir.resolve("huge.png"), png);
        assertEquals(1, Cli.run("import", path("huge.png"), path("b")).status());
        assertFalse(Files.exists(dir.resolve("b/zarr.json")));
    }

    @Test
    void raw_needsShapeAndType() throws IOException {
        Files.write(dir.resolve("r.bin"), new byte[] {1, 2, 3, 4, 5, 6});
        Cli.good("import", path("r.bin"), path("b"), "--shape", "3", "--data-type", "uint16", "--byte-order", "big");
        assertEquals(List.of("258", "772", "1286"), Cli.good("read", path("b")).lines());
        Cli.bad(2, "--shape and --data-type", "import", path("r.bin"), path("c"));
        Cli.bad(2, "expected 8 bytes", "import", path("r.bin"), path("c"), "--shape", "4", "--data-type", "uint16");
        Cli.bad(1, "varying size", "import", path("r.bin"), path("c"), "--shape", "4", "--data-type", "string");
    }

    @Test
    void dimensions_ofPagesAreStated() {
        array("a", "uint16", 3, 2, 5, 8, 9);
        Cli.good("export", path("a"), "-o", path("a.tif"));
        Cli.good("import", path("a.tif"), path("pages"));
        assertTrue(Cli.good("info", path("pages")).out().contains("[30,8,9]"));
        Cli.good("import", path("a.tif"), path("b"), "--dimensions", "t=3,c=2,z=5", "--chunk-shape", "2,1,3,8,8");
        assertTrue(Cli.good("info", path("b")).out().contains("[\"t\",\"c\",\"z\",\"y\",\"x\"]"));
        byte[] raw = Cli.good("read", path("a"), "--format", "raw", "-o", "-").bytes();
        assertArrayEquals(
                raw, Cli.good("read", path("b"), "--format", "raw", "-o", "-").bytes());
        Cli.good("import", path("a.tif"), path("c"), "--dimensions", "t=6,z=5", "--dimension-names", "a,b,v,u");
        assertTrue(Cli.good("info", path("c")).out().contains("[\"a\",\"b\",\"v\",\"u\"]"));
        Cli.bad(2, "number of images, 30", "import", path("a.tif"), path("d"), "--dimensions", "t=3,c=2,z=4");
        Cli.bad(2, "t=3,z=5", "import", path("a.tif"), path("d"), "--dimensions", "t=3,z=0");
        Cli.good("export", path("a"), "-o", path("a.npy"));
        Cli.bad(2, "PNG and TIFF", "import", path("a.npy"), path("d"), "--dimensions", "t=3");
        assertFalse(Files.exists(dir.resolve("d")));
    }

    @Test
    void imageJ_describesItsPages() throws IOException {
        array("a", "uint16", 3, 2, 5, 8, 9);
        Cli.good("export", path("a"), "-o", path("a.tif"));
        String file = Files.readString(dir.resolve("a.tif"), StandardCharsets.ISO_8859_1);
        String found = "{\"shape\": [3, 2, 5, 8, 9]}";
        assertTrue(file.contains(found));
        for (int frames : new int[] {6, 7}) {
            String described = file.replace(found, "ImageJ=1\nslices=5\nframes=" + frames);
            Files.writeString(dir.resolve("j.tif"), described, StandardCharsets.ISO_8859_1);
            Cli.Result result = Cli.run("import", path("j.tif"), path("j"), "--overwrite");
            assertEquals(0, result.status(), result.err());
            String info = Cli.good("info", path("j")).out();
            assertTrue(info.contains(frames == 6 ? "[6,5,8,9]" : "[30,8,9]"), info);
            assertEquals(frames == 6, info.contains("[\"t\",\"z\",\"y\",\"x\"]"), info);
            assertEquals(frames == 6, result.err().isEmpty(), result.err());
            assertTrue(frames == 6 || result.err().contains("t=7,z=5, but the file has 30 pages"), result.err());
        }
    }

    @Test
    void standardStreams_areDashes() {
        array("a", "float32", 4, 5);
        byte[] npy = Cli.good("export", path("a"), "-o", "-", "--format", "npy").bytes();
        assertEquals(128 + 80, npy.length);
        assertEquals(0, Cli.run(npy, "import", "-", path("b")).status());
        assertEquals(0, Cli.run(npy, "import", "/dev/stdin", path("stdin")).status());
        Cli.good("diff", path("a"), path("b"), "--ignore-layout");
        byte[] raw = Cli.good("read", path("a"), "--format", "raw", "-o", "-").bytes();
        assertArrayEquals(Arrays.copyOfRange(npy, 128, 208), raw);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "s;1;1970-01-01T00:00:01,1969-12-31T23:59:59,NaT",
                "D;2;1970-01-03,1969-12-30,NaT",
                "M;1;1970-02,1969-12,NaT",
                "Y;1;1971,1969,NaT",
                "h;1;1970-01-01T01:00,1969-12-31T23:00,NaT",
                "ms;1;1970-01-01T00:00:00.001,1969-12-31T23:59:59.999,NaT",
                "as;10;1970-01-01T00:00:00.000000000000000010,1969-12-31T23:59:59.999999999999999990,NaT"
            })
    void times_areTextInCsv(String unit, int scale, String text) {
        String type = "{\"name\":\"numpy.datetime64\",\"configuration\":{\"unit\":\"" + unit + "\",\"scale_factor\":"
                + scale + "}}";
        Cli.good("create", path("a"), "--shape", "1,3", "--data-type", type);
        ByteBuffer bytes = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(1).putLong(-1).putLong(Long.MIN_VALUE);
        assertEquals(
                0, Cli.run(bytes.array(), "write", path("a"), "--from", "-").status());
        assertEquals(
                text,
                Cli.good("export", path("a"), "-o", "-", "--format", "csv")
                        .out()
                        .strip());
    }

    @Test
    void wrongUse_isSaid() throws IOException {
        array("a", "float32", 4, 5);
        Cli.bad(2, "does not end in", "export", path("a"), "-o", path("x.dat"));
        Cli.bad(1, "PNG holds uint8 or uint16, found float32", "export", path("a"), "-o", path("x.png"));
        assertFalse(Files.exists(dir.resolve("x.png")));
        Nodes.tree(dir.resolve("t"));
        Cli.bad(1, "npz only", "export", path("t"), "-o", path("x.npy"));
        Cli.Result rest = Cli.run("export", path("t"), "-o", path("x.npz"));
        assertEquals(1, rest.status());
        assertTrue(rest.err().startsWith("shardkit: left out: array "), rest.err());
        assertTrue(rest.err().contains("size varies"), rest.err());
        assertTrue(Files.size(dir.resolve("x.npz")) > 100);
        Zarr.createGroup(path("texts"), Json.object(), IfExists.REFUSE, ZarrOptions.defaults())
                .createArray("text", ArraySpec.of("string", 2), IfExists.REFUSE);
        Cli.Result none = Cli.run("export", path("texts"), "-o", path("none.npz"));
        assertEquals(1, none.status());
        assertTrue(none.err().contains("an npz file can hold none of the 1 arrays"), none.err());
        assertFalse(Files.exists(dir.resolve("none.npz")));
        array("v", "uint8", 3, 4, 5);
        for (String file : new String[] {"v.png", "v.csv"}) {
            Cli.bad(
                    2,
                    "shape [3, 4, 5]; choose a plane, such as the region 0,:,:",
                    "export",
                    path("v"),
                    "-o",
                    path(file));
            Cli.good("export", path("v"), "--region", "0,:,:", "-o", path(file));
        }
        Files.writeString(dir.resolve("x.txt"), "");
        Cli.bad(2, "expected a name that ends in", "import", path("x.txt"), path("b"));
    }

    private void npy(String name, String fields, byte... elements) throws IOException {
        String header = "{'descr': " + fields + ", 'fortran_order': False, 'shape': (1,), }\n";
        ByteBuffer file = ByteBuffer.allocate(10 + header.length() + elements.length);
        file.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (byte) header.length(), 0});
        file.put(header.getBytes(StandardCharsets.US_ASCII)).put(elements);
        Files.write(dir.resolve(name), file.array());
    }

    @Test
    void records_areThoseOfNumPy() throws IOException {
        npy("r.npy", "[('a', '<i2'), ('b c', '|u1'), ('d', '|S2')]", (byte) 1, (byte) 1, (byte) 7, (byte) 'h', (byte)
                'i');
        Cli.good("import", path("r.npy"), path("r"));
        assertEquals(
                "{\"a\":257,\"b c\":7,\"d\":\"hi\"}",
                Cli.good("read", path("r")).out().strip());
        Cli.good("export", path("r"), "-o", path("again.npy"));
        String npy = Files.readString(dir.resolve("again.npy"), StandardCharsets.ISO_8859_1);
        assertTrue(npy.contains("'descr': [('a', '<i2'), ('b c', '|u1'), ('d', '|S2')], 'fortran"), npy);
        assertTrue(npy.endsWith("\1\1\7hi"), npy);
        Cli.good("import", path("again.npy"), path("again"));
        Cli.good("diff", path("r"), path("again"), "--ignore-layout");
        for (String[] refused : new String[][] {
            {"[('a', '|i1'), ('', '|V3'), ('b', '<i4')]", "there are gaps"},
            {"[('a', '>i4')]", "the field \"a\" is big-endian"},
            {"[('a', '<i4', (2,))]", "arrays and records as fields are not supported"},
            {"[('a', [('b', '<i4')])]", "the field \"a\" is a record"},
            {"[('a', '|O')]", "no data type for the field \"a\""},
            {"[]", "expected fields"}
        }) {
            npy("x.npy", refused[0]);
            Cli.Result result = Cli.bad(1, refused[1], "import", path("x.npy"), path("x"));
            assertTrue(result.err().contains("save each field in a file of its own"), result.err());
        }
        assertFalse(Files.exists(dir.resolve("x")));
    }

    @Test
    void bytesWithZerosAtTheEnd_areTheSOfNumPy() throws IOException {
        String type = "{\"name\":\"null_terminated_bytes\",\"configuration\":{\"length_bytes\":3}}";
        Cli.good("create", path("s"), "--shape", "2", "--data-type", type, "--chunk-shape", "2");
        byte[] values = {'a', 'b', 0, 'x', 'y', 'z'};
        assertEquals(0, Cli.run(values, "write", path("s"), "--from", "-").status());
        Cli.good("export", path("s"), "-o", path("s.npy"));
        String npy = Files.readString(dir.resolve("s.npy"), StandardCharsets.ISO_8859_1);
        assertTrue(npy.contains("'descr': '|S3'"), npy);
        assertTrue(npy.endsWith("ab\0xyz"));
        Cli.good("import", path("s.npy"), path("again"));
        Cli.good("diff", path("s"), path("again"), "--ignore-layout");
    }

    @Test
    void bytesWithZerosAtTheEnd_areShownAsText_ifTheyAreUtf8() {
        String type = "{\"name\":\"null_terminated_bytes\",\"configuration\":{\"length_bytes\":3}}";
        Cli.good("create", path("s"), "--shape", "4", "--data-type", type, "--chunk-shape", "4");
        byte[] values = {'a', 'b', 0, (byte) 0xc3, (byte) 0xa9, ' ', (byte) 0xff, 0, 0, 'N', 'a', 'N'};
        assertEquals(0, Cli.run(values, "write", path("s"), "--from", "-").status());
        assertEquals(
                "\"ab\"\n\"é \"\n\"/w==\"\n\"NaN\"\n",
                Cli.good("read", path("s")).out());
        assertEquals(
                "[\"ab\", \"é \", \"/w==\", \"NaN\"]\n",
                Cli.good("read", path("s"), "--format", "json").out());
    }

    @Test
    void bytesOfFixedLength_areTextInCsv_ifTheyAreUtf8() throws IOException {
        String type = "{\"name\":\"null_terminated_bytes\",\"configuration\":{\"length_bytes\":3}}";
        Cli.good("create", path("s"), "--shape", "5", "--data-type", type, "--chunk-shape", "5");
        byte[] values = {'a', ',', 0, (byte) 0xc3, (byte) 0xa9, ' ', (byte) 0xff, 0, 0, 'N', 'a', 'N', 0, 0, 0};
        assertEquals(0, Cli.run(values, "write", path("s"), "--from", "-").status());
        assertEquals(
                "\"a,\"\n\u00e9 \n/w==\nNaN\n\"\"\n",
                Cli.good("export", path("s"), "--format", "csv", "-o", "-").out());
    }

    @Test
    void rawBytes_areTheVOfNumPy_inEitherSpelling() throws IOException {
        for (String type : new String[] {"r24", "{\"name\":\"raw_bytes\",\"configuration\":{\"length_bytes\":3}}"}) {
            String name = "a" + type.length();
            Cli.good("create", path(name), "--shape", "2", "--data-type", type, "--chunk-shape", "2");
            Cli.good("export", path(name), "-o", path("v.npy"), "--format", "npy");
            String npy = Files.readString(dir.resolve("v.npy"), StandardCharsets.ISO_8859_1);
            assertTrue(npy.contains("'descr': '|V3'"), npy);
        }
    }

    /** NumPy 2 writes these headers: version 1.0 in Latin-1, and 3.0 in UTF-8 if that is not enough. */
    @Test
    void headersOfNpy_areLatin1_andUtf8InVersion3() throws IOException {
        Object[][] cases = {
            {1, StandardCharsets.ISO_8859_1, "gr\u00f6\u00dfe", "'gr\u00f6\u00dfe'"},
            {2, StandardCharsets.ISO_8859_1, "\u00e4", "'\u00e4'"},
            {3, StandardCharsets.UTF_8, "\u6c17\u6e29", "'\u6c17\u6e29'"},
            {1, StandardCharsets.ISO_8859_1, "speed [m/s]", "'speed [m/s]'"},
            {1, StandardCharsets.ISO_8859_1, "it's", "\"it's\""},
            {1, StandardCharsets.ISO_8859_1, "a\\b", "'a\\\\b'"},
        };
        for (Object[] one : cases) {
            int version = (int) one[0];
            byte[] header = ("{'descr': [(" + one[3]
                            + ", '|u1'), ('b', '|u1')], 'fortran_order': False, 'shape': (1,), }\n")
                    .getBytes((Charset) one[1]);
            ByteBuffer file = ByteBuffer.allocate(12 + header.length + 2).order(ByteOrder.LITTLE_ENDIAN);
            file.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', (byte) version, 0});
            if (version == 1) {
                file.putShort((short) header.length);
            } else {
                file.putInt(header.length);
            }
            file.put(header).put(new byte[] {7, 8});
            Files.write(dir.resolve("n.npy"), Arrays.copyOf(file.array(), file.position()));
            Cli.good("import", path("n.npy"), path("n"), "--overwrite");
            String json = Json.of((String) one[2]).toString();
            assertEquals(
                    "{" + json + ":7,\"b\":8}",
                    Cli.good("read", path("n")).out().strip());
            Cli.good("export", path("n"), "-o", path("again.npy"));
            byte[] again = Files.readAllBytes(dir.resolve("again.npy"));
            boolean isAscii = ((String) one[2]).chars().allMatch(c -> c < 128);
            assertEquals(isAscii ? 1 : 3, again[6]);
            assertEquals(0, (again.length - 2) % 64);
            Cli.good("import", path("again.npy"), path("again"), "--overwrite");
            Cli.good("diff", path("n"), path("again"), "--ignore-layout");
        }
    }
}
