package dev.shardkit.benchmarks.readers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The lab's file server (benchmarks/lab/server.go) as a process of its own: latency, a shared bandwidth, counters. */
final class LabServer implements AutoCloseable {
    private final Process process;
    private final String url;

    LabServer(Path program, Path root) throws IOException {
        process = new ProcessBuilder(program.toString(), "-root", root.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        url = "http://127.0.0.1:" + out.readLine();
    }

    /** Returns a URL of {@code name} below the root, whose answers begin after {@code latencyMs} milliseconds. */
    String at(int latencyMs, String name) {
        return url + "/l" + latencyMs + "/" + name;
    }

    /** Returns such a URL, whose answers share {@code bytesPerSecond}. */
    String at(int latencyMs, long bytesPerSecond, String name) {
        return url + "/l" + latencyMs + "b" + bytesPerSecond + "/" + name;
    }

    /** Begins to count at zero. */
    void reset() throws IOException {
        get("/_reset");
    }

    /** Returns the counters. */
    JsonNode stats() throws IOException {
        return get("/_stats");
    }

    private JsonNode get(String path) throws IOException {
        return new ObjectMapper().readTree(URI.create(url + path).toURL());
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.destroy();
    }
}
