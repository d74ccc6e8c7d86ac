package dev.shardkit.session.search;

import dev.shardkit.json.JsonReader;
import dev.shardkit.metadata.MetadataReader;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.registry.FormatChoice;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.DocumentRemarks;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Decoder;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Plans the search for the node at a path: first for {@code zarr.json}; if there is none, or it is not of version 3,
 * with each node format in turn. Runs no plan itself. Thread-safe.
 */
public final class NodeLookup {
    /** The key under which the cache stores whether a root is of another format than Zarr v3. */
    private static final Object OTHER_ROOT = "other root";

    private final Limits limits;
    private final MetadataReader reader;
    private final List<NodeFormat> formats;
    private final Names listing;
    private final Optional<long[]> shape;
    /** Whether the location names the format, so that a {@code zarr.json} of Zarr v3 is not looked for. */
    private final boolean isNamed;

    /** Lists the names directly below a prefix; empty if that would take requests. */
    public interface Names {
        /** Returns the names; empty if the store is remote or cannot list. */
        Optional<List<String>> below(String prefix);
    }

    /**
     * The properties of nodes that their location specifies.
     *
     * @param formats the formats that they may have
     * @param shape the shape of arrays whose documents lack it
     */
    public record Stated(FormatChoice formats, Optional<long[]> shape) {
        /** A location that specifies nothing. */
        public static final Stated NOTHING = new Stated(FormatChoice.USUAL, Optional.empty());

        /** Returns the properties that the location of a store specifies. */
        public static Stated of(Store store) {
            return new Stated(NamedFormat.choice(store), NamedFormat.shape(store));
        }
    }

    /**
     * Creates a search with the formats that apply to a store.
     *
     * @param isLocal whether the store is local
     * @param stated the properties that the location specifies
     * @param listing lists the store for formats that need names
     */
    public NodeLookup(Registry registry, Limits limits, boolean isLocal, Stated stated, Names listing) {
        this.limits = limits;
        this.listing = listing;
        this.shape = stated.shape();
        this.isNamed = stated.formats() instanceof FormatChoice.Named;
        this.reader = new MetadataReader(registry, limits);
        this.formats = registry.nodeFormats().stream()
                .filter(isTried(isLocal, stated.formats()))
                .toList();
    }

    /** Returns a predicate for the formats that are tried for a node of a store; see the constructor. */
    public static Predicate<NodeFormat> isTried(boolean isLocal, FormatChoice chosen) {
        if (chosen instanceof FormatChoice.Zarr zarr) {
            return format ->
                    zarr.versions() == FormatChoice.Versions.ALL && format.search() == NodeFormat.Search.EVERYWHERE;
        }
        return chosen instanceof FormatChoice.Named named
                ? format -> named.name().equals(format.name())
                : format -> isLocal
                        || chosen instanceof FormatChoice.Any
                        || format.search() == NodeFormat.Search.EVERYWHERE;
    }

    /** Reads the node at {@code path}; empty if there is none. A location that names a format has no other nodes. */
    public Plan<Optional<FoundNode>> find(String path) {
        if (isNamed) {
            return findInFormats(0, path, null);
        }
        return Source.stored(StoreKeys.join(path, NodePath.DOCUMENT))
                .<Optional<Json>>read(
                        ByteRange.whole(limits.metadataBytes()),
                        (result, scratch) -> result instanceof ReadResult.Found f
                                ? Optional.of(parseOwn(f.bytes().toArray()))
                                : Optional.empty())
                .then(document -> document.isPresent() && isZarr3(document.get())
                        ? Plan.done(Optional.of(FoundNode.own(reader.read(document.get()), path)))
                        : findInFormats(0, path, document.orElse(null)));
    }

    /** Parses a {@code zarr.json} of Zarr v3, and adds a remark if it begins with a byte order mark. */
    private Json parseOwn(byte[] document) {
        Json json = JsonReader.read(document, limits);
        return json instanceof Json.Obj object && JsonReader.isMarked(document)
                ? DocumentRemarks.add(object, List.of(byteOrderMarkRemark(NodePath.DOCUMENT)))
                : json;
    }

