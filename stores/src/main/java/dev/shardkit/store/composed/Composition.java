package dev.shardkit.store.composed;

import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Describes a composed store; converts to and from the JSON form of the Python library shardedstore 0.3.1. Immutable.
 *
 * @param base the store of all keys that belong to no part
 * @param mounts the parts that hold all keys below a path, such as that of a group or array, by this path
 * @param arrayParts the parts that hold chunks of an array, by the path of the array and the first indices of the
 *     chunks' keys, such as {@code 0/1}
 */
public record Composition(
        StoredPart base, Map<String, StoredPart> mounts, Map<String, Map<String, StoredPart>> arrayParts) {
    /** The maximum number of parts. */
    public static final int MAX_PARTS = 100_000;

    /** The maximum size in bytes of the JSON document. */
    static final int MAX_BYTES = 64 << 20;

    /** The classes of zarr-python 2 that store objects as files of a folder. */
    private static final Set<String> FOLDERS = Set.of("DirectoryStore", "NestedDirectoryStore");

    private static final String ZIP = "ZipStore";

    /**
     * Checks the paths of all mounts and arrays together: each is relative, no two are equal, and none lies below
     * another. Also checks the indices of the parts of each array: no two are equal, and none contains another, as 0
     * contains 0/1.
     */
    public Composition {
        mounts = Map.copyOf(mounts);
        Map<String, Map<String, StoredPart>> copy = new LinkedHashMap<>();
        arrayParts.forEach((path, parts) -> copy.put(path, Map.copyOf(parts)));
        arrayParts = Map.copyOf(copy);
        CompositionPathCheck.check(mounts.keySet(), arrayParts);
    }

    /**
     * A part.
     *
     * @param kind the kind of its store
     * @param path a path of the file system, absolute or relative to the document
     */
    public record StoredPart(Kind kind, String path) {}

    /** The kinds of parts. */
    public enum Kind {
        /** A folder. */
        FOLDER,
        /** A ZIP archive. */
        ZIP
    }

    /**
     * Parses the JSON form.
     *
     * @throws MetadataException if it is not valid
     * @throws UnsupportedException if a part is a store other than a folder or ZIP archive
     */
    public static Composition parse(byte[] utf8) {
        Json.Obj document = object(JsonReader.read(utf8, Limits.defaults()), "the document");
        String name = text(document, "name");
        if (!name.equals("ShardedStore")) {
            throw new MetadataException("a composed store: expected the name ShardedStore, found " + name);
        }
        Json.Obj config = object(member(document, "config"), "config");
        Json.Obj kwargs = object(config.get("kwargs").orElse(Json.object()), "kwargs");
        Map<String, StoredPart> mounts = new LinkedHashMap<>();
        parts(object(kwargs.get("shards").orElse(Json.object()), "shards"))
                .forEach((path, part) -> put(mounts, path, part));
        Map<String, Map<String, StoredPart>> arrays = new LinkedHashMap<>();
        object(kwargs.get("array_shards").orElse(Json.object()), "array_shards")
                .members()
                .forEach((path, shards) -> put(arrays, path, parts(object(shards, "array_shards"))));
        return new Composition(part(baseStore(config)), mounts, arrays);
    }

    private static Map<String, StoredPart> parts(Json.Obj members) {
        Map<String, StoredPart> parts = new LinkedHashMap<>();
        members.members().forEach((path, part) -> parts.put(path, part(object(part, path))));
        return parts;
    }

    private static StoredPart part(Json.Obj store) {
        String name = text(store, "name");
        boolean folder = FOLDERS.contains(name);
        if (!folder && !name.equals(ZIP)) {
            throw new UnsupportedException(
                    "a part of a composed store: expected DirectoryStore, NestedDirectoryStore or ZipStore, found "
                            + name);
        }
        Json.Obj config = object(member(store, "config"), "config");
        // The path is the first positional argument of the class's constructor, or its named argument "path".
        List<Json> args = config.get("args").orElse(Json.of(List.of())) instanceof Json.Arr a ? a.items() : List.of();
        Json path = args.isEmpty()
                ? object(config.get("kwargs").orElse(Json.object()), "kwargs")
                        .get("path")
                        .orElse(Json.of(""))
                : args.get(0);
        if (!(path instanceof Json.Str text) || text.value().isEmpty()) {
            throw new MetadataException("a part of a composed store: expected the path of a " + name + ", found "
                    + (args.isEmpty() ? "none" : path));
        }
        return new StoredPart(folder ? Kind.FOLDER : Kind.ZIP, text.value());
    }

    private static Json.Obj baseStore(Json.Obj config) {
        Json args = member(config, "args");
        if (!(args instanceof Json.Arr list) || list.items().size() != 1) {
            throw new MetadataException("a composed store: expected one base store in args, found " + args);
        }
        return object(list.items().get(0), "the base store");
    }

    private static Json member(Json.Obj object, String name) {
        return object.get(name)
                .orElseThrow(() -> new MetadataException("a composed store: expected the member " + name));
    }

    private static String text(Json.Obj object, String name) {
        if (member(object, name) instanceof Json.Str text) {
            return text.value();
        }
        throw new MetadataException("a composed store: expected a string in " + name);
    }

    private static Json.Obj object(Json json, String description) {
        if (json instanceof Json.Obj object) {
            return object;
        }
        throw new MetadataException("a composed store: expected an object in " + description);
    }

    /** Adds a part at a path, which may begin and end with a slash. */
    private static <T> void put(Map<String, T> parts, String path, T part) {
        int start = 0;
        int end = path.length();
        while (start < end && path.charAt(start) == '/') {
            start++;
        }
        while (end > start && path.charAt(end - 1) == '/') {
            end--;
        }
        String plain = path.substring(start, end);
        if (parts.put(plain, part) != null) {
            throw new MetadataException("a composed store: two parts have the path " + plain);
        }
    }

    /** Returns the JSON form, which shardedstore opens with {@code ShardedStore.from_config}. */
    public Json.Obj json() {
        Json.Obj shards = Json.object();
        for (Map.Entry<String, StoredPart> mount : mounts.entrySet()) {
            shards = shards.with(mount.getKey(), json(mount.getValue()));
        }
        Json.Obj arrays = Json.object();
        Json.Obj dimensions = Json.object();
        for (Map.Entry<String, Map<String, StoredPart>> array : arrayParts.entrySet()) {
            Json.Obj shardMembers = Json.object();
            for (Map.Entry<String, StoredPart> part : array.getValue().entrySet()) {
                shardMembers = shardMembers.with(part.getKey(), json(part.getValue()));
                dimensions = dimensions.with(
                        array.getKey(), Json.of((long) part.getKey().split("[/.]").length));
            }
            arrays = arrays.with(array.getKey(), shardMembers);
        }
        Json.Obj kwargs = Json.object()
                .with("dimension_separator", Json.of("/"))
                .with("shards", shards)
                .with("array_shard_dims", dimensions)
                .with("array_shards", arrays);
        return Json.object()
                .with("version", Json.of("0.3.1"))
                .with("name", Json.of("ShardedStore"))
                .with("module", Json.of("shardedstore"))
                .with(
                        "config",
                        Json.object()
                                .with("args", new Json.Arr(List.of(json(base))))
                                .with("kwargs", kwargs));
    }

    private static Json json(StoredPart part) {
        Json.Obj kwargs = Json.object().with("dimension_separator", Json.of("/"));
        boolean zip = part.kind() == Kind.ZIP;
        return Json.object()
                .with("name", Json.of(zip ? ZIP : "DirectoryStore"))
                .with("module", Json.of("zarr.storage"))
                .with(
                        "config",
                        Json.object()
                                .with("args", new Json.Arr(List.of(Json.of(part.path()))))
                                .with("kwargs", zip ? kwargs.with("mode", Json.of("r")) : kwargs));
    }
}
