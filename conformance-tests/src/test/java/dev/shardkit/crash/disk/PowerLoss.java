package dev.shardkit.crash.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * What a device may hold after the power went off at a point of a {@link PowerLog}. What was forced is there. Of the
 * rest a POSIX file system may have brought any part to the device: each page of a file as it was at any time since the
 * file was forced, or zeros where the file became longer; each name of a directory as it was at any time since the
 * directory was forced, whatever became of the file's content. Used by one thread.
 */
public final class PowerLoss {
    private static final FileTime TIME = FileTime.from(Instant.ofEpochSecond(1_700_000_000, 123_456_000));

    private final PowerLog log;
    private final List<PowerLog.Op> ops;

    /** What is on the device. */
    public enum Kept {
        /** All that was done: only the process died. */
        ALL,
        /** What was forced, and nothing else. */
        FORCED,
        /** All entries, and of the content what was forced: names before data. */
        ENTRIES,
        /** All content, and of the entries what was forced. */
        CONTENT,
        /** Any part of what was not forced. */
        ANY
    }

    /** Whether forces count. */
    public enum Forces {
        HONOURED,
        IGNORED
    }

    private final Forces forces;

    /** Losses of what {@code log} has recorded. */
    public PowerLoss(PowerLog log, Forces forces) {
        this.log = log;
        this.ops = log.ops();
        this.forces = forces;
    }

    /** Puts into the empty directory {@code into} what is there if the power goes off after {@code point} changes. */
    public void make(int point, Kept kept, Random random, Path into) throws IOException {
        Map<Integer, List<PowerLog.Op>> pending = new HashMap<>();
        Map<Integer, byte[]> forced = new HashMap<>();
        Map<Integer, Map<String, Integer>> entries = new HashMap<>();
        log.directories().forEach((node, names) -> entries.put(node, new TreeMap<>(names)));
        for (PowerLog.Op op : ops.subList(0, point)) {
            if (!(op instanceof PowerLog.Force)) {
                pending.computeIfAbsent(op.node(), n -> new ArrayList<>()).add(op);
            } else if (forces == Forces.HONOURED) {
                List<PowerLog.Op> done = pending.remove(op.node());
                if (done != null && entries.containsKey(op.node())) {
                    done.forEach(o -> enter(entries.get(op.node()), (PowerLog.Entry) o));
                } else if (done != null) {
                    forced.put(op.node(), versions(op.node(), forced, done).get(done.size()));
                }
            }
        }
        directory(0, into, new State(pending, forced, entries, kept, random, random.nextBoolean() ? 512 : 4096));
    }

    private record State(
            Map<Integer, List<PowerLog.Op>> pending,
            Map<Integer, byte[]> forced,
            Map<Integer, Map<String, Integer>> entries,
            Kept kept,
            Random random,
            int page) {
        /** Which of the versions 0 (forced) to {@code last} is there. */
        int version(int last, boolean entry) {
            return switch (kept) {
                case ALL -> last;
                case FORCED -> 0;
                case ENTRIES -> entry ? last : 0;
                case CONTENT -> entry ? 0 : last;
                case ANY -> random.nextInt(4) == 0 ? last : random.nextInt(3) == 0 ? 0 : random.nextInt(last + 1);
            };
        }
    }

    private static void enter(Map<String, Integer> names, PowerLog.Entry entry) {
        if (entry.to() == PowerLog.NONE) {
            names.remove(entry.name());
        } else {
            names.put(entry.name(), entry.to());
        }
    }

    private void directory(int node, Path into, State state) throws IOException {
        Map<String, Integer> names = state.entries().get(node);
        Map<String, List<PowerLog.Entry>> changes = new TreeMap<>();
        for (PowerLog.Op op : state.pending().getOrDefault(node, List.of())) {
            PowerLog.Entry entry = (PowerLog.Entry) op;
            changes.computeIfAbsent(entry.name(), n -> new ArrayList<>()).add(entry);
        }
        Map<String, Integer> found = new TreeMap<>(names);
        changes.forEach((name, all) -> {
            int version = state.version(all.size(), true);
            if (version > 0) {
                enter(found, all.get(version - 1));
            }
        });
        for (Map.Entry<String, Integer> e : found.entrySet()) {
            Path path = into.resolve(e.getKey());
            if (state.entries().containsKey(e.getValue())) {
                Files.createDirectory(path);
                directory(e.getValue(), path, state);
            } else {
                Files.write(path, content(e.getValue(), state));
                Files.setLastModifiedTime(path, TIME);
            }
        }
    }

    private byte[] content(int node, State state) {
        List<PowerLog.Op> changes = state.pending().getOrDefault(node, List.of());
        List<byte[]> versions = versions(node, state.forced(), changes);
        int last = versions.size() - 1;
        byte[] content = new byte[versions.get(state.version(last, false)).length];
        for (int at = 0; at < content.length; at += state.page()) {
            byte[] from = versions.get(state.version(last, false));
            int length = Math.min(Math.min(state.page(), content.length - at), from.length - at);
            if (length > 0) {
                System.arraycopy(from, at, content, at, length);
            }
        }
        return content;
    }

    /** What a file was when it was forced, and after each change since. */
    private List<byte[]> versions(int node, Map<Integer, byte[]> forced, List<PowerLog.Op> changes) {
        List<byte[]> versions = new ArrayList<>();
        byte[] content = forced.getOrDefault(node, log.content(node));
        versions.add(content);
        for (PowerLog.Op op : changes) {
            if (op instanceof PowerLog.Data d) {
                content = Arrays.copyOf(content, (int) Math.max(content.length, d.offset() + d.bytes().length));
                System.arraycopy(d.bytes(), 0, content, (int) d.offset(), d.bytes().length);
            } else if (op instanceof PowerLog.Size s) {
                content = Arrays.copyOf(content, (int) Math.min(content.length, s.size()));
            }
            versions.add(content);
        }
        return versions;
    }
}
