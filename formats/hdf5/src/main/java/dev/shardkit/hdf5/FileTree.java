package dev.shardkit.hdf5;

import dev.shardkit.hdf5.dataset.AttributeConversion;
import dev.shardkit.hdf5.dataset.DatasetReader;
import dev.shardkit.hdf5.dataset.DimensionScales;
import dev.shardkit.hdf5.dataset.Hdf5Dataset;
import dev.shardkit.hdf5.file.FileBytes;
import dev.shardkit.hdf5.file.Hdf5Errors;
import dev.shardkit.hdf5.file.ObjectHeader;
import dev.shardkit.hdf5.file.Superblock;
import dev.shardkit.hdf5.index.ChunkIndex;
import dev.shardkit.hdf5.message.GroupLinks;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.OwnNames;
import dev.shardkit.store.keys.Keys;
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
 * Finds the groups and datasets of an HDF5 file at and below a path, and passes each to a {@link NodeReceiver}. An
 * object that cannot be read is passed with the reason; the other nodes are read all the same. The file is a graph:
 * links lead from groups to objects, and several links may lead to one object. Used by one thread.
 */
final class FileTree {
    // Limits that keep a damaged or hostile file from filling the memory or the stack.
    private static final int MAX_OBJECTS = 200_000;
    private static final int MAX_DEPTH = 500;
    /** The maximum number of soft links (links by path) of which each leads to the next. */
    private static final int MAX_SOFT_LINKS = 16;
    /**
     * The maximum number of links that are followed: ten for each object. Soft links may form circles, so without this
     * limit a file of a few kilobytes could keep a reader busy.
     */
    private static final int MAX_STEPS = 10 * MAX_OBJECTS;

    /**
     * The maximum number of characters of all paths and chunk keys together. Each key contains the names of all groups
     * above it, so without this limit a small file could need much memory.
     */
    private static final long MAX_CHARACTERS = 1L << 28;
    /** The maximum number of omitted links that are named for a group. */
    private static final int MAX_NAMED_LINKS = 100;

    private final FileBytes file;
    private final long root;
    private final Map<Long, ObjectHeader> headers = new HashMap<>();
    private final Map<Long, Map<String, GroupLinks.Link>> groups = new HashMap<>();
    /** For the address of each object, the path of the first hard link that leads to it. */
    private final Map<Long, String> firstPaths = new HashMap<>();

    private final List<FoundObject> foundObjects = new ArrayList<>();
    /** The omitted links, by the path of their group in the store. */
    private final Map<String, List<String>> omittedLinks = new HashMap<>();

    // Counts, which the limits above bound.
    private int objects;
    private int steps;
    private long chunks;
    private long characters;

    /**
     * A path of the store at which an object was found. An object with several links has several paths.
     *
     * @param path the path in the store
     * @param address the address of the object's header in the file; if the link to the object cannot be resolved, the
     *     address of the group that contains the link
     * @param header the header; an empty one if it cannot be read
     * @param refusal the reason why the object cannot be read; empty if its header was read
     */
    private record FoundObject(String path, long address, ObjectHeader header, Optional<ZarrException> refusal) {}

    /** Receives the nodes. */
    interface NodeReceiver {
        /** Receives a group. */
        void group(String path, AttributeConversion.JsonAttributes attributes);

        /** Receives a dataset. */
        void dataset(String path, Hdf5Dataset dataset);

        /**
         * Receives a node that cannot be read.
         *
         * @param shape the shape; empty if it cannot be read either
         */
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
     * @param allowsPartialChunks see {@link DatasetReader}
     * @throws StoreException if there is no such object
     */
    static void read(ObjectSnapshot snapshot, String path, boolean allowsPartialChunks, NodeReceiver receiver)
            throws IOException {
        FileBytes file = new FileBytes(snapshot);
        FileTree tree = new FileTree(file, Superblock.readRootAddress(file, snapshot));
        long start = tree.resolve(path);
        tree.walk(start, path, "", new HashSet<>());
        tree.passAll(path, allowsPartialChunks, receiver);
    }

