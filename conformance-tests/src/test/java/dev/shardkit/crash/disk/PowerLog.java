package dev.shardkit.crash.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What was done to the files below a directory, in order: writes, sizes, entries made and removed, forces. A
 * {@link PowerLoss} makes of it what a device may hold after the power went off. Guarded by its monitor.
 */
public final class PowerLog {
    /** One thing that was done. A file or directory is told by a number. */
    sealed interface Op {
        int node();
    }

    record Data(int node, long offset, byte[] bytes) implements Op {}

    record Size(int node, long size) implements Op {}

    /** The name {@code name} of directory {@code node} leads to {@code to} from now on; nowhere if that is negative. */
    record Entry(int node, String name, int to) implements Op {}

    record Force(int node) implements Op {}

    static final int NONE = -1;

    private final Path root;
    private final Map<Path, Integer> nodes = new HashMap<>();
    private final List<byte[]> files = new ArrayList<>();
    private final Map<Integer, Map<String, Integer>> directories = new HashMap<>();
    private final List<Op> ops = new ArrayList<>();

    /** The log of what is done below {@code root}; all that is there now is on the device. */
    PowerLog(Path root) throws IOException {
        this.root = root;
        try (Stream<Path> all = Files.walk(root)) {
            for (Path p : all.sorted().toList()) {
                int node = node(p, Files.isDirectory(p) ? new byte[0] : Files.readAllBytes(p));
                if (Files.isDirectory(p)) {
                    directories.put(node, new HashMap<>());
                }
                if (!p.equals(root)) {
                    directories
                            .get(nodes.get(p.getParent()))
                            .put(p.getFileName().toString(), node);
                }
            }
        }
    }

    private int node(Path path, byte[] content) {
        files.add(content);
        nodes.put(path, files.size() - 1);
        return files.size() - 1;
    }

    /** How much was done so far. */
    public synchronized int size() {
        return ops.size();
    }

    /** What was done. */
    synchronized List<Op> ops() {
        return List.copyOf(ops);
    }

    /** The content of a file at the beginning; empty for one that was made later, or a directory. */
    synchronized byte[] content(int node) {
        return files.get(node);
    }

    /** The entries of the directories at the beginning. */
    synchronized Map<Integer, Map<String, Integer>> directories() {
        return directories;
    }

    /** An array of as many as there are files and directories. */
    synchronized int count() {
        return files.size();
    }

    private boolean isKnown(Path path) {
        return nodes.containsKey(path);
    }

    /** What a change does; the file system's own call and its record are one. */
    interface Change<T> {
        T run() throws IOException;
    }

    /** Opens a file, which may be made by that. */
    synchronized <T> T open(Path path, Change<T> opening) throws IOException {
        T opened = opening.run();
        if (path.startsWith(root) && !isKnown(path) && Files.exists(path)) {
            made(path);
        }
        return opened;
    }

    synchronized void makeDirectory(Path path, Change<Void> making) throws IOException {
        making.run();
        if (path.startsWith(root)) {
            directories.put(made(path), new HashMap<>());
        }
    }

    private int made(Path path) {
        int node = node(path, new byte[0]);
        ops.add(new Entry(nodes.get(path.getParent()), path.getFileName().toString(), node));
        return node;
    }

    synchronized void delete(Path path, Change<Void> deleting) throws IOException {
        deleting.run();
        if (isKnown(path)) {
            nodes.remove(path);
            ops.add(new Entry(nodes.get(path.getParent()), path.getFileName().toString(), NONE));
        }
    }

    synchronized void move(Path from, Path to, Change<Void> moving) throws IOException {
        moving.run();
        if (isKnown(from)) {
            int node = nodes.remove(from);
            nodes.put(to, node);
            ops.add(new Entry(nodes.get(to.getParent()), to.getFileName().toString(), node));
            ops.add(new Entry(nodes.get(from.getParent()), from.getFileName().toString(), NONE));
        }
    }

    /** The number of the file at a path, for a channel that was opened; none if it lies elsewhere. */
    synchronized int find(Path path) {
        return nodes.getOrDefault(path, NONE);
    }

    synchronized void wrote(int node, long offset, ByteBuffer bytes) {
        if (node != NONE) {
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            ops.add(new Data(node, offset, copy));
        }
    }

    synchronized void truncated(int node, long size) {
        if (node != NONE) {
            ops.add(new Size(node, size));
        }
    }

    synchronized void forced(int node) {
        if (node != NONE) {
            ops.add(new Force(node));
        }
    }
}
