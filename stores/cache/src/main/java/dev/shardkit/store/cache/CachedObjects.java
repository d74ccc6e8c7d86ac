package dev.shardkit.store.cache;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.filesystem.DirectoryOpener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The cached objects of one store in a folder: {@code objects/xx/HASH.state} holds the last known state of an object,
 * {@code objects/xx/HASH/VERSION-OFFSET-LENGTH} holds a range. Reads and writes never fail: a file that cannot be read
 * counts as missing, and bytes that cannot be written are not kept. Thread-safe.
 */
final class CachedObjects {
    private static final Pattern RANGE = Pattern.compile("([0-9a-f]{16})-([0-9]{1,18})-([0-9]{1,18})");
    private static final String STATE = ".state";
    private static final int HASH_DIGITS = 40;
    private static final int VERSION_DIGITS = 16;

    private final CacheFolder folder;
    private final String identity;
    private final long limit;
    private final Counters counters;

    CachedObjects(CacheFolder folder, String identity, long limit, Counters counters) {
        this.folder = folder;
        this.identity = identity.replaceAll("/+$", "");
        this.limit = limit;
        this.counters = counters;
    }

    /**
     * Returns the name of an object: the store's identity and the key. So a store of a folder and a store of a folder
     * inside it share their common objects.
     */
    private String name(String key) {
        return StoreKeys.join(identity, key);
    }