    private long resolve(String path) {
        Optional<Long> address = resolveFrom(root, "", path, 0);
        return address.orElseThrow(() -> new StoreException(
                "hdf5: there is no group or dataset \"" + Hdf5Errors.forMessage(path) + "\" in the file"));
    }

    /** Returns the header of an object. Caches the header, because many links may lead to the object. */
    private ObjectHeader headerAt(long address) {
        ObjectHeader cached = headers.get(address);
        if (cached == null) {
            cached = ObjectHeader.read(file, address);
            headers.put(address, cached);
        }
        return cached;
    }

    /**
     * Returns the links of a group, and caches them.
     *
     * @param path the group's path, which is a prefix of the paths of its objects
     */
    private Map<String, GroupLinks.Link> linksOf(long address, String path) {
        Map<String, GroupLinks.Link> cached = groups.get(address);
        if (cached == null) {
            cached = new LinkedHashMap<>();
            for (GroupLinks.Link link : GroupLinks.read(file, headerAt(address))) {
                cached.put(link.name(), link);
                if (link instanceof GroupLinks.Hard hard && !firstPaths.containsKey(hard.address())) {
                    firstPaths.put(hard.address(), join(path, link.name()));
                }
            }
            groups.put(address, cached);
        }
        return cached;
    }

    /** Counts a link that is followed. */
    private void countStep() {
        if (++steps > MAX_STEPS) {
            throw Hdf5Errors.unsupported("a file whose links take more than " + MAX_STEPS + " steps");
        }
    }

    /** Joins a path and a name, and counts the characters of the result. */
    private String join(String path, String name) {
        String joined = StoreKeys.join(path, name);
        countCharacters(joined.length());
        return joined;
    }

    private void countCharacters(long added) {
        if (added > MAX_CHARACTERS - characters) {
            throw Hdf5Errors.unsupported(
                    "a file whose paths and keys have together more than " + MAX_CHARACTERS + " characters");
        }
        characters += added;
    }

    /**
     * Returns the address of the object at a path; empty if there is no object, or if it is in another file.
     *
     * @param group the address of the group at which a relative path starts
     * @param groupPath the path of that group in the file
     * @param path a path relative to the group, or an absolute path with a slash at its start
     * @param softLinks the number of soft links that led to this path
     */
    private Optional<Long> resolveFrom(long group, String groupPath, String path, int softLinks) {
        long address = path.startsWith("/") ? root : group;
        String currentPath = path.startsWith("/") ? "" : groupPath;
        for (String name : path.split("/")) {
            countStep();
            if (name.isEmpty() || name.equals(".")) {
                continue;
            }
            if (!GroupLinks.isGroup(headerAt(address))) {
                return Optional.empty();
            }
            GroupLinks.Link link = linksOf(address, currentPath).get(name);
            Optional<Long> next = link == null ? Optional.empty() : targetOf(link, address, currentPath, softLinks);
            if (next.isEmpty()) {
                return next;
            }
            address = next.get();
            currentPath = StoreKeys.join(currentPath, name);
        }
        return Optional.of(address);
    }

    /**
     * Returns the address of the object to which a link leads; empty if there is none, or if the link leads to another
     * file or through too many soft links. The parameters are those of {@link #resolveFrom}.
     */
    private Optional<Long> targetOf(GroupLinks.Link link, long group, String groupPath, int softLinks) {
        if (link instanceof GroupLinks.Hard hard) {
            return Optional.of(hard.address());
        }
        return link instanceof GroupLinks.Soft soft && softLinks < MAX_SOFT_LINKS
                ? resolveFrom(group, groupPath, soft.path(), softLinks + 1)
                : Optional.empty();
    }

