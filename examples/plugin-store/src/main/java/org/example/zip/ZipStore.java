package org.example.zip;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.BlockingListings;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Entry;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.OwnNames;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.policy.Durability;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * An example of a local store as a plug-in: a ZIP archive, opened by {@code zip:/path/to/archive.zip}. This class is
 * the factory that {@link java.util.ServiceLoader} finds; its nested class is the store.
 *
 * <p>The store can read, write, list, and delete trees. A snapshot of an object is an open archive. The store has
 * neither locks nor conditional puts, so only one program may write an array in it. Each write copies the whole archive
 * and replaces it. This suits results that are written once, and is slow for everything else.
 */
public final class ZipStore implements StoreFactory {
    /** For {@link java.util.ServiceLoader}. */
    public ZipStore() {}

    @Override
    public String name() {
        return "zip";
    }

    @Override
    public Store open(URI uri) {
        if (!"zip".equals(uri.getScheme()) || uri.getPath() == null) {
            throw new IllegalArgumentException("expected zip:/path/to/archive.zip, found " + uri);
        }
        return new Archive(Path.of(uri.getPath()).toAbsolutePath());
    }

    private static final class Archive implements Store, LocalReads, BlockingWrites, BlockingListings, TreeDeletions {
        private final Path path;

        Archive(Path path) {
            this.path = path;
        }

        @Override
        public String describe() {
            return "zip:" + path;
        }

        @Override
        public Reads reads() {
            return this;
        }

        /** Rejects invalid keys before they reach an archive. */
        private static String checked(String key) {
            boolean isText = StandardCharsets.UTF_8.newEncoder().canEncode(key) && key.indexOf(0) < 0;
            for (String name : List.of(key.split("/", -1))) {
                if (!isText || name.matches("\\.*")) { // no name is empty or has only dots
                    throw new IllegalArgumentException("not a key: " + key);
                }
            }
            return key;
        }

        @Override
        public Optional<ObjectSnapshot> open(String key) throws IOException {
            checked(key);
            ZipFile zip;
            try {
                zip = new ZipFile(path.toFile());
            } catch (NoSuchFileException e) {
                return Optional.empty();
            }
            ZipEntry entry = zip.getEntry(key);
            if (entry == null || entry.isDirectory()) {
                zip.close();
                return Optional.empty();
            }
            return Optional.of(new Member(zip, entry));
        }

        @Override
        public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                throws IOException {
            checked(key);
            rewrite(name -> name.equals(key), Optional.of(new Put(key, content)), durability);
            return WriteResult.DONE;
        }

        @Override
        public WriteResult deleteNow(String key, Condition condition) throws IOException {
            checked(key);
            return rewrite(name -> name.equals(key), Optional.empty(), Durability.ATOMIC)
                    ? WriteResult.DONE
                    : WriteResult.NOTHING;
        }

        @Override
        public void deleteAll(String prefix) throws IOException {
            String below = below(prefix);
            rewrite(name -> name.startsWith(below), Optional.empty(), Durability.ATOMIC);
        }

        /** An object to add to the archive. */
        private record Put(String key, Content content) {}

        /**
         * Replaces the archive by a copy without the {@code dropped} entries and with the {@code added} one. Returns
         * whether it dropped an entry.
         */
        private synchronized boolean rewrite(Predicate<String> dropped, Optional<Put> added, Durability durability)
                throws IOException {
            List<String> names = names();
            boolean drops = names.stream().anyMatch(dropped);
            if (!drops && added.isEmpty()) {
                return false;
            }
            Files.createDirectories(path.getParent());
            Path copy = Files.createTempFile(path.getParent(), "zip", ".tmp");
            try {
                try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(copy))) {
                    names.removeIf(dropped);
                    copy(names, out);
                    if (added.isPresent()) {
                        put(added.get(), out);
                    }
                }
                if (durability == Durability.FORCED) {
                    try (FileChannel file = FileChannel.open(copy, StandardOpenOption.WRITE)) {
                        file.force(true);
                    }
                }
                Files.move(copy, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(copy); // only after a failure is it still there
            }
            return drops;
        }

        /** Copies entries of the archive to a new one. */
        private void copy(List<String> names, ZipOutputStream out) throws IOException {
            if (names.isEmpty()) {
                return;
            }
            try (ZipFile old = new ZipFile(path.toFile())) {
                for (String name : names) {
                    out.putNextEntry(new ZipEntry(name));
                    try (InputStream in = old.getInputStream(old.getEntry(name))) {
                        in.transferTo(out);
                    }
                }
            }
        }

        /** Adds an entry to a new archive. Refuses content of another size than it claims. */
        private static void put(Put put, ZipOutputStream out) throws IOException {
            out.putNextEntry(new ZipEntry(put.key()));
            WritableByteChannel channel = Channels.newChannel(out);
            long[] written = new long[1]; // counted, to compare it with the size that the content claims
            put.content().writeTo(new WritableByteChannel() {
                @Override
                public int write(ByteBuffer bytes) throws IOException {
                    int count = channel.write(bytes);
                    written[0] += count;
                    return count;
                }

                @Override
                public boolean isOpen() {
                    return true;
                }

                @Override
                public void close() {}
            });
            if (written[0] != put.content().size()) {
                throw new StoreException(
                        "expected " + put.content().size() + " bytes for " + put.key() + ", found " + written[0]);
            }
        }

        /** Returns the names of all entries; none if there is no archive yet. */
        private List<String> names() throws IOException {
            List<String> names = new ArrayList<>();
            try (ZipFile zip = new ZipFile(path.toFile())) {
                zip.stream().filter(e -> !e.isDirectory()).forEach(e -> names.add(e.getName()));
            } catch (NoSuchFileException e) {
                return names;
            }
            return names;
        }

        /** Returns the beginning of all keys below a prefix. */
        private static String below(String prefix) {
            return prefix.isEmpty() ? "" : checked(prefix) + "/";
        }

        @Override
        public void list(String prefix, Consumer<Entry> entries) throws IOException {
            String below = below(prefix);
            TreeMap<String, Entry.Kind> found = new TreeMap<>();
            for (String name : names()) {
                if (name.startsWith(below)) {
                    String rest = name.substring(below.length());
                    int slash = rest.indexOf('/');
                    found.put(
                            slash < 0 ? rest : rest.substring(0, slash),
                            slash < 0 ? Entry.Kind.OBJECT : Entry.Kind.PREFIX);
                }
            }
            found.forEach((name, kind) -> {
                if (!OwnNames.isOwn(name)) { // listings leave out names that shardkit reserves
                    entries.accept(new Entry(name, kind));
                }
            });
        }
    }

    /** An entry of the open archive. The checksum and the size of its content serve as its version. */
    private record Member(ZipFile zip, ZipEntry entry) implements ObjectSnapshot {
        @Override
        public String version() {
            return entry.getCrc() + "-" + entry.getSize();
        }

        @Override
        public long size() {
            return entry.getSize();
        }

        @Override
        public void read(long offset, ByteBuffer into) throws IOException {
            if (offset < 0 || offset > size() - into.remaining()) {
                throw new EOFException("entry " + entry.getName() + " has " + size() + " bytes");
            }
            byte[] bytes = new byte[into.remaining()];
            try (InputStream in = zip.getInputStream(entry)) {
                in.skipNBytes(offset);
                if (in.readNBytes(bytes, 0, bytes.length) < bytes.length) {
                    throw new EOFException("entry " + entry.getName() + " ends early");
                }
            }
            into.put(bytes);
        }

        @Override
        public void close() throws IOException {
            zip.close();
        }
    }
}
