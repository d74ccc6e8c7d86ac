package dev.shardkit.fuzz;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ShardWritePolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * Fuzz target for the journals of interrupted patches, which change a shard in place. The input is put as a journal
 * beside a shard, in real files. A write, which recovers the shard first, then verification and a read must end in
 * values or declared errors. Written elements must read back, and a file outside the array must stay unchanged. The
 * read of the whole array comes last, because it waits for a patch that no writer recovers.
 */
final class Journals {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults()
            .withParallelism(1)
            .withWritePolicy(ShardWritePolicy.defaults().withStrategy(ShardWritePolicy.Strategy.IN_PLACE));
    private static final Box CORNER = Box.of(new long[] {0, 0}, new long[] {2, 2});
    private static final String JOURNAL = "fuzzed";

    private final Path array;
    private final Path shard;
    private final Path journals;
    private final Path outside;
    private final byte[] intactShard;

    private Journals(Path folder) {
        array = folder.resolve("array");
        shard = array.resolve("c/0/0");
        journals = shard.resolveSibling("__shardkit").resolve("patches").resolve("0");
        outside = folder.resolve("outside");
        try (ZarrArray made = Zarr.createArray(
                array.toString(),
                ArraySpec.of("int32", 4, 4).withChunkShape(2, 2).withShardShape(4, 4),
                IfExists.REFUSE,
                OPTIONS)) {
            int[] values = new int[16];
            Arrays.setAll(values, i -> i + 1);
            made.write(made.domain(), values, 0);
            Files.write(outside, new byte[] {1, 2, 3});
            intactShard = Files.readAllBytes(shard);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Holds the array, which is created at the first use, because it needs a folder. */
    private static final class Lazy {
        private static final Journals INSTANCE = inTemporaryFolder();

        private static Journals inTemporaryFolder() {
            try {
                Path folder = Files.createTempDirectory("shardkit-journals");
                Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(folder)));
                return new Journals(folder);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static void run(byte[] input) {
        try {
            Lazy.INSTANCE.runOnce(input);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Puts the input as a journal, uses the array, and checks what it must hold. */
    private void runOnce(byte[] input) throws IOException {
        remove(journals);
        Files.write(shard, intactShard);
        Files.createDirectories(journals);
        Files.write(journals.resolve(JOURNAL), input);
        try (ZarrArray opened = Zarr.openArray(array.toString(), OPTIONS)) {
            Optional<NdArray> written = FuzzTarget.declared(() -> {
                opened.write(CORNER, new int[] {-1, -2, -3, -4}, 0);
                return opened.read(CORNER);
            });
            written.ifPresent(found -> FuzzTarget.check(
                    Arrays.equals(found.ints(), new int[] {-1, -2, -3, -4}), "what was written reads back"));
            FuzzTarget.declared(() -> Verification.of(opened).run(finding -> {}));
            FuzzTarget.declared(opened::read);
        }
        FuzzTarget.check(Arrays.equals(Files.readAllBytes(outside), new byte[] {1, 2, 3}), "a file outside stays");
    }

    /** Returns real journals of different sizes: copies that are made while another thread patches the shard. */
    static List<byte[]> samples() throws Exception {
        Journals target = Lazy.INSTANCE;
        AtomicBoolean isEnough = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            try (ZarrArray opened = Zarr.openArray(target.array.toString(), OPTIONS)) {
                for (int i = 0; !isEnough.get(); i++) {
                    opened.write(CORNER, new int[] {i, i, i, i}, 0);
                }
            }
        });
        writer.start();
        List<byte[]> samples = new ArrayList<>();
        for (long tries = 0; samples.size() < 20 && tries < 1_000_000; tries++) {
            try (Stream<Path> files = Files.list(target.journals)) {
                for (Path file : files.toList()) {
                    byte[] copy = Files.readAllBytes(file);
                    if (copy.length > 0 && samples.stream().noneMatch(sample -> sample.length == copy.length)) {
                        samples.add(copy);
                    }
                }
            } catch (IOException | UncheckedIOException e) {
                Thread.onSpinWait(); // the writer has deleted the journal meanwhile
            }
        }
        isEnough.set(true);
        writer.join();
        return samples;
    }

    private static void remove(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> walk = Files.walk(folder)) {
            for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