    /**
     * Collects the objects at and below an address in {@link #foundObjects}.
     *
     * @param address the address of an object's header
     * @param path the path in the file
     * @param key the path in the store
     * @param above the addresses of the groups between the start and this object. Links back to these groups are
     *     omitted, because they form circles
     */
    private void walk(long address, String path, String key, Set<Long> above) {
        if (++objects > MAX_OBJECTS) {
            throw Hdf5Errors.unsupported("a file of more than " + MAX_OBJECTS + " objects");
        }
        ObjectHeader header;
        Collection<GroupLinks.Link> links = List.of();
        try {
            header = headerAt(address);
            if (GroupLinks.isGroup(header)) {
                links = linksOf(address, path).values();
            }
            if (!links.isEmpty() && above.size() >= MAX_DEPTH) {
                throw Hdf5Errors.unsupported(
                        "a group with members below " + MAX_DEPTH + " groups, " + Hdf5Errors.forMessage(path) + ",");
            }
        } catch (CorruptDataException | UnsupportedException | MetadataException e) {
            foundObjects.add(new FoundObject(key, address, new ObjectHeader(List.of()), Optional.of(e)));
            return;
        }
        foundObjects.add(new FoundObject(key, address, header, Optional.empty()));
        above.add(address);
        for (GroupLinks.Link link : links) {
            countStep();
            String childKey = join(key, link.name());
            Optional<Long> child;
            try {
                child = isKey(link.name()) ? targetOf(link, address, path, 0) : Optional.empty();
            } catch (CorruptDataException | UnsupportedException | MetadataException e) {
                foundObjects.add(new FoundObject(childKey, address, new ObjectHeader(List.of()), Optional.of(e)));
                continue;
            }
            Optional<String> reason = omissionReason(link, child, above);
            if (reason.isEmpty()) {
                walk(child.orElseThrow(), StoreKeys.join(path, link.name()), childKey, above);
            } else {
                omit(key, link.name(), reason.get());
            }
        }
        above.remove(address);
    }

    /** Returns the reason why a link is omitted; empty if it is not. */
    private static Optional<String> omissionReason(GroupLinks.Link link, Optional<Long> child, Set<Long> above) {
        if (!isKey(link.name())) {
            return Optional.of("Zarr has no such name");
        } else if (link instanceof GroupLinks.External) {
            return Optional.of("it leads to another file");
        } else if (child.isEmpty()) {
            return Optional.of("there is no object at its path");
        }
        return above.contains(child.get()) ? Optional.of("it leads to a group above") : Optional.empty();
    }

    /** Adds an omitted link to the remarks of its group. */
    private void omit(String group, String name, String reason) {
        List<String> links = omittedLinks.computeIfAbsent(group, path -> new ArrayList<>());
        if (links.size() <= MAX_NAMED_LINKS) {
            links.add(
                    links.size() < MAX_NAMED_LINKS
                            ? "the link " + Hdf5Errors.forMessage(name) + " is left out: " + reason
                            : "more than " + MAX_NAMED_LINKS + " links are left out");
        }
    }

