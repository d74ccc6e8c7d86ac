package dev.shardkit.session.creation;

import dev.shardkit.engine.edit.ObjectChange;
import dev.shardkit.json.JsonReader;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.registry.FormatChoice;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.session.Session;
import dev.shardkit.session.Settings;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.location.Locations;
import dev.shardkit.session.search.FoundNode;
import dev.shardkit.spi.GroupCreation;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * Creates groups in another format than Zarr v3, if the location of the store names this format. Immutable.
 *
 * @param node where the group is
 * @param format the name of the format
 * @param creation makes the documents of new groups in that format
 */
public record FormatGroups(StoredNode node, String format, GroupCreation creation) {
    /** Returns the creation of groups at a node; empty unless its location names a format that can create groups. */
    public static Optional<FormatGroups> at(StoredNode node) {
        return NamedFormat.name(node.session().store()).flatMap(name -> node.session().registry().nodeFormats().stream()
                .filter(registered -> registered.name().equals(name))
                .findFirst()
                .flatMap(NodeFormat::groupCreation)
                .map(groups -> new FormatGroups(node, name, groups)));
    }

    /**
     * Makes the document at the root of the tree that contains a new node, if there is none. The root is the store's
     * root if the node is below it; otherwise the nearest local parent folder whose name has the format's ending.
     * Returns a failure instead of throwing it, because the node itself is complete.
     *
     * @return why the document is missing, or what it lacks; empty if it is complete, or the format has none
     */
    public static Optional<String> makeRoot(StoredNode node) {
        return at(node).flatMap(groups -> {
            try {
                return groups.makeRoot();
            } catch (ZarrException e) {
                return Optional.of("the node " + node.location() + " is complete, but the document at the root of its "
                        + "tree could not be made: " + e.getMessage());
            }
        });
    }

    /** Makes the document at the root for this new node. */
    private Optional<String> makeRoot() {
        if (!node.path().isEmpty()) {
            return withNode(new StoredNode(node.session(), "")).storeRoot();
        }
        Optional<Path> root = Locations.localFolder(node.session().store()).flatMap(this::rootFolderAbove);
        if (root.isEmpty()) {
            return Optional.empty();
        }
        Settings settings = node.session().options();
        try (Store plain = node.session().registry().open(root.get().toUri(), settings.links())) {
            Store store = NamedFormat.choose(
                    plain, FormatChoice.named(format), node.session().registry());
            return withNode(new StoredNode(new Session(store, settings), "")).storeRoot();
        }
    }

    /** Stores the document of a root, or returns what the stored one lacks. */
    private Optional<String> storeRoot() {
        Limits limits = node.session().options().limits();
        return storeUnlessPresent(GroupCreation.Place.ROOT, Json.object()).flatMap(stored -> {
            Json document = JsonReader.read(stored.toArray(), limits);
            Json expected = JsonReader.read(
                    creation.document(GroupCreation.Place.ROOT, Json.object()).toArray(), limits);
            return document instanceof Json.Obj root
                            && root.members()
                                    .keySet()
                                    .containsAll(((Json.Obj) expected).members().keySet())
                    ? Optional.empty()
                    : Optional.of("the document " + key() + " at the root " + node.location()
                            + " of the tree states no version of " + format + ": expected members such as " + expected);
        });
    }

    private FormatGroups withNode(StoredNode node) {
        return new FormatGroups(node, format, creation);
    }

    /** Returns the nearest folder above whose name has the format's ending, unless it is a node of Zarr v3. */
    private Optional<Path> rootFolderAbove(Path folder) {
        return Stream.iterate(folder.toAbsolutePath().normalize().getParent(), Objects::nonNull, Path::getParent)
                .filter(ancestor -> String.valueOf(ancestor.getFileName()).endsWith(creation.rootEnding()))
                .findFirst()
                .filter(ancestor -> !Files.exists(ancestor.resolve(NodePath.DOCUMENT)));
    }

    /** Creates the group, and returns its node. Throws if a node with a document exists here. */
    public StoredNode create(Json.Obj attributes) {
        node.session().writable("creating a group");
        NodePath.of(node.path()).checkedNew();
        EnclosingArray.refuse(node);
        boolean exists =
                node.call(node::find).filter(found -> !found.isImplied()).isPresent()
                        || node.call(node::document).isPresent();
        boolean isRoot = node.path().isEmpty()
                && Locations.localFolder(node.session().store())
                        .flatMap(this::rootFolderAbove)
                        .isEmpty();
        GroupCreation.Place position = isRoot ? GroupCreation.Place.ROOT : GroupCreation.Place.BELOW;
        if (exists || storeUnlessPresent(position, attributes).isPresent()) {
            throw node.located(new StoreException("an array or group already exists here"));
        }
        makeRoot(node);
        return new StoredNode(
                node.session()
                        .describedBy(new FoundNode.Foreign(
                                format,
                                NodeFormat.Evidence.STATED,
                                new NodeFormat.Children(node.path(), List.of()),
                                Set.of(key()))),
                node.path());
    }

    private String key() {
        return node.key(creation.documentName());
    }

    /** Stores the document unless one exists. Returns the existing document; empty if this call has stored one. */
    private Optional<Bytes> storeUnlessPresent(GroupCreation.Place position, Json.Obj attributes) {
        Bytes content = creation.document(position, attributes);
        AtomicReference<Optional<Bytes>> existing = new AtomicReference<>(Optional.empty());
        node.session()
                .edits()
                .change(
                        key(),
                        ObjectChange.once(policy -> document().map(found -> {
                            existing.set(found);
                            return found.isPresent() ? new Edit.Keep() : Edit.replace(content);
                        })),
                        node.writing());
        return existing.get();
    }

    /** Reads the document of the group; empty if there is none. */
    private Plan<Optional<Bytes>> document() {
        return Source.stored(key())
                .read(
                        ByteRange.whole(node.session().options().limits().metadataBytes()),
                        (result, scratch) -> result instanceof ReadResult.Found found
                                ? Optional.of(found.bytes().copy())
                                : Optional.empty());
    }
}
