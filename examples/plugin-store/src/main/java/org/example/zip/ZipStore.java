package org.example.zip;

import dev.shardkit.store.BlockingLists;
import dev.shardkit.store.Entry;
import dev.shardkit.store.NearReads;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * A store in a ZIP archive, read-only, opened by {@code zip:/path/to/archive.zip}. A plug-in in one class: the object
 * that {@link java.util.ServiceLoader} finds is the factory, its inner class the store.
 *
 * <p>The archive must not change while it is open. Entries are best stored, not deflated: a range of a deflated entry
 * is reached by inflating what lies before it.
 */
public final class ZipStore implements StoreFactory {
    /** For {@link java.util.ServiceLoader}. */
    public ZipStore() {}

    @Override
    public String name() {
        return "zip";
    }

    @Override
    public Store open(URI uri) throws IOException {
        if (!"zip".equals(uri.getScheme()) || uri.getPath() == null) {
            throw new IllegalArgumentException("expected zip:/path/to/archive.zip, found " + uri);
        }
        return new Archive(Path.of(uri.getPath()));
    }

    private static final class Archive implements Store, NearReads, BlockingLists {
        private final Path path;
        private final ZipFile zip;

        Archive(Path path) throws IOException {
            this.path = path;
            this.zip = new ZipFile(path.toFile());
        }

        @Override
        public String describe() {
            return "zip:" + path;
        }

        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public Optional<Snapshot> open(String key) {
            return Optional.ofNullable(zip.getEntry(key))
                    .filter(e -> !e.isDirectory())
                    .map(e -> new Member(zip, e));
        }

        @Override
        public void list(String prefix, Consumer<Entry> entries) {
            String below = prefix.isEmpty() ? "" : prefix + "/";
            TreeMap<String, Entry.Kind> found = new TreeMap<>();
            for (Iterator<? extends ZipEntry> i = zip.entries().asIterator(); i.hasNext(); ) {
                String name = i.next().getName();
                if (name.startsWith(below) && name.length() > below.length()) {
                    String rest = name.substring(below.length());
                    int slash = rest.indexOf('/');
                    found.put(
                            slash < 0 ? rest : rest.substring(0, slash),
                            slash < 0 ? Entry.Kind.OBJECT : Entry.Kind.PREFIX);
                }
            }
            found.forEach((name, kind) -> {
                if (!name.startsWith("__")) {
                    entries.accept(new Entry(name, kind));
                }
            });
        }

        @Override
        public void close() {
            try {
                zip.close();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
    }

    /** An entry; the archive does not change, so its checksum is version enough. */
    private record Member(ZipFile zip, ZipEntry entry) implements Snapshot {
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
        public void close() {}
    }
}
