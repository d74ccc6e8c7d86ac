package dev.shardkit.hdf5;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.OwnNames;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.internal.Keys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The groups and datasets of a file, below one of its paths. An object that cannot be read becomes a node that says
 * why, so it hides no other. Used by one thread.
 */
final class FileTree {
    private static final int MAX_OBJECTS = 200_000;
    private static final int MAX_DEPTH = 500;
    private static final int MAX_SOFT_LINKS = 16;
    /** Soft links that lead through each other, and groups that contain each other, take ever more steps. */
    private static final int MAX_STEPS = 20_000_000;

    /**
     * The most characters of all paths and chunk keys. Keys repeat the names of the groups above, so a small file could
     * need much memory.
     */
    private static final long MAX_CHARACTERS = 1L << 28;
    /** The links of a group that are named when they are left out. */
    private static final int MAX_NAMED = 100;

    private final FileBytes file;
    private final long root;
    private final Map<Long, ObjectHeader> headers = new HashMap<>();
    private final Map<Long, Map<String, GroupLinks.Link>> groups = new HashMap<>();
    private final Map<Long, String> names = new HashMap<>();
    private final List<Found> found = new ArrayList<>();
    /** The links that are left out, by the path of their group in the store. */
    private final Map<String, List<String>> leftOut = new HashMap<>();

    private int objects;
    private int steps;
    private long chunks;
    private long characters;

    /** An object of the file. */
    private record Found(String path, long address, ObjectHeader header, Optional<ZarrException> refusal) {}

    /** Receives the nodes. */
    interface Nodes {
        /** Receives a group. */
        void group(String path, AttributeConversion.Converted attributes);

        /** Receives a dataset. */
        void dataset(String path, Dataset dataset);

        /** Receives a node that cannot be read, with its shape (as far as that can be read) and the reason. */
        void refused(String path, long[] shape, ZarrException reason);
    }

    private FileTree(FileBytes file, long root) {
        this.file = file;
        this.root = root;
    }

    /**
     * Reads all nodes at and below a path.
     *
     * @param path names separated by slashes; empty for the root
     * @param mayCut whether chunks may be shorter at the edge
     * @throws StoreException if there is no such object
     */
    static void read(Snapshot snapshot, String path, boolean mayCut, Nodes nodes) throws IOException {
        FileBytes file = new FileBytes(snapshot);
        FileTree tree = new FileTree(file, Superblock.root(file, snapshot));
        long start = tree.resolve(path);
        tree.walk(start, path, "", new HashSet<>());
        tree.tell(path, mayCut, nodes);
    }

    private long resolve(String path) {
        Optional<Long> address = at(root, "", path, 0);
        return address.orElseThrow(() ->
                new StoreException("hdf5: there is no group or dataset \"" + Hdf5.shown(path) + "\" in the file"));
    }

    /** Reads the header of an object once: many links may lead to it. */
    private ObjectHeader header(long address) {
        ObjectHeader known = headers.get(address);
        if (known == null) {
            known = ObjectHeader.read(file, address);
            headers.put(address, known);
        }
        return known;
    }

    /**
     * Reads the links of a group once.
     *
     * @param path the group's path, which names the objects that it contains
     */
    private Map<String, GroupLinks.Link> links(long address, String path) {
        Map<String, GroupLinks.Link> known = groups.get(address);
        if (known == null) {
            known = new LinkedHashMap<>();
            for (GroupLinks.Link link : GroupLinks.of(file, header(address))) {
                known.put(link.name(), link);
                if (link instanceof GroupLinks.Hard hard && !names.containsKey(hard.address())) {
                    names.put(hard.address(), below(path, link.name()));
                }
            }
            groups.put(address, known);
        }
        return known;
    }

    private void step() {
        if (++steps > MAX_STEPS) {
            throw Hdf5.unsupported("a file whose links take more than " + MAX_STEPS + " steps");
        }
    }

    private String below(String path, String name) {
        String joined = StoreKeys.join(path, name);
        count(joined.length());
        return joined;
    }

