package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.cli.print.ApiNameReplacement;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages that name the option, the array or the field that they are about, and the command that helps. */
class OptionMessagesTest {
    @TempDir
    Path dir;

    private String array;

    @BeforeEach
    void create() {
        array = path("a.zarr");
        Cli.good("create", array, "--shape", "64,64", "--data-type", "uint16", "--chunk-shape", "8,8");
    }

    private String path(String name) {
        return dir.resolve(name).toString();
    }

    @Test
    void shapesThatDoNotFit_nameTheirOption() {
        String copy = path("copy");
        String multiple = "--shard-shape: expected multiples of the chunk shape [8, 8], found [12, 16]; the nearest "
                + "legal values in dimension 0 are 8 or 16";
        Cli.bad(2, multiple, "copy", array, copy, "--shard-shape", "12,16");
        Cli.bad(2, multiple, "pyramid", array, copy, "--shard-shape", "12,16");
        Cli.bad(2, "legal value in dimension 0 is 8", "copy", array, copy, "--shard-shape", "4,16");
        Cli.bad(2, "--shard-shape: expected 2 lengths", "pyramid", array, copy, "--shard-shape", "8");
        Cli.bad(2, "--chunk-shape: expected lengths of at least 1", "pyramid", array, copy, "--chunk-shape", "0,1");
        Cli.bad(2, "--shard-shape [12, 12]: expected multiples", "shard", array, "--shard-shape", "12,12");
        Cli.bad(2, "--shard-shape: expected 2 dimensions", "shard", array, "--shard-shape", "16");
        String[] aggregate = {"aggregate", array, "--chunk-shape", "4", "--shard-shape", "16,16"};
        Cli.bad(2, "--chunk-shape: expected 2 dimensions", aggregate);
        Cli.bad(2, "auto is for shard, reshard and aggregate", "copy", array, copy, "--shard-shape", "auto");
        assertFalse(Files.exists(Path.of(copy)));
    }

    @Test
    void missingCredentials_nameTheOptionForPublicData() {
        assertEquals(
                "use --s3-anonymous, --gs-anonymous, --az-anonymous, --az-account",
                ApiNameReplacement.replaceIn("use S3StoreBuilder.anonymous(), GcsStoreBuilder.anonymous(), "
                        + "AzureStoreBuilder.anonymous(), AzureStoreBuilder.account"));
        if (System.getenv("AZURE_STORAGE_ACCOUNT") == null
                && System.getenv("AZURE_STORAGE_CONNECTION_STRING") == null) {
            Cli.bad(1, "set AZURE_STORAGE_ACCOUNT, or use --az-account", "info", "az://container/a");
        }
    }

    /** The commands have no switch for it, apart from write and append. */
    @Test
    void ownership_isNamedAsTheCommandsHaveIt() {
        assertEquals(
                "has neither. Write a new array or group at another place",
                ApiNameReplacement.replaceIn(
                        "has neither. Write a new array or group at another place; or, if no other program writes to"
                                + " the arrays, use WriteOwnership.OWNED"));
        assertEquals(
                "can write there (--ownership owned of write, append and erase)",
                ApiNameReplacement.replaceIn("can write there (WriteOwnership.OWNED)"));
    }

    @Test
    void formsThatACommandHasOtherwise_areNamed() {
        Cli.bad(2, "did you mean --format json?", "read", path("a"), "--json");
        Cli.bad(2, "shardkit head, shardkit read have it", "export", path("a"), "-o", "a.csv", "--decode-times");
        Cli.bad(
                2,
                "numpy.save('data.npy', numpy.loadtxt('data.csv', delimiter=','))",
                "import",
                path("a.csv"),
                path("b"));
    }

    @Test
    void anArrayThatNpzCannotHold_isNamed() {
        String tree = path("tree");
        Cli.good("group", tree);
        Cli.good("create", tree + "/numbers", "--shape", "4", "--data-type", "uint8");
        Cli.good("create", tree + "/words", "--shape", "4", "--data-type", "string");
        Cli.bad(1, "array words: NumPy has no data type", "export", tree, "-o", path("tree.npz"));
        assertTrue(Files.exists(dir.resolve("tree.npz")), "with the other arrays");
    }

    @Test
    void fieldsWithoutASimpleType_areNamed() throws IOException {
        npy("nested.npy", "[('a', '<i4'), ('nest', [('b', '<f8')])]");
        npy("sub.npy", "[('a', '<i4'), ('sub', '<f8', (2,))]");
        Cli.bad(1, "the field \"nest\" is a record", "import", path("nested.npy"), path("x"));
        Cli.bad(1, "the field \"sub\" has no simple type", "import", path("sub.npy"), path("x"));
    }

    private void npy(String name, String descr) throws IOException {
        byte[] header = ("{'descr': " + descr + ", 'fortran_order': False, 'shape': (1,), }\n")
                .getBytes(StandardCharsets.UTF_8);
        ByteBuffer file = ByteBuffer.allocate(10 + header.length + 64).order(ByteOrder.LITTLE_ENDIAN);
        file.put((byte) 0x93).put("NUMPY".getBytes(StandardCharsets.US_ASCII));
        file.put((byte) 1).put((byte) 0).putShort((short) header.length).put(header);
        Files.write(dir.resolve(name), file.array());
    }

    @Test
    void filesThatShardkitOpens_areCopied() throws IOException {
        for (String name : new String[] {"a.h5", "a.NC", "a.b2nd"}) {
            Files.writeString(dir.resolve(name), "x");
            Cli.bad(2, "use shardkit copy", "import", path(name), path("x"));
        }
        Files.writeString(dir.resolve("a.bin"), "x");
        Cli.bad(2, "give --shape and --data-type", "import", path("a.bin"), path("x"));
    }

    /** An array of N5 cannot change in place. A shell would change the name. */
    @Test
    void adviceForAnotherFormat_isACopy_inQuotes() {
        String n5 = path("a!b.n5");
        Cli.good("create", "n5:" + n5, "--shape", "4096,4096", "--data-type", "uint16", "--chunk-shape", "8,8");
        String advice = Cli.good("advise", n5).out();
        String quote = File.separatorChar == '\\' ? "\"" : "'";
        assertTrue(
                advice.contains("shardkit copy " + quote + n5 + quote + " ")
                        && advice.contains("-layout.zarr --chunk-shape "),
                advice);
        String own = Cli.good("advise", array).out();
        assertTrue(own.contains("shardkit aggregate " + array + " --chunk-shape "), own);
        assertEquals(
                0, own.lines().filter(line -> line.contains("shardkit copy")).count());
    }
}
