package dev.shardkit.cli;

import dev.shardkit.cli.base.TemporaryPaths;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Runs the common commands once on a small array. Meanwhile, the JVM records the classes that they load in an archive
 * (class data sharing, CDS, or the AOT cache of JDK 25). Later starts load the classes faster from there. Only the
 * launcher script runs this class, when it has no such archive yet.
 */
final class ArchiveTrainingRun {
    private static final List<String> CODECS = List.of(
            "[]",
            "[{\"name\": \"gzip\", \"configuration\": {\"level\": 5}}]",
            "[{\"name\": \"blosc\", \"configuration\": {\"cname\": \"lz4\", \"clevel\": 5, \"shuffle\": \"shuffle\", "
                    + "\"typesize\": 2, \"blocksize\": 0}}]",
            "[{\"name\": \"zstd\", \"configuration\": {\"level\": 3, \"checksum\": false}}]");
    /** 8 x 8 elements of two bytes; not all zero, because an all-zero chunk would not be stored. */
    private static final byte[] RAW = new byte[128];

    static {
        Arrays.fill(RAW, (byte) 7);
    }

    private ArchiveTrainingRun() {}

    /** Runs the commands and discards their output. */
    public static void main(String[] args) throws IOException {
        Path folder = TemporaryPaths.createFolder("shardkit");
        try {
            runCommands(
                    folder.resolve("a.zarr").toString(),
                    folder.resolve("b.zarr").toString());
        } finally {
            TemporaryPaths.delete(folder);
        }
        System.exit(0); // as the command ends; the JDK loads classes for it, which the archive should contain
    }

    private static void runCommands(String array, String copy) {
        for (String codecs : CODECS) {
            run(
                    "create",
                    array,
                    "--overwrite",
                    "--shape",
                    "8,8",
                    "--data-type",
                    "uint16",
                    "--shard-shape",
                    "8,8",
                    "--chunk-shape",
                    "4,4",
                    "--codecs",
                    codecs);
            run("write", array, "--from", "-");
            run("read", array, "--region", "0:4,2");
            run("read", array, "--format", "json");
        }
        run("info", array);
        run("info", array, "--json");
        run("head", array);
        run("tree", array);
        run("stats", array);
        run("attrs", array, "--set", "unit=1");
        run("map", array);
        run("verify", array);
        run("copy", array, copy);
        run("ls", array);
        run("plugins");
        run("info", "--help");
        run("--help");
        run("--version");
    }

    private static void run(String... args) {
        Main.run(args, new ByteArrayInputStream(RAW), OutputStream.nullOutputStream(), OutputStream.nullOutputStream());
    }
}
