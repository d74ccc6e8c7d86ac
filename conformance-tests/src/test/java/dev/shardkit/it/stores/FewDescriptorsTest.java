package dev.shardkit.it.stores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.store.policy.Durability;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A process with few descriptors (300) writes and opens many arrays, and closes none. */
@Timeout(300)
@Tag("one-jdk")
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "limits of descriptors are set by bash")
class FewDescriptorsTest {
    private static final int ARRAYS = 400;

    @TempDir
    Path dir;

    /** What the process does. */
    static final class Job {
        private Job() {}

        public static void main(String[] args) {
            List<ZarrArray> open = new ArrayList<>();
            for (int i = 0; i < ARRAYS; i++) {
                String place = Path.of(args[1], Integer.toString(i)).toString();
                if (args[0].equals("write")) {
                    ZarrArray array = Zarr.createArray(
                            place,
                            ArraySpec.of("int32", 8).withChunkShape(2).withShardShape(4),
                            IfExists.REFUSE,
                            ZarrOptions.defaults().withDurability(Durability.ATOMIC));
                    array.write(array.domain(), new int[] {i, 1, 2, 3, 4, 5, 6, 7}, 0);
                    open.add(array);
                } else {
                    open.add(Zarr.openArray(place));
                    check(open.get(i), i);
                }
            }
            for (int i = 0; i < ARRAYS; i++) {
                check(open.get(i), i);
            }
            System.out.print("done");
        }

        private static void check(ZarrArray array, int first) {
            int[] found = array.read().ints();
            if (!Arrays.equals(found, new int[] {first, 1, 2, 3, 4, 5, 6, 7})) {
                throw new AssertionError("array " + first + ": " + Arrays.toString(found));
            }
        }
    }

    private static String run(String job, Path dir) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        "/bin/bash",
                        "-c",
                        "ulimit -n 300 && exec \"$@\"",
                        "job",
                        java,
                        "-XX:-MaxFDLimit",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx1g",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Job.class.getName(),
                        job,
                        dir.toString())
                .redirectErrorStream(true)
                .start();
        String says = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return says;
    }

    @Test
    void arraysThatNobodyCloses_areWrittenAndOpened() throws Exception {
        assertEquals("done", run("write", dir));
        assertEquals("done", run("open", dir));
    }
}