    /** Returns whether a node can have this name in the store. */
    private static boolean isKey(String name) {
        try {
            return Keys.parts(name).size() == 1 && !OwnNames.isOwn(name) && !Keys.isDocument(name);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Reads the collected objects and passes them to the receiver.
     *
     * @param path the path in the file of the object that is the root of the store
     */
    private void passAll(String path, boolean allowsPartialChunks, NodeReceiver receiver) {
        DimensionScales scales = new DimensionScales(() -> readScales(path));
        DatasetReader reader = new DatasetReader(file, firstPaths, allowsPartialChunks, scales, this::headerAt);
        // The number of paths to each object, by its address.
        Map<Long, Long> pathCounts =
                foundObjects.stream().collect(Collectors.groupingBy(FoundObject::address, Collectors.counting()));
        Map<Long, Optional<Hdf5Dataset>> datasets = new HashMap<>();
        for (FoundObject object : foundObjects) {
            try {
                if (object.refusal().isPresent()) {
                    receiver.refused(
                            object.path(), new long[0], object.refusal().get());
                } else if (GroupLinks.isGroup(object.header())) {
                    receiver.group(
                            object.path(),
                            reader.attributes(object.header())
                                    .withRemarks(omittedLinks.getOrDefault(object.path(), List.of())));
                } else if (!isNamedType(object.header())) {
                    Optional<Hdf5Dataset> dataset = datasets.get(object.address());
                    if (dataset == null) {
                        dataset = reader.read(object.address(), object.header(), nameOf(object, path));
                        // a dataset with several links is read once
                        if (pathCounts.get(object.address()) > 1) {
                            datasets.put(object.address(), dataset);
                        }
                    }
                    dataset.ifPresent(read -> passDataset(
                            object.path(), read.withDimensionNames(scales.names(object.path(), read)), receiver));
                }
            } catch (CorruptDataException | UnsupportedException | MetadataException e) {
                receiver.refused(object.path(), shapeOrEmpty(reader, object.header()), e);
            } catch (ArithmeticException e) {
                receiver.refused(
                        object.path(),
                        new long[0],
                        Hdf5Errors.corrupt("expected sizes below 2^63, found a larger one"));
            }
        }
    }

    /**
     * Returns the dimension scales: datasets that are coordinates of other datasets' dimensions. Skips scales that
     * cannot be read, because {@link #passAll} passes the reasons.
     */
    private List<DimensionScales.Scale> readScales(String path) {
        boolean allowsPartialChunks = true; // without effect: only attributes and shapes are read
        DatasetReader reader =
                new DatasetReader(file, firstPaths, allowsPartialChunks, new DimensionScales(List::of), this::headerAt);
        List<DimensionScales.Scale> scales = new ArrayList<>();
        for (FoundObject object : foundObjects) {
            try {
                if (object.refusal().isEmpty()
                        && !GroupLinks.isGroup(object.header())
                        && !isNamedType(object.header())) {
                    reader.scaleOf(object.header(), StoreKeys.parent(object.path()), nameOf(object, path))
                            .ifPresent(scales::add);
                }
            } catch (CorruptDataException | UnsupportedException | MetadataException e) {
                continue;
            }
        }
        return scales;
    }

    /**
     * Passes a dataset to the receiver. Throws {@link UnsupportedException} if all datasets so far exceed a limit
     * together.
     */
    private void passDataset(String path, Hdf5Dataset dataset, NodeReceiver receiver) {
        int addedChunks = dataset.chunks().size();
        // each node has a document in the store, which counts like a chunk
        if (addedChunks > ChunkIndex.MAX_CHUNKS - foundObjects.size() - chunks) {
            throw Hdf5Errors.unsupported("a file whose datasets together have more than " + ChunkIndex.MAX_CHUNKS
                    + " chunks (open this dataset alone, as hdf5:FILE!PATH)");
        }
        countCharacters((long) addedChunks * path.length());
        chunks += addedChunks;
        receiver.dataset(path, dataset);
    }

    /** Returns the name of an object: the last part of the first path that leads to it. */
    private String nameOf(FoundObject object, String path) {
        String fullPath = firstPaths.getOrDefault(object.address(), StoreKeys.join(path, object.path()));
        return fullPath.substring(fullPath.lastIndexOf('/') + 1);
    }

    /** Returns whether an object is a named datatype: a type that datasets share, which has no elements. */
    private static boolean isNamedType(ObjectHeader header) {
        return header.allOf(ObjectHeader.Type.DATASPACE).isEmpty()
                && header.allOf(ObjectHeader.Type.LAYOUT).isEmpty();
    }

    /** Returns the shape of a dataset; empty if it cannot be read. */
    private static long[] shapeOrEmpty(DatasetReader reader, ObjectHeader header) {
        try {
            return reader.shapeOf(header);
        } catch (CorruptDataException
                | UnsupportedException
                | MetadataException e) { // the reason for refusing the dataset is already known
            return new long[0];
        }
    }
}
