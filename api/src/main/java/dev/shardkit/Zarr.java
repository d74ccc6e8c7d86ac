package dev.shardkit;

import dev.shardkit.engine.Steps;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.GroupMetadata;
import dev.shardkit.metadata.MetadataReader;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.metadata.UnsupportedNode;
import dev.shardkit.session.Consolidated;
import dev.shardkit.session.FoundNode;
import dev.shardkit.session.Locations;
import dev.shardkit.session.RootedNodes;
import dev.shardkit.session.Session;
import dev.shardkit.session.StoredNodes;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Prunes;
import dev.shardkit.store.Store;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Opens and creates arrays and groups. A location is the node's own folder: a path, or a URI whose scheme has a store
 * plug-in ({@code file:}, {@code memory:}, {@code http:}, {@code https:}, {@code reference:}). Stateless and
 * thread-safe.
 */
public final class Zarr {
    private Zarr() {}

    /** What to do when there already is a node. */
    public enum Existing {
        /** Refuse. */
        REFUSE,
        /** Remove it with everything below it. */
        OVERWRITE
    }

    /** Opens the array at {@code location} with the default options. */
    public static ZarrArray openArray(String location) {
        return openArray(location, ZarrOptions.defaults());
    }

    /**
     * Opens the array at {@code location}.
     *
     * @throws MetadataException if there is none, or its metadata is wrong
     */
    public static ZarrArray openArray(String location, ZarrOptions options) {
        return owned(location, options, session -> array(rooted(session, location), session, ""));
    }

    /** Opens the array at {@code path} of a store, which stays the caller's to close. */
    public static ZarrArray openArray(Store store, String path, ZarrOptions options) {
        Session session = new Session(store, options.settings());
        return array(open(session, path), session, path);
    }

    /**
     * An array whose metadata does not come from {@code zarr.json} but from elsewhere: another format, a catalogue. Its
     * chunks lie below {@code path}. Nothing is read until elements are.
     */
    public static ZarrArray openArray(Store store, String path, ArrayMetadata metadata, ZarrOptions options) {
        NodePath.of(path);
        return new ZarrArray(new Session(store, options.settings()).given(), path, metadata);
    }

    /** As {@link #openArray(Store, String, ZarrOptions)}, without waiting. */
    public static CompletableFuture<ZarrArray> openArrayAsync(Store store, String path, ZarrOptions options) {
        Session session = new Session(store, options.settings());
        NodePath.of(path);
        return session.start(
                () -> session.find(path)
                        .map(found ->
                                array(node(found.orElseThrow(() -> missing(session, path)), session), session, path)),
                path);
    }

    /** Opens the group at {@code location} with the default options. */
    public static ZarrGroup openGroup(String location) {
        return openGroup(location, ZarrOptions.defaults());
    }

    /** Opens the group at {@code location}. */
    public static ZarrGroup openGroup(String location, ZarrOptions options) {
        return owned(location, options, session -> group(rooted(session, location), session, ""));
    }

    /** Opens the group at {@code path} of a store, which stays the caller's to close. */
    public static ZarrGroup openGroup(Store store, String path, ZarrOptions options) {
        Session session = new Session(store, options.settings());
        return group(open(session, path), session, path);
    }

    /** As {@link #openGroup(Store, String, ZarrOptions)}, without waiting. Cancelling the future ends the requests. */
    public static CompletableFuture<ZarrGroup> openGroupAsync(Store store, String path, ZarrOptions options) {
        Session session = new Session(store, options.settings());
        NodePath.of(path);
        return Steps.inOrder(
                Steps.inOrder(session.start(() -> session.find(path), path), found -> there(session, found)),
                found -> CompletableFuture.completedFuture(
                        group(node(found.orElseThrow(() -> missing(session, path)), session), session, path)));
    }

    /** The node if it is there; only a group that no document describes is looked for by listing, which may wait. */
    private static CompletableFuture<Optional<FoundNode>> there(Session session, Optional<FoundNode> found) {
        return found.filter(FoundNode::isImplied).isEmpty()
                ? CompletableFuture.completedFuture(found)
                : session.async(() -> found.filter(node -> StoredNodes.isThere(session, node)));
    }

