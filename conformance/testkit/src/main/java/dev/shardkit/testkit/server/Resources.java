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

/** The objects of a {@link RangeServer}: those that were put, and the files below a directory. Thread-safe. */
final class Resources {
    private final Map<String, Resource> objects = new ConcurrentHashMap<>();
    private final @Nullable Path directory;
    /** An hour ago at first, and a second later with each put, so that Last-Modified distinguishes any two puts. */
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
