package dev.shardkit.testkit.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The objects of a {@link RangeServer}: objects that a test has put, and the files below a directory. Thread-safe. */
final class Resources {
    private final Map<String, Resource> objects = new ConcurrentHashMap<>();
    private final @Nullable Path directory;
    /**
     * The time of the last put, for Last-Modified. Begins an hour ago and grows by a second with each put, so any two
     * puts differ.
     */
    private final AtomicLong lastPut =
            new AtomicLong(Instant.now().minus(Duration.ofHours(1)).getEpochSecond());

    Resources(@Nullable Path directory) {
        this.directory = directory;
    }

    void put(String key, byte[] value) {
        put(key, value, Instant.ofEpochSecond(lastPut.incrementAndGet()));
    }

    void put(String key, byte[] value, Instant modified) {
        objects.put(key, Resource.of(value, modified));
    }

    /** Removes an object that was put. */
    void remove(String key) {
        objects.remove(key);
    }

    /** Returns the object or file with this key. */
    Optional<Resource> find(String key) throws IOException {
        Resource put = objects.get(key);
        if (put != null || directory == null) {
            return Optional.ofNullable(put);
        }
        Path file = directory.resolve(key).normalize();
        try {
            return file.startsWith(directory) && Files.isRegularFile(file)
                    ? Optional.of(Resource.of(file))
                    : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }
}