    /** Opens whatever is at {@code location}. */
    public static ZarrNode open(String location, ZarrOptions options) {
        return owned(location, options, session -> rooted(session, location));
    }

    /** Opens whatever is at {@code path} of a store; empty if there definitely is nothing. */
    public static Optional<ZarrNode> find(Store store, String path, ZarrOptions options) {
        return find(new Session(store, options.settings()), path);
    }

    /** Creates an array at {@code location}, and the store where that is needed. */
    public static ZarrArray createArray(String location, ArraySpec spec, Existing existing, ZarrOptions options) {
        return owned(location, options, session -> create(session, "", spec, existing));
    }

    /** Creates an array at {@code location}, refusing an existing node, with the default options. */
    public static ZarrArray createArray(String location, ArraySpec spec) {
        return createArray(location, spec, Existing.REFUSE, ZarrOptions.defaults());
    }

    /** Creates an array at {@code path} of a store. */
    public static ZarrArray createArray(
            Store store, String path, ArraySpec spec, Existing existing, ZarrOptions options) {
        return create(new Session(store, options.settings()), path, spec, existing);
    }

    /**
     * As {@link #createArray(Store, String, ArraySpec, Existing, ZarrOptions)}, without waiting. Cancelling the future
     * ends the requests; the array is then there or not, and creating it again with {@link Existing#OVERWRITE} makes
     * sure.
     */
    public static CompletableFuture<ZarrArray> createArrayAsync(
            Store store, String path, ArraySpec spec, Existing existing, ZarrOptions options) {
        Session session = new Session(store, options.settings());
        return session.async(() -> create(session, path, spec, existing));
    }

    /**
     * The metadata that an array of {@code spec} would have; nothing is created.
     *
     * @throws MetadataException if the specification contradicts itself
     * @throws UnsupportedException if it names what no plug-in claims
     */
    public static ArrayMetadata describe(ArraySpec spec, ZarrOptions options) {
        Json.Obj document = new SpecDocument(spec, options.registry()).json();
        return (ArrayMetadata) new MetadataReader(options.registry(), options.limits()).read(document);
    }

    /**
     * Begins an array at {@code path} of a store whose chunks are written first and whose metadata comes last, so that
     * it cannot be taken for complete before it is.
     */
    public static StagedArray stageArray(
            Store store, String path, ArrayMetadata metadata, Existing existing, ZarrOptions options) {
        Session session = new Session(store, options.settings());
        makeRoom(session, path, existing);
        return new StagedArray(session.given(), path, metadata);
    }

    /** Creates a group at {@code location}. */
    public static ZarrGroup createGroup(String location, Json.Obj attributes, Existing existing, ZarrOptions options) {
        return owned(location, options, session -> createGroup(session, "", attributes, existing));
    }

    /** Creates a group at {@code path} of a store. */
    public static ZarrGroup createGroup(
            Store store, String path, Json.Obj attributes, Existing existing, ZarrOptions options) {
        return createGroup(new Session(store, options.settings()), path, attributes, existing);
    }

    /**
     * As {@link #createGroup(Store, String, Json.Obj, Existing, ZarrOptions)}, without waiting. Cancelling the future
     * ends the requests; the group is then there or not.
     */
    public static CompletableFuture<ZarrGroup> createGroupAsync(
            Store store, String path, Json.Obj attributes, Existing existing, ZarrOptions options) {
        Session session = new Session(store, options.settings());
        return session.async(() -> createGroup(session, path, attributes, existing));
    }

    /** Opens the store at {@code location}, by its scheme; a plain path is a file path. */
    public static Store openStore(String location, ZarrOptions options) {
        return options.registry().open(Locations.uri(location), options.links());
    }

    private static <N> N owned(String location, ZarrOptions options, Function<Session, N> use) {
        Store store = openStore(location, options);
        try {
            return use.apply(new Session(store, options.settings()).owning());
        } catch (RuntimeException | Error e) {
            store.close();
            throw e;
        }
    }

