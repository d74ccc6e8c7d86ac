package dev.shardkit.http;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.store.http.HttpStoreBuilder;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testing.Values;
import dev.shardkit.testkit.server.FaultServer;
import dev.shardkit.testkit.server.RangeServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/** An array, written to memory and served over HTTP. */
public final class Served implements AutoCloseable {
    /** Where the array lies. */
    public static final String PATH = "some/array";

    private final MemoryStore memory = MemoryStore.create();
    private final RangeServer server = RangeServer.start();
    private final ZarrArray written;
    private final List<HttpStore> stores = new ArrayList<>();

    private Served(ArraySpec spec) {
        written = Zarr.createArray(memory, PATH, spec, IfExists.REFUSE, ZarrOptions.defaults());
    }

    /** An array of nothing but the fill value. */
    public static Served empty(ArraySpec spec) {
        Served served = new Served(spec);
        served.publish();
        return served;
    }

    /** An array of nothing but the fill value, of which nothing is served yet. */
    public static Served unpublished(ArraySpec spec) {
        return new Served(spec);
    }

    /** An int16 or uint16 array of noise. */
    public static Served noise(ArraySpec spec) {
        Served served = new Served(spec);
        served.written.write(served.written.domain(), Values.noise(served.written, 1), 0);
        served.publish();
        return served;
    }

    /** The array as it is in memory; writing to it does not change what is served. */
    public ZarrArray written() {
        return written;
    }

    public RangeServer server() {
        return server;
    }

    /** Serves the array as it is in memory now. */
    public void publish() {
        publish("zarr.json");
        long[] cells = written.storage().gridShape();
        Box all = Box.of(cells);
        for (long i = 0; i < all.count(); i++) {
            publish(written.storage().key(all.at(i)).substring(PATH.length() + 1));
        }
    }

    /** Serves one object as it is in memory now. */
    public void publish(String name) {
        publish(name, server::put);
    }

    /** Serves one object as it is in memory now, last modified at {@code modified}. */
    public void publish(String name, Instant modified) {
        publish(name, (key, bytes) -> server.put(key, bytes, modified));
    }

    /** Serves one object as it is in memory now, with {@code more} zeros behind it. */
    public void lengthen(String name, int more) {
        publish(name, (key, bytes) -> server.put(key, Arrays.copyOf(bytes, bytes.length + more)));
    }

    /** Puts the array as it is in memory now on another server. */
    public void copyTo(FaultServer other) {
        publish("zarr.json", other::put);
        Box all = Box.of(written.storage().gridShape());
        for (long i = 0; i < all.count(); i++) {
            publish(written.storage().key(all.at(i)).substring(PATH.length() + 1), other::put);
        }
    }

    private void publish(String name, BiConsumer<String, byte[]> put) {
        String key = PATH + "/" + name;
        try (ObjectSnapshot object = memory.open(key).orElse(null)) {
            if (object == null) {
                server.remove(key);
                return;
            }
            byte[] bytes = new byte[Math.toIntExact(object.size())];
            object.read(0, ByteBuffer.wrap(bytes));
            put.accept(key, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A store of the server, which counts on what it has seen for as long as any test takes. */
    public HttpStore store(UnaryOperator<HttpStoreBuilder> settings) {
        HttpStore store = settings.apply(HttpStore.builder(server.uri()).freshFor(Duration.ofHours(1)))
                .build();
        stores.add(store);
        return store;
    }

    /** The array over HTTP, opened anew; the log begins behind that. */
    public ZarrArray open(ZarrOptions options) {
        return open(options, b -> b);
    }

    /** The array over HTTP, opened anew; the log begins behind that. */
    public ZarrArray open(ZarrOptions options, UnaryOperator<HttpStoreBuilder> settings) {
        ZarrArray array = Zarr.openArray(store(settings), PATH, options);
        server.clearLog();
        return array;
    }

    /** What was asked since: method and range of each request, "all" for no range. */
    public List<String> asked() {
        return server.log().stream()
                .map(h -> h.method() + " " + h.range().orElse("all"))
                .toList();
    }

    @Override
    public void close() {
        stores.forEach(HttpStore::close);
        server.close();
    }
}
