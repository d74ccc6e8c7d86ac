package dev.shardkit.store.http;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.StoreListener;
import dev.shardkit.testkit.server.RangeServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** A server with one object of 1 MB on it, and short words for reading. */
@Timeout(300)
abstract class HttpFixture {
    static final RetryPolicy QUICK = new RetryPolicy(4, Duration.ofMillis(1), Duration.ofMillis(4));

    final byte[] value = bytes(1_000_000);
    final RangeServer server = RangeServer.start().put("k", value);

    @AfterEach
    void stop() {
        server.close();
    }

    static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    /** A port that no other program can get, and on which nobody listens, until it is closed. */
    static Socket portWithoutServer() throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
        return socket;
    }

    static URI uriOf(Socket socket) {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    HttpStore store() {
        return HttpStore.builder(server.uri()).retries(QUICK).build();
    }

    static FetchResult fetch(RemoteReads store, String key, ByteRange range, Optional<String> pin) throws Exception {
        try {
            return store.fetch(key, range, pin, StoreListener.NONE).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    static FetchResult.Found found(RemoteReads store, ByteRange range) throws Exception {
        return (FetchResult.Found) fetch(store, "k", range, Optional.empty());
    }

    static ByteRange slice(long offset, long length) {
        return new ByteRange.Slice(offset, length);
    }

    static ByteRange suffix(long length) {
        return new ByteRange.Suffix(length);
    }

    /** The requests so far, as "STATUS RANGE". */
    List<String> asked() {
        return server.log().stream()
                .map(hit -> hit.status() + " " + hit.range().orElse("-"))
                .toList();
    }
}
