package dev.shardkit.it.remote;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.s3.AccessKey;
import dev.shardkit.store.s3.S3Store;
import dev.shardkit.store.s3.S3StoreBuilder;
import dev.shardkit.store.s3.S3StoreFactory;
import dev.shardkit.testing.Child;
import dev.shardkit.testkit.server.VersityServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Reads arrays of int32 in the bucket of an S3 server and counts the requests, in this JVM or another one. */
final class CountedReader {
    private final URI server;

    CountedReader(URI server) {
        this.server = server;
    }

    /**
     * A read.
     *
     * @param hash the hash of the elements
     * @param requests the number of requests
     * @param received the number of bytes in the bodies of the answers
     */
    record Read(int hash, int requests, long received) {
        static Read of(String line) {
            String[] words = line.split(" ");
            return new Read(Integer.parseInt(words[0]), Integer.parseInt(words[1]), Long.parseLong(words[2]));
        }

        @Override
        public String toString() {
            return hash + " " + requests + " " + received;
        }
    }

    private S3StoreBuilder settings(S3StoreBuilder builder) {
        return builder.endpoint(server)
                .region("us-east-1")
                .credentials(AccessKey.of(VersityServer.ACCESS_KEY, VersityServer.SECRET_KEY));
    }

    /** Opens the store at a location. */
    S3Store store(String location) {
        return settings(S3Store.builder(URI.create(location))).build();
    }

    /** Opens an array, reads a region or all of it, and closes it. */
    Read read(String location, Optional<Box> region) {
        AtomicInteger requests = new AtomicInteger();
        AtomicLong received = new AtomicLong();
        Registry registry = Registry.builder()
                .all(Registry.load())
                .store(new S3StoreFactory(builder -> settings(builder).metrics(request -> {
                    requests.incrementAndGet();
                    received.addAndGet(request.received());
                })))
                .build();
        try (ZarrArray array = Zarr.openArray(location, ZarrOptions.defaults().withRegistry(registry))) {
            int[] elements = array.read(region.orElse(array.domain())).ints();
            return new Read(Arrays.hashCode(elements), requests.get(), received.get());
        }
    }

    /** Arguments: the server. Lines: locations. Answers each by a {@link Read}. */
    public static void main(String... args) throws IOException {
        CountedReader reader = new CountedReader(URI.create(args[0]));
        System.out.println("ready");
        BufferedReader lines = Child.input();
        for (String location = lines.readLine(); location != null; location = lines.readLine()) {
            System.out.println(reader.read(location, Optional.empty()));
        }
    }
}
