package dev.shardkit.store.hadoop;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Listings;
import dev.shardkit.store.OwnNames;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.jspecify.annotations.Nullable;

/**
 * Lists a prefix, one folder after the other, in batches of at most {@link #BATCH} names. Used by one thread at a time.
 */
final class FileListing implements Listings.Names {
    private static final int BATCH = 1000;

    private final BlockingCalls calls;
    private final FileSystem files;
    private final FileSystemKind kind;
    private final Path root;
    private final boolean deep;
    /** Folders that are still to be listed, relative to the root. */
    private final Deque<String> pending = new ArrayDeque<>(List.of(""));

    /** The folder that is being listed, relative to the root. */
    private String folder = "";
    /** The names in {@code folder} that are still to be returned; null if no folder is open. */
    private @Nullable RemoteIterator<FileStatus> names;

    private volatile CompletableFuture<?> running = CompletableFuture.completedFuture("");

    FileListing(BlockingCalls calls, FileSystem files, FileSystemKind kind, Path root, Listings.Depth depth) {
        this.calls = calls;
        this.files = files;
        this.kind = kind;
        this.root = root;
        this.deep = depth == Listings.Depth.ALL;
    }

    @Override
    public CompletableFuture<List<Entry>> next() {
        CompletableFuture<List<Entry>> batch = calls.make(this::batch);
        running = batch;
        return batch;
    }

    /** Returns the next names; none at the end of the listing. */
    private List<Entry> batch() {
        List<Entry> batch = new ArrayList<>();
        try {
            while (batch.size() < BATCH && openNext()) {
                while (batch.size() < BATCH && names.hasNext()) {
                    add(names.next(), batch);
                }
                if (batch.size() < BATCH) { // the folder has no more names
                    names = null;
                }
            }
        } catch (IOException | RuntimeException e) {
            throw HadoopErrors.of("listing", path(folder), e);
        }
        return batch;
    }

    /** Opens the next existing folder, unless one is open. Returns false at the end. */
    private boolean openNext() throws IOException {
        while (names == null && !pending.isEmpty()) {
            folder = pending.pop();
            try {
                if (!folder.isEmpty() || files.getFileStatus(root).isDirectory()) {
                    names = files.listStatusIterator(path(folder));
                }
            } catch (IOException e) {
                if (!HadoopErrors.isAbsence(e)) {
                    throw e;
                }
            }
        }
        return names != null;
    }

    private Path path(String relative) {
        Path path = root;
        for (String name : relative.isEmpty() ? new String[0] : relative.split("/")) {
            path = child(path, name);
        }
        return path;
    }

    /**
     * Returns the path of a name in a folder. The path is not parsed from text, because Hadoop takes the text before a
     * colon for a scheme.
     */
    static Path child(Path folder, String name) {
        String parent = folder.toUri().getPath();
        return new Path(
                folder.toUri().getScheme(),
                folder.toUri().getAuthority(),
                parent.endsWith("/") ? parent + name : parent + "/" + name);
    }

    /** Adds a file or folder to a batch, or a folder to {@link #pending}. Skips names that are not in listings. */
    private void add(FileStatus file, List<Entry> batch) {
        String name = file.getPath().getName();
        if (OwnNames.isOwn(name) || name.chars().allMatch(c -> c == '.')) {
            return;
        }
        String child = StoreKeys.join(folder, name);
        if (file.isDirectory()) {
            if (deep) {
                pending.push(child);
            } else {
                batch.add(new Entry(child, Entry.Kind.PREFIX));
            }
        } else if (file.isSymlink()) {
            batch.add(new Entry(child, Entry.Kind.OTHER));
        } else {
            batch.add(new Entry(
                    child, Entry.Kind.OBJECT, OptionalLong.of(file.getLen()), Optional.of(kind.version(file))));
        }
    }

    @Override
    public void close() {
        running.cancel(true);
    }
}