    /** The node at the root of {@code session}, or one that has no folder, by its own session. */
    private static ZarrNode rooted(Session session, String location) {
        Optional<ZarrNode> own = find(session, "");
        if (own.isPresent()) {
            return own.get();
        }
        ZarrNode other = RootedNodes.find(Locations.uri(location), session.options(), Zarr::find)
                .orElseThrow(() -> missing(session, ""));
        session.close();
        return other;
    }

    static ZarrNode open(Session session, String path) {
        return find(session, path).orElseThrow(() -> missing(session, path));
    }

    static Optional<ZarrNode> find(Session session, String path) {
        NodePath.of(path);
        return session.call(() -> session.find(path), path)
                .filter(found -> StoredNodes.isThere(session, found))
                .map(found -> node(found, session));
    }

    static ZarrNode node(FoundNode found, Session shared) {
        return node(found.metadata(), shared.describedBy(found.foreign()), found.dataPath());
    }

    static ZarrNode node(NodeMetadata m, Session session, String path) {
        try {
            if (m instanceof UnsupportedNode u) {
                throw new UnsupportedException(u.reason().fact(), u.reason());
            }
            return m instanceof ArrayMetadata a
                    ? new ZarrArray(session, path, a)
                    : new ZarrGroup(session, path, (GroupMetadata) m);
        } catch (ZarrException e) {
            throw e.locate(Optional.of(session.location(path)), Optional.empty(), Optional.empty());
        }
    }

    private static ZarrException missing(Session session, String path) {
        return new MetadataException("there is no Zarr v3 array or group: zarr.json is not found" + others(session))
                .locate(Optional.of(session.location(path)), Optional.empty(), Optional.empty());
    }

    private static String others(Session session) {
        String names =
                session.registry().nodeFormats().stream().map(Extension::name).collect(Collectors.joining(", "));
        return names.isEmpty() ? "" : ", nor a node of " + names;
    }

    static ZarrArray array(ZarrNode node, Session session, String path) {
        if (node instanceof ZarrArray a) {
            return a;
        }
        throw new MetadataException("expected an array, found a group")
                .locate(Optional.of(session.location(path)), Optional.empty(), Optional.empty());
    }

    static ZarrGroup group(ZarrNode node, Session session, String path) {
        if (node instanceof ZarrGroup g) {
            return g;
        }
        throw new MetadataException("expected a group, found an array")
                .locate(Optional.of(session.location(path)), Optional.empty(), Optional.empty());
    }

    static ZarrArray create(Session session, String path, ArraySpec spec, Existing existing) {
        ArrayMetadata metadata =
                describe(spec, new ZarrOptions(session.options().with(session.registry())));
        ZarrArray array = new ZarrArray(session, path, metadata);
        put(session, path, metadata, existing);
        return array;
    }

    static ZarrGroup createGroup(Session session, String path, Json.Obj attributes, Existing existing) {
        GroupMetadata metadata = GroupMetadata.of(attributes);
        put(session, path, metadata, existing);
        return new ZarrGroup(session, path, metadata);
    }

    private static void put(Session session, String path, NodeMetadata metadata, Existing existing) {
        makeRoom(session, path, existing);
        session.putMetadata(path, metadata);
        Consolidated.created(session, path, metadata);
    }

    private static void makeRoom(Session session, String path, Existing existing) {
        NodePath.of(path);
        session.writable("creating an array or group");
        if (existing == Existing.OVERWRITE) {
            session.store().need(Prunes.class, "replacing an array or group");
        }
        if (existing == Existing.REFUSE && StoredNodes.exists(session, path)) {
            throw new StoreException("there already is a node; to replace it say so (Existing.OVERWRITE)")
                    .locate(Optional.of(session.location(path)), Optional.empty(), Optional.empty());
        }
        if (existing == Existing.OVERWRITE) {
            session.delete(path);
        }
    }
}