    private void count(long more) {
        if (more > MAX_CHARACTERS - characters) {
            throw Hdf5.unsupported(
                    "a file whose paths and keys have together more than " + MAX_CHARACTERS + " characters");
        }
        characters += more;
    }

    /** Returns the object at a path that begins at a group; empty if there is none, or if it is in another file. */
    private Optional<Long> at(long group, String groupPath, String path, int softLinks) {
        long address = path.startsWith("/") ? root : group;
        String here = path.startsWith("/") ? "" : groupPath;
        for (String name : path.split("/")) {
            step();
            if (name.isEmpty() || name.equals(".")) {
                continue;
            }
            if (!GroupLinks.isGroup(header(address))) {
                return Optional.empty();
            }
            GroupLinks.Link link = links(address, here).get(name);
            Optional<Long> next = link == null ? Optional.empty() : target(link, address, here, softLinks);
            if (next.isEmpty()) {
                return next;
            }
            address = next.get();
            here = StoreKeys.join(here, name);
        }
        return Optional.of(address);
    }

    private Optional<Long> target(GroupLinks.Link link, long group, String groupPath, int softLinks) {
        if (link instanceof GroupLinks.Hard hard) {
            return Optional.of(hard.address());
        }
        return link instanceof GroupLinks.Soft soft && softLinks < MAX_SOFT_LINKS
                ? at(group, groupPath, soft.path(), softLinks + 1)
                : Optional.empty();
    }

    /**
     * Collects the objects at and below an address.
     *
     * @param path its path in the file
     * @param key its path in the store
     * @param above the addresses of the groups above; a link to one of them would not end
     */
    private void walk(long address, String path, String key, Set<Long> above) {
        if (++objects > MAX_OBJECTS) {
            throw Hdf5.unsupported("a file of more than " + MAX_OBJECTS + " objects");
        }
        ObjectHeader header;
        Collection<GroupLinks.Link> links = List.of();
        try {
            header = header(address);
            if (GroupLinks.isGroup(header)) {
                links = links(address, path).values();
            }
            if (!links.isEmpty() && above.size() >= MAX_DEPTH) {
                throw Hdf5.unsupported(
                        "a group with members below " + MAX_DEPTH + " groups, " + Hdf5.shown(path) + ",");
            }
        } catch (CorruptDataException | UnsupportedException | MetadataException e) {
            found.add(new Found(key, address, new ObjectHeader(List.of()), Optional.of(e)));
            return;
        }
        found.add(new Found(key, address, header, Optional.empty()));
        above.add(address);
        for (GroupLinks.Link link : links) {
            step();
            String name = below(key, link.name());
            Optional<Long> child;
            try {
                child = isKey(link.name()) ? target(link, address, path, 0) : Optional.empty();
            } catch (CorruptDataException | UnsupportedException | MetadataException e) {
                found.add(new Found(name, address, new ObjectHeader(List.of()), Optional.of(e)));
                continue;
            }
            Optional<String> reason = reason(link, child, above);
            if (reason.isEmpty()) {
                walk(child.orElseThrow(), StoreKeys.join(path, link.name()), name, above);
            } else {
                leaveOut(key, link.name(), reason.get());
            }
        }
        above.remove(address);
    }

    /** Returns why a link has no node; empty if it has one. */
    private static Optional<String> reason(GroupLinks.Link link, Optional<Long> child, Set<Long> above) {
        if (!isKey(link.name())) {
            return Optional.of("Zarr has no such name");
        } else if (link instanceof GroupLinks.Outside) {
            return Optional.of("it leads to another file");
        } else if (child.isEmpty()) {
            return Optional.of("there is no object at its path");
        }
        return above.contains(child.get()) ? Optional.of("it leads to a group above") : Optional.empty();
    }

    private void leaveOut(String group, String name, String reason) {
        List<String> links = leftOut.computeIfAbsent(group, path -> new ArrayList<>());
        if (links.size() <= MAX_NAMED) {
            links.add(
                    links.size() < MAX_NAMED
                            ? "the link " + Hdf5.shown(name) + " is left out: " + reason
                            : "more than " + MAX_NAMED + " links are left out");
        }
    }

