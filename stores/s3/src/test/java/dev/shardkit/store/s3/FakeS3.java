package dev.shardkit.store.s3;

import dev.shardkit.store.cloudtest.ScriptedServer;
import dev.shardkit.store.http.RetryPolicy;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A server that gives prepared answers of S3, in order, and remembers the requests. */
final class FakeS3 implements AutoCloseable {
    private final ScriptedServer server = new ScriptedServer();
    final List<ScriptedServer.Seen> seen = server.seen;

    URI uri() {
        return server.uri();
    }

    /** Returns a builder for a store with key, region and short pauses. */
    S3StoreBuilder builder() {
        return S3Store.builder(URI.create("s3://bucket/root"))
                .endpoint(uri())
                .region("eu-central-1")
                .credentials(AccessKey.of("AKIDEXAMPLE", "wJalrXUtnFEMI/SECRET"))
                .retries(new RetryPolicy(4, Duration.ofMillis(1), Duration.ofMillis(2)));
    }

    /** Adds an answer; status 0 breaks the connection. */
    FakeS3 then(int status, Map<String, String> headers, String body) {
        server.then(status, headers, body);
        return this;
    }

    /** Adds an answer that depends on the requests so far. */
    FakeS3 then(Function<List<ScriptedServer.Seen>, ScriptedServer.Answer> answer) {
        server.then(answer);
        return this;
    }

    /** Adds an answer with an error code, or without a body if the code is empty. */
    FakeS3 then(int status, String code) {
        return then(
                status,
                Map.of("x-amz-request-id", "R" + status),
                code.isEmpty()
                        ? ""
                        : "<?xml version=\"1.0\"?><Error><Code>" + code + "</Code><Message>about " + code
                                + "</Message><Region>eu-west-3</Region></Error>");
    }

    @Override
    public void close() {
        server.close();
    }
}