    private static String byteOrderMarkRemark(String document) {
        return document + ": begins with a byte order mark, which is skipped";
    }

    /** Returns the formats that are tried, in order. */
    public List<NodeFormat> formats() {
        return formats;
    }

    /**
     * Returns whether documents of {@code format} describe a node at {@code path}. Only for a format of which the store
     * {@linkplain #mayHaveNodes may have nodes}.
     *
     * @param isAbsent returns whether the store certainly lacks the document of a key, which is then not read
     */
    public Plan<Boolean> isStated(NodeFormat format, String path, Predicate<String> isAbsent) {
        return format.find(path, new Documents(limits, listing, shape, new Keys(), isAbsent))
                .map(found -> found.filter(node -> node.evidence() == NodeFormat.Evidence.STATED)
                        .isPresent());
    }

    /** Returns whether a store with this root may have nodes of {@code format}; see {@link #findInFormat}. */
    public Plan<Boolean> mayHaveNodes(NodeFormat format) {
        return !format.rootDocument().equals(Optional.of(NodePath.DOCUMENT))
                ? Plan.done(true)
                : Source.stored(NodePath.DOCUMENT)
                        .read(
                                ByteRange.whole(limits.metadataBytes()),
                                Decoder.kept(OTHER_ROOT, value -> 0, this::isOtherRoot));
    }

    /** Returns whether documents of {@code format} describe an array at {@code path}. */
    public Plan<Boolean> isArray(NodeFormat format, String path) {
        return findInFormat(format, path, new Keys()).map(found -> found.filter(node ->
                        node.evidence() == NodeFormat.Evidence.STATED && ArrayDocuments.isArray(node.document()))
                .isPresent());
    }

    /**
     * Searches for a node of {@code format} at {@code path}. Some formats call their root document {@code zarr.json},
     * as Zarr v3 does. They have nodes only in a store whose root has such a document that is not of Zarr v3. The cache
     * keeps whether this is so, because a root with consolidated metadata is large, and a walk searches for each node.
     *
     * @param keys collects the keys of the documents found
     */
    private Plan<Optional<NodeFormat.Node>> findInFormat(NodeFormat format, String path, Keys keys) {
        Documents documents = new Documents(limits, listing, shape, keys, key -> false);
        return mayHaveNodes(format)
                .then(mayHave -> mayHave ? format.find(path, documents) : Plan.done(Optional.empty()));
    }

    private boolean isOtherRoot(ReadResult result, Scratch scratch) {
        try {
            return result instanceof ReadResult.Found root
                    && !isZarr3(JsonReader.readWithNonNumbers(root.bytes().toArray(), limits));
        } catch (MetadataException e) {
            return true; // the node format reports what is wrong
        }
    }

    /** Returns whether a document is read as Zarr v3: it is of version 3, or no JSON object, so that reading fails. */
    private static boolean isZarr3(Json document) {
        return !(document instanceof Json.Obj o) || o.get("zarr_format").equals(Optional.of(Json.of(3)));
    }

    /**
     * Tries the formats from index {@code i} on.
     *
     * @param zarrDocument the content of a {@code zarr.json} that is not of Zarr v3; null if there is none
     */
    private Plan<Optional<FoundNode>> findInFormats(int i, String path, @Nullable Json zarrDocument) {
        if (i == formats.size()) {
            return Plan.done(
                    zarrDocument == null
                            ? Optional.empty()
                            : Optional.of(FoundNode.own(reader.read(zarrDocument), path)));
        }
        NodeFormat format = formats.get(i);
        Keys keys = new Keys();
        return findInFormat(format, path, keys)
                .then(found -> found.isPresent()
                        ? refuseSecond(i, i + 1, path, found.get())
                                .map(unit -> found.map(node -> foreign(format, keys, node)))
                        : findInFormats(i + 1, path, zarrDocument));
    }

