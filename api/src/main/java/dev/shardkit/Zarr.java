package dev.shardkit;

import dev.shardkit.engine.threads.CallSequence;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.GroupMetadata;
import dev.shardkit.metadata.MetadataReader;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.metadata.UnsupportedNode;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.registry.Registry;
import dev.shardkit.session.ImpliedGroups;
import dev.shardkit.session.RootDocumentNodes;
import dev.shardkit.session.Session;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.creation.NodePreconditions;
import dev.shardkit.session.diagnosis.MissingNodeDiagnosis;
import dev.shardkit.session.location.Locations;
import dev.shardkit.session.search.FoundNode;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens and creates arrays and groups. A location is the folder of the node: a file path, or a URI whose scheme belongs
 * to a store plug-in, such as {@code file:}, {@code memory:}, {@code https:}, {@code zip:} or {@code s3:}. Stateless
 * and thread-safe.
 */
public final class Zarr {
    private Zarr() {}

    /** Opens the array at {@code location} with the default options. */
    public static ZarrArray openArray(String location) {
        return openArray(location, ZarrOptions.defaults());
    }

    /**
     * Opens the array at {@code location}.
     *
     * @throws MetadataException if there is no array, or its metadata is invalid
     */
    public static ZarrArray openArray(String location, ZarrOptions options) {
        return owned(location, options, root -> ZarrNode.array(rooted(root, location), root));
    }

    /** Opens the array at {@code path} of a store. Closing the array leaves the store open. */
    public static ZarrArray openArray(Store store, String path, ZarrOptions options) {
        StoredNode node = node(store, path, options);
        return ZarrNode.array(open(node), node);
    }

    /**
     * Opens an array whose metadata come from the caller instead of {@code zarr.json}, for example from a catalogue.
     * Its chunks are below {@code path}. Opening reads nothing.
     */
    public static ZarrArray openArray(Store store, String path, ArrayMetadata metadata, ZarrOptions options) {
        NodePath.of(path); // throws if it is malformed
        return new ZarrArray(new StoredNode(new Session(store, options.settings()).given(), path), metadata);
    }

    /** Asynchronous form of {@link #openArray(Store, String, ZarrOptions)}. */
    public static CompletableFuture<ZarrArray> openArrayAsync(Store store, String path, ZarrOptions options) {
        StoredNode node = node(store, path, options);
        NodePath.of(path); // throws if it is malformed
        return node.start(() -> node.find()
                .map(found -> ZarrNode.array(
                        node(
                                found.orElseThrow(
                                        () -> MissingNodeDiagnosis.error(node, MissingNodeDiagnosis.Probes.LOCAL)),
                                node.session()),
                        node)));
    }

    /**
     * Asynchronous form of {@link #openArray(String, ZarrOptions)}. Cancelling the future stops the requests and closes
     * the store.
     */
    public static CompletableFuture<ZarrArray> openArrayAsync(String location, ZarrOptions options) {
        return ownedAsync(() -> openArray(location, options), options);
    }

    /** Opens the group at {@code location} with the default options. */
    public static ZarrGroup openGroup(String location) {
        return openGroup(location, ZarrOptions.defaults());
    }

    /** Opens the group at {@code location}. */
    public static ZarrGroup openGroup(String location, ZarrOptions options) {
        return owned(location, options, root -> ZarrNode.group(rooted(root, location), root));
    }

    /** Opens the group at {@code path} of a store. Closing the group leaves the store open. */
    public static ZarrGroup openGroup(Store store, String path, ZarrOptions options) {
        StoredNode node = node(store, path, options);
        return ZarrNode.group(open(node), node);
    }

    /**
     * Asynchronous form of {@link #openGroup(Store, String, ZarrOptions)}. Cancelling the future stops the requests.
     */
    public static CompletableFuture<ZarrGroup> openGroupAsync(Store store, String path, ZarrOptions options) {
        StoredNode node = node(store, path, options);
        NodePath.of(path); // throws if it is malformed
        return CallSequence.inOrder(
                CallSequence.inOrder(node.start(node::find), found -> ImpliedGroups.existing(found, node.session())),
                found -> CompletableFuture.completedFuture(ZarrNode.group(
                        node(
                                found.orElseThrow(
                                        () -> MissingNodeDiagnosis.error(node, MissingNodeDiagnosis.Probes.LOCAL)),
                                node.session()),
                        node)));
    }

    /**
     * Asynchronous form of {@link #openGroup(String, ZarrOptions)}. Cancelling the future stops the requests and closes
     * the store.
     */
    public static CompletableFuture<ZarrGroup> openGroupAsync(String location, ZarrOptions options) {
        return ownedAsync(() -> openGroup(location, options), options);
    }