    /** Returns whether a name can be one of Zarr. */
    private static boolean isKey(String name) {
        try {
            return Keys.parts(name).size() == 1 && !OwnNames.isOwn(name) && !Keys.isDocument(name);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private void tell(String path, boolean mayCut, Nodes nodes) {
        DimensionScales scales = new DimensionScales(() -> scales(path));
        DatasetReader reader = new DatasetReader(file, names, mayCut, scales, this::header);
        Map<Long, Long> paths = found.stream().collect(Collectors.groupingBy(Found::address, Collectors.counting()));
        Map<Long, Optional<Dataset>> datasets = new HashMap<>();
        for (Found object : found) {
            try {
                if (object.refusal().isPresent()) {
                    nodes.refused(object.path(), new long[0], object.refusal().get());
                } else if (GroupLinks.isGroup(object.header())) {
                    nodes.group(
                            object.path(),
                            reader.attributes(object.header()).with(leftOut.getOrDefault(object.path(), List.of())));
                } else if (!isNamedType(object.header())) {
                    Optional<Dataset> dataset = datasets.get(object.address());
                    if (dataset == null) {
                        dataset = reader.read(object.address(), object.header(), name(object, path));
                        if (paths.get(object.address()) > 1) {
                            datasets.put(object.address(), dataset);
                        }
                    }
                    dataset.ifPresent(
                            read -> tell(object.path(), read.named(scales.names(object.path(), read)), nodes));
                }
            } catch (CorruptDataException | UnsupportedException | MetadataException e) {
                nodes.refused(object.path(), shape(reader, object.header()), e);
            } catch (ArithmeticException e) {
                nodes.refused(
                        object.path(), new long[0], Hdf5.corrupt("expected sizes below 2^63, found a larger one"));
            }
        }
    }

    /** Returns the dimension scales, without those that cannot be read: the walk says why. */
    private List<DimensionScales.Scale> scales(String path) {
        DatasetReader reader = new DatasetReader(file, names, true, new DimensionScales(List::of), this::header);
        List<DimensionScales.Scale> scales = new ArrayList<>();
        for (Found object : found) {
            try {
                if (object.refusal().isEmpty()
                        && !GroupLinks.isGroup(object.header())
                        && !isNamedType(object.header())) {
                    reader.scale(object.header(), StoreKeys.parent(object.path()), name(object, path))
                            .ifPresent(scales::add);
                }
            } catch (CorruptDataException | UnsupportedException | MetadataException e) {
                continue;
            }
        }
        return scales;
    }

    /** Passes a dataset on; throws UnsupportedException if its chunks and what came before exceed the limits. */
    private void tell(String path, Dataset dataset, Nodes nodes) {
        int more = dataset.chunks().size();
        if (more > ChunkIndex.MAX_CHUNKS - found.size() - chunks) {
            throw Hdf5.unsupported("a file whose datasets together have more than " + ChunkIndex.MAX_CHUNKS
                    + " chunks (open this dataset alone, as hdf5:FILE!PATH)");
        }
        count((long) more * path.length());
        chunks += more;
        nodes.dataset(path, dataset);
    }

    /** Returns the name of an object: the first by which it was found. */
    private String name(Found object, String path) {
        String full = names.getOrDefault(object.address(), StoreKeys.join(path, object.path()));
        return full.substring(full.lastIndexOf('/') + 1);
    }

    /** Returns whether an object is a datatype with a name, which is no node. */
    private static boolean isNamedType(ObjectHeader header) {
        return header.all(ObjectHeader.Type.DATASPACE).isEmpty()
                && header.all(ObjectHeader.Type.LAYOUT).isEmpty();
    }

    private static long[] shape(DatasetReader reader, ObjectHeader header) {
        try {
            return reader.shape(header);
        } catch (CorruptDataException
                | UnsupportedException
                | MetadataException e) { // the reason why the dataset is refused is known already
            return new long[0];
        }
    }
}
