package dev.shardkit.store.hadoop;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.store.Leftover;
import dev.shardkit.store.OwnNames;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** Visits or deletes all files below a prefix by calls that block. */
record FileTrees(FileSystem files, HadoopBlockingWrites writes, HadoopLocation location, Duration abandonedAfter) {
    /** Removes everything below a prefix. */
    void delete(String prefix) {
        Path root = location.of(prefix);
        try {
            if (!isFolder(root)) {
                return;
            }
            if (root.isRoot()) {
                for (FileStatus child : files.listStatus(root)) {
                    files.delete(child.getPath(), true);
                }
            } else {
                files.delete(root, true);
            }
        } catch (IOException | RuntimeException e) {
            throw HadoopErrors.of("deleting", root, e);
        }
        if (!prefix.isEmpty()) {
            writes.removeEmptyFolders(root);
        }
    }

    /** Visits the files with a reserved name, by their names below the prefix. */
    void reserved(String prefix, Consumer<String> names) {
        visit(prefix, (name, file) -> {
            if (!file.isDirectory() && OwnNames.isBelowOwn(name)) {
                names.accept(name);
            }
        });
    }

    /** Visits the files of interrupted puts. */
    void leftovers(String prefix, Consumer<Leftover> leftovers) {
        visit(prefix, (name, file) -> {
            if (StoreKeys.name(name).startsWith(HadoopBlockingWrites.TEMPORARY) && isAbandoned(file)) {
                Leftover.Kind kind = file.isDirectory() ? Leftover.Kind.FOREIGN : Leftover.Kind.TEMPORARY;
                leftovers.accept(new Leftover(kind, StoreKeys.join(prefix, name), Optional.empty(), file.getLen()));
            }
        });
    }

    /** Removes the file of an interrupted put. Returns false if it is gone, or so new that the put may still run. */
    boolean remove(Leftover leftover) {
        boolean ours = StoreKeys.name(leftover.name()).startsWith(HadoopBlockingWrites.TEMPORARY)
                && List.of(leftover.name().split("/", -1)).stream().noneMatch(p -> p.isEmpty() || p.equals(".."));
        if (!ours) {
            throw new IllegalArgumentException("not the leftover of a put: " + leftover.name());
        }
        Path path = location.inside(leftover.name());
        try {
            return isAbandoned(files.getFileStatus(path)) && files.delete(path, false);
        } catch (IOException e) {
            if (HadoopErrors.isAbsence(e)) {
                return false;
            }
            throw HadoopErrors.of("deleting", path, e);
        }
    }

    private boolean isAbandoned(FileStatus file) {
        return file.getModificationTime() <= System.currentTimeMillis() - abandonedAfter.toMillis();
    }

    private boolean isFolder(Path path) throws IOException {
        try {
            return files.getFileStatus(path).isDirectory();
        } catch (IOException e) {
            if (HadoopErrors.isAbsence(e)) {
                return false;
            }
            throw e;
        }
    }

    /** Visits the files and folders below a prefix, by their names below it. */
    private void visit(String prefix, BiConsumer<String, FileStatus> visitor) {
        Path root = location.of(prefix);
        Deque<String> pending = new ArrayDeque<>(List.of(""));
        try {
            while (!pending.isEmpty()) {
                String folder = pending.pop();
                Path path = folder.isEmpty() ? root : location.inside(StoreKeys.join(prefix, folder));
                if (isFolder(path)) {
                    visit(path, (name, file) -> {
                        String child = StoreKeys.join(folder, name);
                        visitor.accept(child, file);
                        if (file.isDirectory()) {
                            pending.push(child);
                        }
                    });
                }
            }
        } catch (IOException e) {
            throw HadoopErrors.of("listing", root, e);
        }
    }

    private void visit(Path folder, BiConsumer<String, FileStatus> visitor) throws IOException {
        RemoteIterator<FileStatus> children = files.listStatusIterator(folder);
        while (children.hasNext()) {
            FileStatus child = children.next();
            visitor.accept(child.getPath().getName(), child);
        }
    }
}
