package dev.shardkit.store.file.lock;

import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one channel to each lock file that is open in this JVM. On POSIX systems, closing <em>any</em> channel to a
 * file drops all locks that the process holds on the file. So all stores share one channel to a lock file, and its last
 * user closes it.
 *
 * <p>Several class loaders may each load a copy of this class. They share one table, which therefore consists of JDK
 * types only. It is the value of a system property that exists while a lock file is in use. Its keys are identities of
 * files instead of paths, because a file may be mounted twice. Thread-safe.
 */
public final class LockRegistry {
    /** The name of the property. The string is interned, so it is also one monitor for all class loaders. */
    private static final String NAME = "dev.shardkit.store.file.locks";
    /** The key of the entry that counts the users of the registry and holds channels to files without an identity. */
    private static final Object ALL = "all";

    /** The registry in use. It is kept here, too, because a program may replace the system properties. */
    private static @Nullable LockRegistry current;

    /** The channels and the number of users of each file. All channels of an entry stay open until its last user. */
    private final Map<Object, Map.Entry<List<AsynchronousFileChannel>, AtomicInteger>> files;

    private LockRegistry(Map<Object, Map.Entry<List<AsynchronousFileChannel>, AtomicInteger>> files) {
        this.files = files;
    }

    /** Returns the registry, which exists at least until {@link #leave}. */
    static LockRegistry enter() {
        synchronized (NAME) {
            LockRegistry registry = find().orElseGet(() -> new LockRegistry(new ConcurrentHashMap<>()));
            registry.files.computeIfAbsent(ALL, key -> users(0)).getValue().incrementAndGet();
            current = registry;
            properties().ifPresent(properties -> properties.putIfAbsent(NAME, registry.files));
            return registry;
        }
    }

    /** Releases one use of the registry. The last release closes the remaining channels. */
    void leave() throws IOException {
        synchronized (NAME) {
            Map.Entry<List<AsynchronousFileChannel>, AtomicInteger> shared = files.get(ALL);
            if (shared.getValue().decrementAndGet() > 0) {
                return;
            }
            files.remove(ALL);
            current = null;
            properties().ifPresent(properties -> properties.remove(NAME, files));
            closeAll(shared.getKey());
        }
    }

    /**
     * Adds a user to an open file and returns the file's channel; the inner value is empty if the file system has no
     * locks. The outer value is empty if the file is not open.
     */
    Optional<Optional<AsynchronousFileChannel>> join(Object key) {
        return Optional.ofNullable(files.computeIfPresent(key, (sameKey, users) -> {
                    users.getValue().incrementAndGet();
                    return users;
                }))
                .map(LockRegistry::first);
    }

    /**
     * Adds a user that has opened a file with {@code channel}. Returns the channel to use, which may be an older one.
     */
    Optional<AsynchronousFileChannel> add(Object key, @Nullable AsynchronousFileChannel channel) {
        return first(files.compute(key, (sameKey, old) -> {
            Map.Entry<List<AsynchronousFileChannel>, AtomicInteger> users = old == null ? users(0) : old;
            if (channel != null) {
                users.getKey().add(channel);
            }
            users.getValue().incrementAndGet();
            return users;
        }));
    }

    /** Ends one use of a file. Created in advance, because memory may have run out when it is needed. */
    static final class Leaving
            implements BiFunction<
                    Object,
                    Map.Entry<List<AsynchronousFileChannel>, AtomicInteger>,
                    Map.Entry<List<AsynchronousFileChannel>, AtomicInteger>> {
        private @Nullable IOException failure;

        /** Removes a user of a file; the last one closes its channels, even if one of them fails. */
        @Override
        public Map.@Nullable Entry<List<AsynchronousFileChannel>, AtomicInteger> apply(
                Object key, Map.Entry<List<AsynchronousFileChannel>, AtomicInteger> users) {
            if (users.getValue().decrementAndGet() > 0) {
                return users;
            }
            try {
                closeAll(users.getKey());
            } catch (IOException e) {
                failure = e;
            } catch (OutOfMemoryError e) {
                // The entry is removed nevertheless: it must not stay with a closed channel.
            }
            return null;
        }
    }

    /** Removes a user of a file. */
    void remove(Object key, Leaving leaving) throws IOException {
        // The file is closed within the map's atomic step, so that no store reopens it before: closing it then would
        // drop that store's locks.
        files.computeIfPresent(key, leaving);
        if (leaving.failure != null) {
            throw leaving.failure;
        }
    }