    static String hash(String text, int digits) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, digits);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Returns the folder of an object's ranges. */
    private Path ranges(String key) {
        String hash = hash(name(key), HASH_DIGITS);
        return folder.root()
                .resolve(CacheFolder.OBJECTS)
                .resolve(hash.substring(0, 2))
                .resolve(hash);
    }

    private static Path file(Path ranges, String version, ByteRange.Slice range) {
        return ranges.resolve(hash(version, VERSION_DIGITS) + "-" + range.offset() + "-" + range.length());
    }

    private static Path stateFile(Path ranges) {
        return ranges.resolveSibling(ranges.getFileName() + STATE);
    }

    /** Returns the last known state of the object; empty if it is not known. */
    Optional<CachedState> state(String key) {
        Path file = stateFile(ranges(key));
        try {
            Optional<byte[]> bytes = readState(file);
            if (bytes.isEmpty()) {
                return Optional.empty();
            }
            recordUse(file);
            Optional<CachedState> state = CachedState.of(bytes.get(), name(key));
            if (state.isEmpty()) {
                damaged(file);
            }
            return state;
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private Optional<byte[]> readState(Path file) throws IOException {
        if (!folder.isReached(file.getParent())) {
            return Optional.empty();
        }
        Optional<FileChannel> opened = folder.open(file);
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        try (FileChannel in = opened.get()) {
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(in.size(), CachedState.MAX));
            while (bytes.hasRemaining() && in.read(bytes) >= 0) {
                continue;
            }
            return Optional.of(Arrays.copyOf(bytes.array(), bytes.position()));
        }
    }

    private static void recordUse(Path file) {
        CacheFolder.attributes(file).ifPresent(a -> DiskSpace.touch(file, a.lastModifiedTime()));
    }

    private void damaged(Path file) {
        counters.damaged.increment();
        CacheFolder.remove(file);
    }

    /** Stores the current state of the object. Removes ranges of other versions. */
    void learn(String key, CachedState state) {
        Optional<CachedState> known = state(key);
        if (known.filter(state::equals).isPresent()) {
            return;
        }
        Path ranges = ranges(key);
        Optional<String> hash = state.version().map(v -> hash(v, VERSION_DIGITS));
        if (known.isPresent() || state.isAbsent()) {
            drop(ranges, name -> hash.filter(name::startsWith).isEmpty());
        }
        byte[] file = state.encoded(name(key));
        if (file.length <= CachedState.MAX) {
            put(stateFile(ranges), file.length, out -> out.write(ByteBuffer.wrap(file)));
        }
    }

    /** Stores a file, if there is space; returns whether it did. */
    private boolean put(Path file, long size, CacheFolder.Writer content) {
        try {
            if (folder.space().reserve(size, limit)) {
                folder.put(file, content);
                return true;
            }
        } catch (IOException | SecurityException | UnsupportedOperationException e) {
            counters.notCached.increment();
            return false;
        }
        counters.notCached.increment();
        return false;
    }

    /** Caches a range of a version, and the state of the object that the range shows. */
    void keep(String key, String version, long size, ByteRange.Slice range, Bytes bytes) {
        learn(key, new CachedState(Optional.of(version), size));
        RangeFile format = new RangeFile(name(key), version, size, range);
        if (range.length() == 0 || range.length() > RangeFile.MAX) {
            return;
        }
        if (put(file(ranges(key), version, range), format.bytes(), out -> format.write(out, bytes))) {
            counters.bytesKept.add(range.length());
        }
    }

    /** Returns the cover of {@code requested} by the cached ranges of a version. */
    RangeCover coverOf(String key, String version, ByteRange.Slice requested) {
        if (requested.length() == 0) {
            return new RangeCover(List.of(), List.of());
        }
        Path ranges = ranges(key);
        if (!folder.isReached(ranges)) {
            return RangeCover.of(requested, List.of());
        }
        if (CacheFolder.isFile(file(ranges, version, requested))) {
            return RangeCover.by(requested, requested);
        }
        String hash = hash(version, VERSION_DIGITS);
        List<ByteRange.Slice> cachedRanges = new ArrayList<>();
        names(ranges, name -> {
            Matcher range = RANGE.matcher(name);
            if (range.matches() && range.group(1).equals(hash)) {
                cachedRanges.add(new ByteRange.Slice(Long.parseLong(range.group(2)), Long.parseLong(range.group(3))));
            }
        });
        return RangeCover.of(requested, cachedRanges);
    }

    private interface Names {
        void accept(String name);
    }

    private static void names(Path ranges, Names names) {
        try (DirectoryStream<Path> files = DirectoryOpener.open(ranges, LinkOption.NOFOLLOW_LINKS)) {
            files.forEach(file -> names.accept(file.getFileName().toString()));
        } catch (IOException | DirectoryIteratorException e) {
            return; // files that were not listed count as missing
        }
    }

    /** Returns the bytes of a complete cover; empty if a file is missing or damaged. */
    Optional<List<Bytes>> read(String key, CachedState state, RangeCover cover) {
        List<Bytes> parts = new ArrayList<>();
        for (RangeCover.Part part : cover.parts()) {
            Optional<Bytes> bytes = read(key, state, part);
            if (bytes.isEmpty()) {
                return Optional.empty();
            }
            parts.add(bytes.get());
        }
        return Optional.of(parts);
    }

    private Optional<Bytes> read(String key, CachedState state, RangeCover.Part part) {
        String version = state.version().orElseThrow();
        Path file = file(ranges(key), version, part.cachedRange());
        try {
            Optional<FileChannel> opened = folder.open(file);
            if (opened.isEmpty()) {
                return Optional.empty();
            }
            Optional<Bytes> bytes;
            try (FileChannel in = opened.get()) {
                bytes = new RangeFile(name(key), version, state.size(), part.cachedRange()).read(in, part.usedRange());
            }
            if (bytes.isEmpty()) {
                damaged(file);
            } else {
                recordUse(file);
                counters.bytesFromCache.add(part.usedRange().length());
            }
            return bytes;
        } catch (IOException e) { // also after an interrupt, so the file is not damaged
            return Optional.empty();
        }
    }

    /** Removes the state and all ranges of an object. */
    void drop(String key) {
        Path ranges = ranges(key);
        if (folder.isReached(ranges.getParent())) {
            CacheFolder.remove(stateFile(ranges));
            drop(ranges, name -> true);
        }
    }

    private void drop(Path ranges, Predicate<String> matches) {
        if (folder.isReached(ranges)) {
            names(ranges, name -> {
                if (matches.test(name)) {
                    CacheFolder.remove(ranges.resolve(name));
                }
            });
            CacheFolder.remove(ranges); // if it is empty
        }
    }

    /** Removes the states and ranges of all objects below a prefix. Visits all cached objects. */
    void dropBelow(String prefix) {
        String start = StoreKeys.prefix(StoreKeys.join(identity, prefix));
        Path objects = folder.root().resolve(CacheFolder.OBJECTS);
        if (folder.isReached(objects)) {
            names(objects, group -> dropBelow(objects.resolve(group), start));
        }
    }

    private void dropBelow(Path group, String start) {
        if (!folder.isReached(group)) {
            return;
        }
        names(group, name -> {
            Path file = group.resolve(name);
            if (name.endsWith(STATE) && isBelow(file, start)) {
                CacheFolder.remove(file);
                drop(group.resolve(name.substring(0, name.length() - STATE.length())), fileName -> true);
            }
        });
    }

    private boolean isBelow(Path state, String start) {
        try {
            return readState(state)
                    .flatMap(CachedState::name)
                    .filter(n -> n.startsWith(start))
                    .isPresent();
        } catch (IOException e) {
            return false;
        }
    }
}
