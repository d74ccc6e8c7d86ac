package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code copy} from and to other formats: what it skips, and what its messages advise. */
class CopyIntoFormatTest {
    @TempDir
    Path dir;

    private String path(String name) {
        return dir.resolve(name).toString();
    }

    private String array(String name, String shape) {
        Cli.good("create", path(name), "--shape", shape, "--data-type", "uint8");
        return path(name);
    }

    /** z5py's document of an array with lz4: its blocks are bare, and the number is a level. */
    @Test
    void lz4OfZ5py_isSkipped_ifAsked() throws IOException {
        String array = array("a", "4");
        String tree = path("t.n5");
        Cli.good("copy", array, "n5:" + tree + "/g/good");
        Cli.good("copy", array, "n5:" + tree + "/g/other", "--codecs", "lz4");
        Path document = dir.resolve("t.n5/g/other/attributes.json");
        Files.writeString(document, Files.readString(document).replace("65536", "6"));
        Cli.Result refused = Cli.run("copy", tree, path("b"));
        assertEquals(1, refused.status());
        assertTrue(refused.err().contains("blocks of LZ4Block, as N5's library writes"), refused.err());
        assertTrue(refused.err().contains("--skip-unsupported copies the other nodes"), refused.err());
        assertFalse(Files.exists(dir.resolve("b/zarr.json")));
        Cli.bad(1, "skipped /g/other: ", "copy", tree, path("b"), "--skip-unsupported");
        Cli.good("diff", array, path("b/g/good"), "--ignore-layout");
        Cli.bad(1, "z5py", "info", tree + "/g/other");
        Cli.bad(1, "from 64 to", "copy", array, "n5:" + path("c"), "--codecs", "lz4:6");
    }

    @Test
    void existingVolume_getsScales_andNoVolumeInside() {
        String array = array("a", "5,6,7");
        String volume = "neuroglancer:" + path("ng");
        assertEquals(0, Cli.run("copy", array, volume).status());
        Cli.Result again = Cli.run("copy", array, volume);
        assertEquals(1, again.status());
        assertTrue(again.err().contains("give shardkit create " + volume + " the resolution"), again.err());
        assertFalse(again.err().contains("ng/a"), again.err());
        Cli.bad(1, "give shardkit create " + volume, "copy", array, path("ng"));
    }

    @Test
    void planeWithoutNames_isNoVolume() {
        String plane = array("plane", "5,6");
        Cli.bad(2, "found 2 dimensions without names", "copy", plane, "wkw:" + path("w"));
        Cli.bad(2, "found 2 dimensions without names", "copy", plane, "neuroglancer:" + path("n"));
    }

    @Test
    void filesThatAreOnlyRead_areNoTargets() {
        String array = array("a", "4");
        Cli.bad(1, "shardkit reads HDF5 files and does not write them", "copy", array, "hdf5:" + path("x.h5"));
        Cli.bad(1, "reads such frames and does not write them", "copy", array, path("x.b2nd"));
    }

    @Test
    void nameOfN5_withoutThePrefix_isNoted() {
        String array = array("a", "4");
        String note = "note: the copy is Zarr v3; to write N5, give the target n5:";
        String url = dir.resolve("z.n5").toUri().toString();
        for (String target : new String[] {path("x.n5"), path("y.n5/inner"), url}) {
            Cli.Result made = Cli.run("copy", array, target);
            assertEquals(0, made.status());
            assertTrue(made.err().contains(note + target), made.err());
        }
        Cli.good("copy", array, "n5:" + path("v.n5"));
        Cli.good("copy", array, path("n5"));
    }
}