    /** Opens the array or group at {@code location}. */
    public static ZarrNode open(String location, ZarrOptions options) {
        return owned(location, options, root -> rooted(root, location));
    }

    /**
     * Opens the array or group at {@code path} of a store; empty if there is none. A failed request is an error, not an
     * empty result.
     */
    public static Optional<ZarrNode> find(Store store, String path, ZarrOptions options) {
        return find(node(store, path, options));
    }

    /**
     * Returns the document {@code zarr.json} of the node at {@code path} of a store without interpreting it, even if it
     * names extensions without a plug-in; empty if there is none.
     */
    public static Optional<Json.Obj> document(Store store, String path, ZarrOptions options) {
        StoredNode node = node(store, path, options);
        return node.call(node::document);
    }

    /**
     * Creates an array at {@code location}, and the store if it does not exist. A location that begins with
     * {@code neuroglancer:}, {@code n5:} or {@code wkw:} makes an array of that format. With {@code neuroglancer:}, the
     * location is that of a volume, which is made if there is none. The array is a new scale of the volume, at a path
     * of its own below the location ({@link ZarrNode#path}).
     *
     * @throws IllegalArgumentException if that format cannot store such an array
     */
    public static ZarrArray createArray(String location, ArraySpec spec, IfExists existing, ZarrOptions options) {
        return owned(location, options, root -> NewNodes.array(root, spec, existing));
    }

    /** Creates an array at {@code location} with the default options. Fails if there is a node. */
    public static ZarrArray createArray(String location, ArraySpec spec) {
        return createArray(location, spec, ZarrOptions.defaults());
    }

    /** Creates an array at {@code location}. Fails if there is a node. */
    public static ZarrArray createArray(String location, ArraySpec spec, ZarrOptions options) {
        return createArray(location, spec, IfExists.REFUSE, options);
    }

    /** Creates an array at {@code path} of a store. */
    public static ZarrArray createArray(
            Store store, String path, ArraySpec spec, IfExists existing, ZarrOptions options) {
        return NewNodes.array(node(store, path, options), spec, existing);
    }

    /**
     * Asynchronous form of {@link #createArray(Store, String, ArraySpec, IfExists, ZarrOptions)}. Cancelling the future
     * stops the requests. The array may exist afterwards; creating it again with {@link IfExists#OVERWRITE} is safe.
     */
    public static CompletableFuture<ZarrArray> createArrayAsync(
            Store store, String path, ArraySpec spec, IfExists existing, ZarrOptions options) {
        StoredNode node = node(store, path, options);
        return node.session().async(() -> NewNodes.array(node, spec, existing));
    }

    /**
     * Returns the metadata that an array of {@code spec} would have. Creates nothing.
     *
     * @throws MetadataException if the specification contradicts itself
     * @throws UnsupportedException if it names an extension that no plug-in implements
     */
    public static ArrayMetadata describe(ArraySpec spec, ZarrOptions options) {
        Json.Obj document = spec.document(options.registry());
        return (ArrayMetadata) new MetadataReader(options.registry(), options.limits()).read(document);
    }

    /**
     * Begins an array whose chunks are written first and whose metadata is written last. Readers find no array before
     * it is complete.
     */
    public static StagedArray stageArray(
            Store store, String path, ArrayMetadata metadata, IfExists existing, ZarrOptions options) {
        StoredNode node = node(store, path, options);
        switch (existing) {
            case REFUSE -> NodePreconditions.refuseExisting(node);
            case OVERWRITE -> NodePreconditions.deleteExisting(node);
        }
        return new StagedArray(node.in(node.session().given()), metadata);
    }

    /**
     * Begins an array of {@code spec} in the format that the location or the options name, otherwise of Zarr v3. Its
     * metadata are stored when it is published.
     *
     * @throws IllegalArgumentException if that format cannot store such an array, or cannot replace a node
     */
    public static StagedArray stageArray(
            Store store, String path, ArraySpec spec, IfExists existing, ZarrOptions options) {
        return ForeignFormatCreation.at(node(store, path, options))
                .map(format -> format.stage(spec, existing))
                .orElseGet(() -> stageArray(store, path, describe(spec, options), existing, options));
    }

    /**
     * Creates a group at {@code location}. A location that begins with {@code n5:} makes a group of N5.
     *
     * @throws IllegalArgumentException for a group of N5 with {@link IfExists#OVERWRITE}, which N5 does not support
     */
    public static ZarrGroup createGroup(String location, Json.Obj attributes, IfExists existing, ZarrOptions options) {
        return owned(location, options, root -> NewNodes.group(root, attributes, existing));
    }

