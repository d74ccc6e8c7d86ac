package dev.shardkit.crash;

import dev.shardkit.ZarrArray;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.policy.Durability;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The process that is killed: writes arrays, each on a thread of its own, one step after the other, and says
 * {@code LANE VERSION} after each write has returned. Its input: {@code LANE SETUP SEED VERSION DURABILITY DIRECTORY}
 * for each array, then {@code go}.
 */
final class Writer {
    private static final FileOutputStream SAYS = new FileOutputStream(FileDescriptor.out);

    private Writer() {}

    private record Lane(int number, Setup setup, long seed, int version, Durability durability, Path root) {
        static Lane of(String line) {
            String[] w = line.split(" ", 6);
            return new Lane(
                    Integer.parseInt(w[0]),
                    Setup.of(Integer.parseInt(w[1])),
                    Long.parseLong(w[2]),
                    Integer.parseInt(w[3]),
                    Durability.valueOf(w[4]),
                    Path.of(w[5]));
        }

        void run() {
            try (ZarrArray array = setup.open(FileStore.at(root), durability)) {
                for (int v = version; ; v++) {
                    Step.of(setup, seed, v).write(array);
                    say(number + " " + v);
                }
            } catch (RuntimeException e) {
                say("failed " + number + " " + setup + ": " + e);
            }
        }
    }

    /** One system call a line: a killed process has said all of it or nothing. */
    private static void say(String line) {
        try {
            SAYS.write((line.replace('\n', ' ') + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void main(String[] args) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Setup.of(0).options(Durability.FORCED); // plug-ins are loaded while nobody waits
        say("ready");
        List<Lane> lanes = new ArrayList<>();
        for (String line = input.readLine(); line != null && !line.equals("go"); line = input.readLine()) {
            lanes.add(Lane.of(line));
        }
        lanes.forEach(lane -> new Thread(lane::run).start());
    }
}