    /** Keeps a channel open until no lock file is in use. For channels to files whose identity is unknown. */
    void keep(AsynchronousFileChannel channel) {
        synchronized (NAME) {
            files.get(ALL).getKey().add(channel);
        }
    }

    /**
     * Claims a file, such as a journal, that one user opens, locks and closes. Returns false if another user in the JVM
     * has claimed it.
     */
    public static boolean claim(Path path) throws IOException {
        LockRegistry registry = enter();
        boolean isClaimed = registry.files.putIfAbsent(claimed(path), users(1)) == null;
        if (!isClaimed) {
            registry.leave();
        }
        return isClaimed;
    }

    /** Releases the claim of a file, if there is one. */
    public static void release(Path path) throws IOException {
        Optional<LockRegistry> registry;
        synchronized (NAME) {
            registry = find();
        }
        if (registry.isPresent() && registry.get().files.remove(claimed(path)) != null) {
            registry.get().leave();
        }
    }

    /** An action that opens and closes a file. */
    public interface Use {
        void run() throws IOException;
    }

    /** Runs the action while no user in the JVM can claim the file. Does nothing if a user has claimed it. */
    public static void whileUnclaimed(Path path, Use use) throws IOException {
        LockRegistry registry = enter();
        List<IOException> failures = new ArrayList<>();
        try {
            // The action runs within the map's atomic step, so no user claims and locks the file before it is closed:
            // closing it then would drop the lock.
            registry.files.computeIfAbsent(claimed(path), key -> {
                try {
                    use.run();
                } catch (IOException e) {
                    failures.add(e);
                }
                return null;
            });
        } finally {
            registry.leave();
        }
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }

    /** Returns the key of a claim: a path, because a claimed file may not exist yet. */
    private static Object claimed(Path path) {
        return path.getFileSystem() == FileSystems.getDefault() ? path.toString() : path;
    }

    /** Returns whether the file at a path is a lock file in use, to which no other channel may be opened and closed. */
    public static boolean isInUse(Path path, @Nullable Object fileKey) {
        Optional<LockRegistry> registry;
        synchronized (NAME) {
            registry = find();
        }
        if (registry.isEmpty()) {
            return false;
        }
        Set<Object> keys = registry.get().files.keySet();
        Object key = key(path, fileKey);
        // Without an identity, the lock file's key also has its mark (markedKey), so only the path is compared.
        return fileKey != null
                ? keys.contains(key)
                : keys.stream()
                        .anyMatch(used ->
                                used instanceof List<?> marked && marked.get(0).equals(key));
    }

    /**
     * Returns the key of a lock file on a file system without identities.
     *
     * @param mark the random text at the beginning of the lock file ({@link SharedLockFile})
     */
    static Object markedKey(Path path, String mark) {
        return List.of(key(path, null), mark);
    }

    /** Returns the key of the file at a path. */
    static Object key(Path path, @Nullable Object fileKey) {
        boolean isDefault = path.getFileSystem() == FileSystems.getDefault();
        Object key = fileKey != null ? fileKey : isDefault ? "file " + path : path;
        // Identities of another file system are unique only within it.
        return isDefault ? key : List.of(path.getFileSystem(), key);
    }

    @SuppressWarnings("unchecked") // only copies of this class set the property
    private static Optional<LockRegistry> find() {
        return Optional.ofNullable(current)
                .filter(registry -> registry.files.containsKey(ALL))
                .or(() -> properties()
                        .map(properties -> properties.get(NAME))
                        .filter(Map.class::isInstance)
                        .map(files -> new LockRegistry(
                                (Map<Object, Map.Entry<List<AsynchronousFileChannel>, AtomicInteger>>) files)));
    }

    private static Optional<Properties> properties() {
        try {
            return Optional.of(System.getProperties());
        } catch (SecurityException e) {
            return Optional.empty(); // then each class loader has its own registry
        }
    }

    private static Map.Entry<List<AsynchronousFileChannel>, AtomicInteger> users(int count) {
        return new SimpleEntry<>(new CopyOnWriteArrayList<>(), new AtomicInteger(count));
    }

    private static Optional<AsynchronousFileChannel> first(
            Map.Entry<List<AsynchronousFileChannel>, AtomicInteger> users) {
        return users.getKey().stream().findFirst();
    }

    private static void closeAll(List<AsynchronousFileChannel> channels) throws IOException {
        IOException failure = null;
        for (int i = 0; i < channels.size(); i++) { // an iterator would need memory
            try {
                channels.get(i).close();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
