package dev.shardkit.benchmarks.lab;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.shardkit.spi.error.UnsupportedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The program that the lab (benchmarks/lab) starts to compare shardkit with its peers, other Zarr libraries. Prints a
 * line of JSON when it is ready. Then reads jobs from standard input, one a line ({@link Job}), and prints a line of
 * JSON for each ({@link JobResult}), until standard input ends. The only argument is the name of a
 * {@link ShardkitPeer}.
 */
public final class LabDriver {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private final ShardkitPeer settings;
    private final PrintStream out;

    private LabDriver(ShardkitPeer settings, PrintStream out) {
        this.settings = settings;
        this.out = out;
    }

    /** Runs the driver on standard input and output. */
    public static void main(String[] args) throws IOException {
        PrintStream out = System.out;
        // The lab reads standard output, so only results may go there.
        System.setOut(System.err);
        run(args.length > 0 ? args[0] : ShardkitPeer.ATOMIC.peer(), System.in, out);
    }

    /** Runs the driver of {@code peer} on these streams until {@code in} ends. */
    static void run(String peer, InputStream in, OutputStream out) throws IOException {
        new LabDriver(ShardkitPeer.of(peer), new PrintStream(out, true, StandardCharsets.UTF_8)).serve(in);
    }

    private void serve(InputStream in) throws IOException {
        Map<String, Object> ready = new LinkedHashMap<>();
        ready.put("ready", true);
        ready.put("peer", settings.peer());
        ready.put("version", version());
        out.println(JSON.writeValueAsString(ready));
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        JobRunner runner = new JobRunner(settings);
        for (String line; (line = lines.readLine()) != null; ) {
            if (!line.isBlank()) {
                out.println(JSON.writeValueAsString(respond(runner, line)));
            }
        }
    }

    private static JobResult respond(JobRunner runner, String line) {
        try {
            return runner.run(JSON.readValue(line, Job.class));
        } catch (UnsupportedException | UnsupportedOperationException e) {
            return JobResult.failed(e, JobResult.Kind.UNSUPPORTED);
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            return JobResult.failed(e, JobResult.Kind.FAILED);
        }
    }

    private static String version() {
        String shardkit = dev.shardkit.Zarr.class.getPackage().getImplementationVersion();
        return (shardkit == null ? "" : shardkit + ", ") + "java " + Runtime.version();
    }
}
