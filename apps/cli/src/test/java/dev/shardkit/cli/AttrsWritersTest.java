package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several {@code attrs --set} at once. */
@Timeout(300)
class AttrsWritersTest {
    @TempDir
    private Path folder;

    @Test
    void severalAtOnce_loseNoAttribute() throws Exception {
        String array = folder.resolve("g/a").toString();
        Cli.good("group", folder.resolve("g").toString());
        Cli.good("create", array, "--shape", "4", "--data-type", "uint8", "--chunk-shape", "4");
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<Cli.Result>> runs = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                String item = "k" + i + "=" + i;
                runs.add(threads.submit(() -> Cli.run("attrs", array, "--set", item)));
            }
            for (Future<Cli.Result> run : runs) {
                assertEquals(0, run.get().status(), run.get().err());
            }
        } finally {
            threads.shutdownNow();
        }
        assertEquals(40, Cli.good("attrs", array).object().members().size());
    }
}