    /**
     * Refuses a node that two formats claim by documents. Formats that are searched for in all stores come before the
     * others, so they are not checked.
     *
     * @param first the index of the format that has found {@code node}
     * @param next the index of the next format to try
     */
    private Plan<NoResult> refuseSecond(int first, int next, String path, NodeFormat.Node node) {
        NodeFormat format = formats.get(first);
        if (next == formats.size()
                || format.search() == NodeFormat.Search.EVERYWHERE
                || node.evidence() == NodeFormat.Evidence.IMPLIED) {
            return Plan.done();
        }
        NodeFormat second = formats.get(next);
        return findInFormat(second, path, new Keys()).then(found -> {
            if (found.isPresent() && found.get().evidence() == NodeFormat.Evidence.STATED) {
                throw new MetadataException("this place holds documents of two formats, " + format.name()
                        + " and " + second.name() + "; put the name of one before the location, as in "
                        + format.name() + ":LOCATION");
            }
            return refuseSecond(first, next + 1, path, node);
        });
    }

    private FoundNode foreign(NodeFormat format, Keys keys, NodeFormat.Node node) {
        return new FoundNode(
                translated(format, keys, node),
                node.dataPath(),
                new FoundNode.Foreign(format.name(), node.evidence(), node.children(), Set.copyOf(keys.found())));
    }

    private NodeMetadata translated(NodeFormat format, Keys keys, NodeFormat.Node node) {
        try {
            List<String> remarks = keys.marked().stream()
                    .map(key -> byteOrderMarkRemark(StoreKeys.name(key)))
                    .toList();
            return reader.forTranslations().read(DocumentRemarks.add(node.document(), remarks));
        } catch (MetadataException e) {
            throw new MetadataException(translationOf(format, keys.found()) + e.fact(), e);
        } catch (UnsupportedException e) {
            throw new UnsupportedException(translationOf(format, keys.found()) + e.fact(), e);
        }
    }

    /** Names the documents that were translated. The pointer that follows points into the translation. */
    private static String translationOf(NodeFormat format, Set<String> keys) {
        return keys.stream().map(StoreKeys::name).distinct().sorted().collect(Collectors.joining(", ")) + " ("
                + format.name() + "), translated to zarr.json: ";
    }

    /**
     * The keys of documents that were found.
     *
     * @param marked the keys of the found documents that begin with a byte order mark
     */
    private record Keys(Set<String> found, Set<String> marked) {
        Keys() {
            this(new ConcurrentSkipListSet<>(), new ConcurrentSkipListSet<>());
        }
    }

    /**
     * Reads the documents that a format requests.
     *
     * @param keys collects the keys of the documents found
     * @param isAbsent returns whether a document is not read, because the store certainly lacks it
     */
    private record Documents(
            Limits limits, Names listing, Optional<long[]> statedShape, Keys keys, Predicate<String> isAbsent)
            implements NodeFormat.Documents {
        /** Accepts {@code NaN} and {@code Infinity}, which writers of other formats produce. */
        @Override
        public Plan<Optional<Json>> read(String key) {
            return readWhole(key, limits.metadataBytes(), bytes -> {
                byte[] document = bytes.toArray();
                if (JsonReader.isMarked(document)) {
                    keys.marked().add(key);
                }
                try {
                    return JsonReader.readWithNonNumbers(document, limits);
                } catch (MetadataException e) {
                    throw new MetadataException(name(key) + ": " + e.fact(), e);
                }
            });
        }

        @Override
        public Plan<Optional<Bytes>> bytes(String key, long maxBytes) {
            return readWhole(key, Math.min(maxBytes, limits.metadataBytes()), bytes -> Bytes.of(bytes.toArray()));
        }

        /** Listing a local store reads folders, on the worker that runs the plan. */
        @Override
        public Plan<Optional<List<String>>> names(String prefix) {
            return Plan.defer(DataLocation.of(prefix), scratch -> Plan.done(listing.below(prefix)));
        }

        private <T> Plan<Optional<T>> readWhole(String key, long maxBytes, Function<Bytes, T> document) {
            if (isAbsent.test(key)) {
                return Plan.done(Optional.empty());
            }
            return Source.stored(key).read(ByteRange.whole(maxBytes), (result, scratch) -> {
                if (!(result instanceof ReadResult.Found object)) {
                    return Optional.empty();
                }
                keys.found().add(key);
                return Optional.of(document.apply(object.bytes()));
            });
        }

        private static String name(String key) {
            return StoreKeys.name(key);
        }
    }
}
