package dev.shardkit.benchmarks.readers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Runs the lab's file server (benchmarks/lab/server.go) as a process. The server simulates latency and a shared
 * bandwidth, which clients choose by the URL, and counts requests and bytes.
 */
final class LabServer implements AutoCloseable {
    private final Process process;
    private final String url;

    LabServer(Path program, Path root) throws IOException {
        process = new ProcessBuilder(program.toString(), "-root", root.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        url = "http://127.0.0.1:" + out.readLine(); // the server prints its port
    }

    /** Returns the URL of a file below the root whose responses begin after {@code latencyMs} milliseconds. */
    String at(int latencyMs, String name) {
        return url + "/l" + latencyMs + "/" + name;
    }

    /**
     * Returns the URL of a file whose responses are delayed and together have a bandwidth of {@code bytesPerSecond}.
     */
    String at(int latencyMs, long bytesPerSecond, String name) {
        return url + "/l" + latencyMs + "b" + bytesPerSecond + "/" + name;
    }

    /** Sets the counters to zero. */
    void reset() throws IOException {
        get("/_reset");
    }

    /** Returns the counters since the last reset: {@code Requests}, {@code DataBytes} and others. */
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
