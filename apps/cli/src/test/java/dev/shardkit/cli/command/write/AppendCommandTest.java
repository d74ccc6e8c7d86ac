package dev.shardkit.cli.command.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.Cli;
import dev.shardkit.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AppendCommandTest {
    @TempDir
    Path folder;

    private String array;

    private String create(String shape, String type) {
        array = folder.resolve("a.zarr").toString();
        Cli.good(
                "create", array, "--shape", shape, "--data-type", type, "--chunk-shape", "2,2", "--shard-shape", "4,4");
        return array;
    }

    private static byte[] shorts(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (int value : values) {
            bytes.putShort((short) value);
        }
        return bytes.array();
    }

    private byte[] read() {
        return Cli.good("read", array, "--format", "raw").bytes();
    }

    @Test
    void slices_extendTheFirstDimension_inSeveralSteps() throws IOException {
        create("0,3", "uint16");
        Path file = Files.write(folder.resolve("new.raw"), shorts(1, 2, 3, 4, 5, 6));
        Cli.good("append", array, "--from", file.toString());
        assertEquals(0, Cli.run(shorts(7, 8, 9), "append", array, "--from", "-").status());
        assertArrayEquals(shorts(1, 2, 3, 4, 5, 6, 7, 8, 9), read());
        Cli.good(
                "append",
                array,
                "--from",
                Files.createFile(folder.resolve("empty")).toString());
        assertArrayEquals(shorts(1, 2, 3, 4, 5, 6, 7, 8, 9), read());
    }

    /** A file stands where a chunk of the second batch belongs. */
    @Test
    void failureInTheMiddle_saysWhatIsStored_andHowToGoOn() throws IOException {
        int slice = 8 << 20;
        array = folder.resolve("a.zarr").toString();
        Cli.good("create", array, "--shape", "0," + slice, "--data-type", "uint8", "--chunk-shape", "1," + slice);
        Files.createDirectories(folder.resolve("a.zarr/c"));
        Files.createFile(folder.resolve("a.zarr/c/1"));
        byte[] three = new byte[3 * slice];
        Arrays.fill(three, (byte) 1);
        Path file = Files.write(folder.resolve("new.raw"), three);
        for (String from : new String[] {"-", file.toString()}) {
            Cli.Result result = Cli.run(three, "append", array, "--from", from);
            assertEquals(1, result.status(), result.err());
            assertTrue(
                    result.err()
                            .contains(
                                    from.equals("-")
                                            ? "shardkit: stored before the failure: the first slice of the input; "
                                                    + "append only the others (the array had 0 slices before)"
                                            : "shardkit: no slice of the input was stored before the failure (the array "
                                                    + "had 1 slice before)"),
                    result.err());
        }
        Cli.Result written = Cli.run(three, "write", array, "--from", "-", "--region", "0:1,:");
        assertTrue(written.err().contains("expected"), written.err());
        assertFalse(written.err().contains("old and new elements"), written.err());
        Cli.good("resize", array, "--shape", "3," + slice);
        written = Cli.run(three, "write", array, "--from", "-");
        assertEquals(1, written.status(), written.err());
        assertTrue(
                written.err()
                        .contains("the region may hold old and new elements; to write it whole, send the same input "
                                + "again to: shardkit write " + array + " --from -"),
                written.err());
    }

    /** The message names no temporary file. */
    @Test
    void import_fromStandardInput_saysHowToBeginAgain() throws IOException {
        String url = folder.resolve("i.zarr").toString();
        Cli.Result result = Cli.run(new byte[3], "import", "-", url, "--shape", "2,2", "--data-type", "uint8");
        assertTrue(result.err().startsWith("shardkit: standard input: expected 4 bytes"), result.err());
        assertFalse(Files.exists(folder.resolve("i.zarr")));
    }

    /** The input stays open until a reader has seen the slices. */
    @Test
    @Timeout(600)
    void slicesOfASlowProducer_areSeenBeforeItEnds() throws Exception {
        create("0,3", "uint16");
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PipedOutputStream producer = new PipedOutputStream();
        try (PipedInputStream in = new PipedInputStream(producer)) {
            CompletableFuture<Integer> status = CompletableFuture.supplyAsync(
                    () -> Main.run(
                            new String[] {"append", array, "--from", "-"}, in, OutputStream.nullOutputStream(), err),
                    task -> new Thread(task, "append").start());
            producer.write(shorts(1, 2, 3, 4, 5)); // one slice, and a part of the next
            producer.flush();
            awaitLength(1, status);
            assertArrayEquals(shorts(1, 2, 3), read());
            producer.write(shorts(6));
            producer.flush();
            awaitLength(2, status);
            producer.write(shorts(7));
            producer.close();
            assertEquals(1, status.get(), err::toString);
        }
        assertTrue(
                err.toString(StandardCharsets.UTF_8).contains("expected 6 bytes for the last slice, found 2"),
                err::toString);
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("the first 2 slices of the input"), err::toString);
        assertArrayEquals(shorts(1, 2, 3, 4, 5, 6), read());
        Cli.Result npy = Cli.run("\u0093NUMPY".getBytes(StandardCharsets.ISO_8859_1), "append", array, "--from", "-");
        assertTrue(npy.err().contains("standard input: expected raw elements, found an npy file"), npy.err());
        assertArrayEquals(shorts(1, 2, 3, 4, 5, 6), read());
    }

    /** The input always has a next slice at hand, and ends when a reader has seen one. */
    @Test
    @Timeout(600)
    void slicesOfAnInputWithoutPauses_areSeenBeforeABatchIsFull() throws Exception {
        create("0,3", "uint16");
        AtomicLong sent = new AtomicLong();
        AtomicBoolean isSeen = new AtomicBoolean();
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        InputStream in = new InputStream() {
            @Override
            public int read() {
                throw new AssertionError("slices are read at once");
            }

            @Override
            public int read(byte[] bytes, int offset, int length) {
                try (ZarrArray now = Zarr.openArray(array)) {
                    isSeen.set(now.shape()[0] > 0);
                }
                if (isSeen.get() || System.nanoTime() - deadline > 0) {
                    return -1;
                }
                System.arraycopy(shorts(1, 2, 3), 0, bytes, offset, 6);
                sent.incrementAndGet();
                return 6;
            }

            @Override
            public int available() {
                return 6;
            }
        };
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        assertEquals(
                0,
                Main.run(new String[] {"append", array, "--from", "-"}, in, OutputStream.nullOutputStream(), err),
                err::toString);
        assertTrue(isSeen.get(), "slices were sent for minutes, and none was stored");
        try (ZarrArray now = Zarr.openArray(array)) {
            assertEquals(sent.get(), now.shape()[0]);
        }
    }

    private void awaitLength(long length, CompletableFuture<Integer> status) throws Exception {
        while (true) {
            try (ZarrArray now = Zarr.openArray(array)) {
                if (now.shape()[0] == length) {
                    return;
                }
            }
            assertFalse(status.isDone(), "it ended before");
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"append", "write"})
    @Timeout(600)
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a process cannot be ended by SIGTERM")
    void signalWhileStandardInputIsRead_saysThatNothingWasChanged(String command) throws Exception {
        create("4,4", "uint16");
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        Path log = folder.resolve("log");
        try (WatchService watch = folder.getFileSystem().newWatchService()) {
            temporary.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Djava.io.tmpdir=" + temporary,
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Main.class.getName(),
                            command,
                            array,
                            "--from",
                            "-",
                            command.equals("append") ? "--axis=1" : "--region=:,:")
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            try {
                assertTrue(watch.poll(300, TimeUnit.SECONDS) != null, "it reads its input");
                process.getOutputStream().write(shorts(1, 2, 3, 4));
                process.getOutputStream().flush();
                process.toHandle().destroy(); // unlike destroy(), it closes no stream
                assertEquals(143, process.waitFor());
            } finally {
                process.destroyForcibly();
            }
        }
        assertEquals(
                "shardkit: interrupted; nothing was changed; to begin again, send the same input again to: shardkit "
                        + command + " " + array + " --from - "
                        + (command.equals("append") ? "--axis=1" : "--region=:,:"),
                Files.readString(log).strip());
        assertEquals(0, temporary.toFile().list().length, "nothing is left");
        assertArrayEquals(new byte[32], read());
    }

    @Test
    void npyFile_isNotTakenForElements() throws IOException {
        create("0,64", "uint16");
        byte[] header = new byte[128]; // the size of a row
        System.arraycopy("\u0093NUMPY".getBytes(StandardCharsets.ISO_8859_1), 0, header, 0, 6);
        String file = Files.write(folder.resolve("a.npy"), header).toString();
        Cli.bad(1, "expected raw elements, found an npy file", "append", array, "--from", file);
        Cli.good("resize", array, "--shape", "1,64");
        Cli.bad(1, "expected raw elements, found an npy file", "write", array, "--from", file);
        String other = folder.resolve("b.zarr").toString();
        Cli.bad(1, "found an npy file", "import", file, other, "--shape", "1,64", "--data-type", "uint16");
    }

    @Test
    void slices_extendAnotherDimension() {
        create("2,1", "uint16");
        assertEquals(0, Cli.run(shorts(1, 5), "write", array, "--from", "-").status());
        byte[] columns = shorts(2, 3, 4, 6, 7, 8); // [2, 3] in C order
        assertEquals(
                0,
                Cli.run(columns, "append", array, "--from", "-", "--axis", "1", "--strategy", "append")
                        .status());
        assertArrayEquals(shorts(1, 2, 3, 4, 5, 6, 7, 8), read());
    }

    @Test
    void elementsOfEachCarrier_areAppended() {
        for (String type : new String[] {"bool", "int8", "int32", "uint64", "float32", "float64", "float16"}) {
            create("0,1", type);
            int size =
                    Cli.good("info", array, "--json").object().get("data_type").isPresent()
                            ? type.matches("bool|int8") ? 1 : Integer.parseInt(type.replaceAll("\\D", "")) / 8
                            : 0;
            byte[] values = new byte[3 * size];
            values[0] = 1;
            values[2 * size] = 1;
            assertEquals(0, Cli.run(values, "append", array, "--from", "-").status(), type);
            assertArrayEquals(values, read(), type);
            Cli.good("rm", array);
        }
    }

    @Test
    void wrongInput_changesNothing() throws IOException {
        create("1,3", "uint16");
        Path odd = Files.write(folder.resolve("odd"), shorts(1, 2));
        Cli.bad(2, " does not hold whole slices: expected", "append", array, "--from", odd.toString());
        Cli.Result cut = Cli.run(shorts(1, 2), "append", array, "--from", "-");
        assertEquals(1, cut.status());
        assertTrue(cut.err().contains("standard input does not hold whole slices: expected 6 bytes"), cut.err());
        assertTrue(cut.err().contains("no slice of the input was stored before the failure"), cut.err());
        Cli.bad(2, "--axis: expected a dimension from 0 to 1", "append", array, "--from", "x", "--axis", "2");
        Cli.bad(
                1,
                "no such file",
                "append",
                array,
                "--from",
                folder.resolve("none").toString());
        assertEquals(6, read().length);
        String text = folder.resolve("s.zarr").toString();
        Cli.good("create", text, "--shape", "1", "--data-type", "string");
        Cli.bad(
                2,
                "append takes numbers",
                "append",
                text,
                "--from",
                folder.resolve("a.zarr/zarr.json").toString());
    }
}