    /** Creates a group at {@code path} of a store. */
    public static ZarrGroup createGroup(
            Store store, String path, Json.Obj attributes, IfExists existing, ZarrOptions options) {
        return NewNodes.group(node(store, path, options), attributes, existing);
    }

    /**
     * Asynchronous form of {@link #createGroup(Store, String, Json.Obj, IfExists, ZarrOptions)}. Cancelling the future
     * stops the requests; the group may exist afterwards.
     */
    public static CompletableFuture<ZarrGroup> createGroupAsync(
            Store store, String path, Json.Obj attributes, IfExists existing, ZarrOptions options) {
        StoredNode node = node(store, path, options);
        return node.session().async(() -> NewNodes.group(node, attributes, existing));
    }

    /** Opens the store at {@code location}. The scheme selects the plug-in; without a scheme it is a file path. */
    public static Store openStore(String location, ZarrOptions options) {
        Registry registry = options.registry();
        Store store = registry.open(Locations.uri(location), options.links());
        try {
            return NamedFormat.choose(store, options.formats(), registry);
        } catch (RuntimeException | Error e) {
            store.close();
            throw e;
        }
    }

    /** Returns the node at a path, in a session that leaves the store open. */
    private static StoredNode node(Store store, String path, ZarrOptions options) {
        return new StoredNode(new Session(store, options.settings()), path);
    }

    /** Uses the root node of the store at {@code location}, whose session closes the store. */
    private static <N> N owned(String location, ZarrOptions options, Function<StoredNode, N> use) {
        Registry registry = options.registry();
        Store store = registry.open(Locations.uri(location), options.links());
        try {
            return use.apply(new StoredNode(new Session(store, options.settings(), registry).owning(), ""));
        } catch (RuntimeException | Error e) {
            store.close();
            throw e;
        }
    }

    /** Opens a node on a thread of its own. If the future is cancelled before the node is open, closes the node. */
    private static <N extends ZarrNode> CompletableFuture<N> ownedAsync(Supplier<N> open, ZarrOptions options) {
        // The node may be opened before or after the future is cancelled. The later event discards the node.
        AtomicReference<@Nullable N> unclaimed = new AtomicReference<>();
        AtomicBoolean isRefused = new AtomicBoolean();
        Runnable discard = () -> {
            N node = unclaimed.getAndSet(null);
            if (node != null) {
                node.close();
            }
        };
        CompletableFuture<N> opening = options.settings().async(() -> {
            N node = open.get();
            unclaimed.set(node);
            if (isRefused.get()) {
                discard.run();
            }
            return node;
        });
        opening.whenComplete((node, thrown) -> {
            if (thrown != null) {
                isRefused.set(true);
                discard.run();
            }
        });
        return opening;
    }

    /**
     * Opens the root node. If there is none, opens the node at {@code location} that a document in a folder above
     * describes. That node has a store and a session of its own, so this method closes the session of {@code root}.
     */
    private static ZarrNode rooted(StoredNode root, String location) {
        Optional<ZarrNode> node = find(root);
        if (node.isPresent()) {
            return node.get();
        }
        ZarrNode other = RootDocumentNodes.find(
                        root.session().store(),
                        Locations.uri(location),
                        root.session().options(),
                        Zarr::find)
                .orElseThrow(() -> MissingNodeDiagnosis.error(root, MissingNodeDiagnosis.Probes.ALL));
        root.session().close();
        return other;
    }

    static ZarrNode open(StoredNode node) {
        return find(node).orElseThrow(() -> MissingNodeDiagnosis.error(node, MissingNodeDiagnosis.Probes.ALL));
    }

    static Optional<ZarrNode> find(StoredNode node) {
        NodePath.of(node.path()); // throws if it is malformed
        return node.call(node::find)
                .filter(found -> ImpliedGroups.isThere(found, node.session()))
                .map(found -> node(found, node.session()));
    }

    static ZarrNode node(FoundNode found, Session shared) {
        return node(found.metadata(), new StoredNode(shared.describedBy(found.foreign()), found.dataPath()));
    }

    static ZarrNode node(NodeMetadata metadata, StoredNode node) {
        try {
            if (metadata instanceof UnsupportedNode unsupported) {
                throw new UnsupportedException(unsupported.reason().fact(), unsupported.reason());
            }
            return metadata instanceof ArrayMetadata array
                    ? new ZarrArray(node, array)
                    : new ZarrGroup(node, (GroupMetadata) metadata);
        } catch (ZarrException e) {
            throw node.located(e);
        }
    }
}
