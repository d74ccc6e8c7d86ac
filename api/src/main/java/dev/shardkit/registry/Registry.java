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
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Links;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The plug-ins that metadata and URIs can name: data types, codecs, chunk grids, chunk key encodings, storage
 * transformers, stores and node formats. Of several that claim a name the one with the highest priority is used; a tie
 * is an error when that name is used, and only then. A plug-in that could not load harms no other: it is listed by
 * {@link #plugins} and in the error for an unknown name.
 *
 * <p>Immutable and thread-safe. Not a cache of what the plug-ins make.
 */
public final class Registry implements Extensions {
    private final List<Candidate> candidates;
    private final List<Plugin> failures;

    Registry(List<Candidate> candidates, List<Plugin> failures) {
        this.candidates = List.copyOf(candidates);
        this.failures = List.copyOf(failures);
    }

    /**
     * What the thread's context class loader sees, or shardkit's own where that one knows nothing of shardkit. What
     * shardkit's own class loader sees is looked for only once.
     */
    public static Registry load() {
        ClassLoader own = ownLoader();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return context == null || context == own || !sees(context) ? Own.REGISTRY : load(context);
    }

    /** What {@code loader} sees now. */
    public static Registry load(ClassLoader loader) {
        return PluginLoader.load(loader);
    }

    private static ClassLoader ownLoader() {
        return Registry.class.getClassLoader();
    }

    private static boolean sees(ClassLoader loader) {
        try {
            return Class.forName(Registry.class.getName(), false, loader) == Registry.class;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    /** Filled when it is first asked for. */
    private static final class Own {
        static final Registry REGISTRY = load(ownLoader());
    }

    /** A registry of chosen plug-ins. */
    public static Builder builder() {
        return new Builder();
    }

    /** Makes extensions as this registry does, and tells {@code skipped} the name of each codec that is left out. */
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
     * Opens the store at {@code uri}.
     *
     * @throws UnsupportedException if no plug-in claims its scheme
     * @throws StoreException if it cannot be opened
     * @throws IllegalArgumentException if the URI has no scheme, or is none of its scheme's
     */
    public Store open(URI uri) {
        return open(uri, Links.REFUSE);
    }

    /**
     * Opens the store at {@code uri}; see {@link #open(URI)}. A store that reads from others never follows links out of
     * those.
     *
     * @param links whether it follows symbolic links that lead out of its root
     */
    public Store open(URI uri, Links links) {
        if (uri.getScheme() == null) {
            throw new IllegalArgumentException("a URI with a scheme expected");
        }
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        Candidate chosen = choose(Plugin.Kind.STORE, scheme, "");
        StoreFactory factory = (StoreFactory) chosen.extension();
        try {
            return factory.open(uri, links, this::open);
        } catch (IOException e) {
            throw new StoreException("a store of scheme \"" + scheme + "\" could not be opened: " + e, e);
        } catch (Error e) {
            Fatal.rethrow(e);
            throw new UnsupportedException(
                    "store \"" + scheme + "\" is not to be had; plug-in " + chosen.described() + " failed: " + e, e);
        }
    }

    /**
     * The node formats in use, in the order in which they are asked: by priority, then by name.
     *
     * @throws UnsupportedException if several of one name have the highest priority
     */
    public List<NodeFormat> nodeFormats() {
        TreeSet<String> names = new TreeSet<>();
        candidates.stream().filter(c -> c.kind() == Plugin.Kind.NODE_FORMAT).forEach(c -> names.add(c.name()));
        return names.stream()
                .map(name -> choose(Plugin.Kind.NODE_FORMAT, name, ""))
                .sorted(Comparator.comparingInt(Candidate::priority).reversed())
                .map(c -> (NodeFormat) c.extension())
                .toList();
    }

    /** All plug-ins, those that failed too, by kind and name. */
    public List<Plugin> plugins() {
        List<Plugin> all = new ArrayList<>();
        for (Plugin.Kind kind : Plugin.Kind.values()) {
            candidates.stream()
                    .filter(c -> c.kind() == kind)
                    .sorted((a, b) -> a.name().compareTo(b.name()))
                    .forEach(c -> all.add(c.facts(state(c))));
            failures.stream().filter(f -> f.kind() == kind).forEach(all::add);
        }
        return List.copyOf(all);
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

    /** The claimants of the highest priority. */
    private List<Candidate> best(Plugin.Kind kind, String name) {
        List<Candidate> claimants = candidates.stream()
                .filter(c -> c.kind() == kind && c.claims(name))
                .toList();
        int most = claimants.stream().mapToInt(Candidate::priority).max().orElse(0);
        return claimants.stream().filter(c -> c.priority() == most).toList();
    }

    /** The plug-in that is used for {@code name}. */
    Candidate choose(Plugin.Kind kind, String name, String pointer) {
        List<Candidate> best = best(kind, name);
        if (best.size() == 1) {
            return best.get(0);
        }
        String what = (pointer.isEmpty() ? "" : pointer + ": ") + kind + " \"" + Pointers.shorten(name) + "\" ";
        if (best.isEmpty()) {
            throw new UnsupportedException(what + "is unknown; " + known(kind) + failed(kind));
        }
        throw new UnsupportedException(what + "is claimed by several plug-ins of priority "
                + best.get(0).priority() + ": "
                + best.stream().map(Candidate::described).collect(Collectors.joining(" and "))
                + "; remove all but one");
    }

    private String known(Plugin.Kind kind) {
        if (candidates.isEmpty()) {
            return "no plug-in at all was found: if jars were merged into one (shaded), META-INF/services was not merged "
                    + "with them; otherwise the jars of shardkit's codecs and stores are missing";
        }
        TreeSet<String> names = new TreeSet<>();
        candidates.stream().filter(c -> c.kind() == kind).forEach(c -> {
            names.add(c.name());
            names.addAll(c.aliases());
        });
        return names.isEmpty()
                ? "no " + kind + " is known: is a jar missing?"
                : "known are " + String.join(", ", names) + "; is the jar of its plug-in missing?";
    }

    private String failed(Plugin.Kind kind) {
        String list = failures.stream()
                .filter(f -> f.kind() == kind)
                .map(f -> f.className() + " (" + f.jar() + ") " + f.state())
                .collect(Collectors.joining("; "));
        return list.isEmpty() ? "" : " Plug-ins that could not be loaded: " + list;
    }

    /** Collects plug-ins. Not thread-safe. */
    public static final class Builder {
        private final List<Candidate> candidates = new ArrayList<>();
        private final List<Plugin> failures = new ArrayList<>();

        private Builder() {}

        /** Adds all that {@code registry} has. */
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

        /** The registry. */
        public Registry build() {
            return new Registry(candidates, failures);
        }
    }
}
