package dev.shardkit.registry;

import dev.shardkit.json.Pointers;
import dev.shardkit.spi.ChunkGridFactory;
import dev.shardkit.spi.ChunkKeyEncodingFactory;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.DataTypeFactory;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.Extensions;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.StorageTransformerFactory;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import dev.shardkit.store.policy.SymbolicLinks;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The plug-ins that metadata and URIs can name: data types, codecs, chunk grids, chunk key encodings, storage
 * transformers, stores and node formats. If several plug-ins have the same name, the one with the highest priority is
 * used. A tie is an error, but only when the name is used. A plug-in that failed to load does not affect others.
 * {@link #plugins} and the error for an unknown name list it.
 *
 * <p>Immutable and thread-safe. Does not cache the extensions that plug-ins make.
 */
public final class Registry implements Extensions {
    private final List<Candidate> candidates;
    private final Map<Plugin.Kind, List<Candidate>> candidatesByKind;
    private final List<Plugin> failures;
    /** The node formats in use; null until they are first requested. */
    private volatile @Nullable List<NodeFormat> nodeFormats;

    Registry(List<Candidate> candidates, List<Plugin> failures) {
        this.candidates = List.copyOf(candidates);
        this.candidatesByKind = candidates.stream().collect(Collectors.groupingBy(Candidate::kind));
        this.failures = List.copyOf(failures);
    }

    /**
     * Loads the plug-ins that the thread's context class loader sees. If that loader does not see shardkit, uses
     * shardkit's class loader, whose plug-ins are loaded only once.
     */
    public static Registry load() {
        ClassLoader ownLoader = ownLoader();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return context == null || context == ownLoader || !seesShardkit(context) ? Own.REGISTRY : load(context);
    }

    /** Loads the plug-ins that {@code loader} sees now. */
    public static Registry load(ClassLoader loader) {
        return PluginLoader.load(loader);
    }

    private static ClassLoader ownLoader() {
        return Registry.class.getClassLoader();
    }

    private static boolean seesShardkit(ClassLoader loader) {
        try {
            boolean initialize = false;
            return Class.forName(Registry.class.getName(), initialize, loader) == Registry.class;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    /** Holds the plug-ins of shardkit's class loader. The JVM initializes this class on first use. */
    private static final class Own {
        static final Registry REGISTRY = load(ownLoader());
    }

    /** Starts a registry of selected plug-ins. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns a resolver that uses these plug-ins and passes the name of each skipped codec to {@code skipped}. */
    public Resolver resolver(Consumer<String> skipped) {
        return new Resolver(this, skipped);
    }

    @Override
    public Codec codec(Json json, String pointer) {
        return resolver(name -> {}).codec(json, pointer);
    }

    @Override
    public Optional<Codec> optionalCodec(Json json, String pointer) {
        return resolver(name -> {}).optionalCodec(json, pointer);
    }

    @Override
    public DataType dataType(Json json, String pointer) {
        return resolver(name -> {}).dataType(json, pointer);
    }

    /**
     * Opens the store at {@code uri}. The name of a node format may precede the location of the store, as in
     * {@code n5:https://...}: then all nodes of that store have this format.
     *
     * @throws UnsupportedException if no plug-in supports its scheme
     * @throws StoreException if it cannot be opened
     * @throws IllegalArgumentException if the URI has no scheme, or is invalid for its scheme
     */
    public Store open(URI uri) {
        return open(uri, SymbolicLinks.REFUSE);
    }

    /**
     * Opens the store at {@code uri}; see {@link #open(URI)}. A store that reads from other stores never follows links
     * out of them.
     *
     * @param links whether it follows symbolic links out of its root
     */
    public Store open(URI uri, SymbolicLinks links) {
        if (uri.getScheme() == null) {
            throw new IllegalArgumentException("expected a URI with a scheme, found one without");
        }
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        // A scheme has no underscore (RFC 3986, section 3.1), so a hyphen stands for one in the name of a node format.
        String name = knows(Plugin.Kind.NODE_FORMAT, scheme) ? scheme : scheme.replace('-', '_');
        if (!knows(Plugin.Kind.STORE, scheme) && knows(Plugin.Kind.NODE_FORMAT, name)) {
            NodeFormat format =
                    (NodeFormat) choose(Plugin.Kind.NODE_FORMAT, name, "").extension();
            // for formats whose documents do not hold the shape
            Optional<long[]> shape = ChosenFormatStore.shape(uri, format);
            return new ChosenFormatStore(open(ChosenFormatStore.location(uri), links), FormatChoice.named(name), shape);
        }
        Candidate chosen = choose(Plugin.Kind.STORE, scheme, "");
        StoreFactory factory = (StoreFactory) chosen.extension();
        try {
            return factory.open(uri, links, this::open);
        } catch (IOException e) {
            throw new StoreException("a store of scheme \"" + scheme + "\" could not be opened: " + e, e);
        } catch (Error e) {
            Fatal.rethrow(e);
            throw new UnsupportedException(
                    "store \"" + scheme + "\" is not available; plug-in " + chosen.described() + " failed: " + e, e);
        }
    }

    /**
     * Returns the node formats in use, by priority, then by name. They are tried in this order.
     *
     * @throws UnsupportedException if several of one name share the highest priority
     */
    public List<NodeFormat> nodeFormats() {
        List<NodeFormat> formats = nodeFormats;
        if (formats == null) {
            TreeSet<String> names = new TreeSet<>();
            candidates(Plugin.Kind.NODE_FORMAT).forEach(c -> names.add(c.name()));
            formats = names.stream()
                    .map(name -> choose(Plugin.Kind.NODE_FORMAT, name, ""))
                    .sorted(Comparator.comparingInt(Candidate::priority).reversed())
                    .map(c -> (NodeFormat) c.extension())
                    .toList();
            nodeFormats = formats;
        }
        return formats;
    }

    private List<Candidate> candidates(Plugin.Kind kind) {
        return candidatesByKind.getOrDefault(kind, List.of());
    }

    /** Returns all plug-ins by kind and name, including those that failed to load. */
    public List<Plugin> plugins() {
        List<Plugin> plugins = new ArrayList<>();
        for (Plugin.Kind kind : Plugin.Kind.values()) {
            candidates(kind).stream()
                    .sorted((a, b) -> a.name().compareTo(b.name()))
                    .forEach(c -> plugins.add(c.toPlugin(state(c))));
            failures.stream().filter(f -> f.kind() == kind).forEach(plugins::add);
        }
        return List.copyOf(plugins);
    }

    private Plugin.State state(Candidate candidate) {
        List<Candidate> best = best(candidate.kind(), candidate.name());
        if (!best.contains(candidate)) {
            return new Plugin.State.Shadowed(best.get(0).described());
        }
        return best.size() == 1
                ? new Plugin.State.Active()
                : new Plugin.State.Tied(best.stream()
                        .filter(c -> c != candidate)
                        .map(Candidate::described)
                        .collect(Collectors.joining(", ")));
    }

    boolean knows(Plugin.Kind kind, String name) {
        return !best(kind, name).isEmpty();
    }

    /** Returns the plug-ins of this name with the highest priority. */
    private List<Candidate> best(Plugin.Kind kind, String name) {
        List<Candidate> best = new ArrayList<>(1);
        for (Candidate candidate : candidates(kind)) { // runs for each name in each document of a tree
            if (!candidate.claims(name)) {
                continue;
            }
            if (!best.isEmpty() && candidate.priority() > best.get(0).priority()) {
                best.clear();
            }
            if (best.isEmpty() || candidate.priority() == best.get(0).priority()) {
                best.add(candidate);
            }
        }
        return best;
    }

    /** Returns the plug-in in use for {@code name}. */
    Candidate choose(Plugin.Kind kind, String name, String pointer) {
        List<Candidate> best = best(kind, name);
        if (best.size() == 1) {
            return best.get(0);
        }
        String subject = (pointer.isEmpty() ? "" : pointer + ": ") + kind + " \"" + Pointers.shorten(name) + "\" ";
        if (best.isEmpty()) {
            String fact = kind == Plugin.Kind.STORE
                    ? "no store opens \"" + Pointers.shorten(name) + ":\" URLs; "
                    : subject + "is unknown; ";
            throw new UnsupportedException(fact + unknown(kind).advice(name));
        }
        throw new UnsupportedException(subject + "is claimed by several plug-ins of priority "
                + best.get(0).priority() + ": "
                + best.stream().map(Candidate::described).collect(Collectors.joining(" and "))
                + "; remove all but one");
    }

    private UnknownName unknown(Plugin.Kind kind) {
        return new UnknownName(kind, candidates, failures);
    }

    /**
     * Throws {@code MetadataException} if {@code name} is a common misspelling of a known name. Called for names that
     * are not legal.
     */
    void refuseOtherSpelling(Plugin.Kind kind, String name, String pointer) {
        String suggestion = unknown(kind).suggestion(name);
        if (!suggestion.isEmpty()) {
            throw new MetadataException(Pointers.shown(pointer) + ": " + kind + " \"" + Pointers.shorten(name)
                    + "\" is unknown; " + suggestion);
        }
    }

    /** Builds a registry. Not thread-safe. */
    public static final class Builder {
        private final List<Candidate> candidates = new ArrayList<>();
        private final List<Plugin> failures = new ArrayList<>();

        private Builder() {}

        /** Adds all plug-ins of {@code registry}. */
        public Builder all(Registry registry) {
            candidates.addAll(registry.candidates);
            failures.addAll(registry.failures);
            return this;
        }

        /** Adds data types. */
        public Builder dataType(DataTypeFactory factory) {
            return add(Plugin.Kind.DATA_TYPE, factory);
        }

        /** Adds a codec. */
        public Builder codec(CodecFactory factory) {
            return add(Plugin.Kind.CODEC, factory);
        }

        /** Adds a chunk grid. */
        public Builder chunkGrid(ChunkGridFactory factory) {
            return add(Plugin.Kind.CHUNK_GRID, factory);
        }

        /** Adds a chunk key encoding. */
        public Builder chunkKeyEncoding(ChunkKeyEncodingFactory factory) {
            return add(Plugin.Kind.CHUNK_KEY_ENCODING, factory);
        }

        /** Adds a storage transformer. */
        public Builder storageTransformer(StorageTransformerFactory factory) {
            return add(Plugin.Kind.STORAGE_TRANSFORMER, factory);
        }

        /** Adds a store. */
        public Builder store(StoreFactory factory) {
            return add(Plugin.Kind.STORE, factory);
        }

        /** Adds a node format. */
        public Builder nodeFormat(NodeFormat format) {
            return add(Plugin.Kind.NODE_FORMAT, format);
        }

        private Builder add(Plugin.Kind kind, Extension factory) {
            candidates.add(Candidate.of(kind, factory));
            return this;
        }

        /** Builds the registry. */
        public Registry build() {
            return new Registry(candidates, failures);
        }
    }
}
