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
 * Runs shardkit as a peer in the lab. Prints one line when it is ready, then one line of JSON for each job on standard
 * input, until standard input ends. The only argument is the peer's name, see {@link ShardkitPeer}.
 */
public final class LabDriver {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private final ShardkitPeer mode;
    private final PrintStream out;

    private LabDriver(ShardkitPeer mode, PrintStream out) {
        this.mode = mode;
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
        ready.put("peer", mode.peer());
        ready.put("version", version());
        out.println(JSON.writeValueAsString(ready));
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        JobRunner work = new JobRunner(mode);
        for (String line; (line = lines.readLine()) != null; ) {
            if (!line.isBlank()) {
                out.println(JSON.writeValueAsString(answer(work, line)));
            }
        }
    }

    private static JobResult answer(JobRunner work, String line) {
        try {
            return work.run(JSON.readValue(line, Job.class));
        } catch (UnsupportedException | UnsupportedOperationException e) {
            return JobResult.failed(e, JobResult.Kind.UNSUPPORTED);
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            return JobResult.failed(e, JobResult.Kind.FAILED);
        }
    }

    private static String version() {
        String ours = dev.shardkit.Zarr.class.getPackage().getImplementationVersion();
        return (ours == null ? "" : ours + ", ") + "java " + Runtime.version();
    }
}
