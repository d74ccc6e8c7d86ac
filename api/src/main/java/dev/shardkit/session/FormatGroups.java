package dev.shardkit.session;

import dev.shardkit.metadata.NodePath;
import dev.shardkit.registry.FormatChoice;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.spi.GroupCreation;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Answer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * Creates groups in another format than Zarr v3, which the location of a store names. Immutable.
 *
 * @param node where the group is
 * @param format the name of the format
 * @param creation describes the groups
 */
public record FormatGroups(StoredNode node, String format, GroupCreation creation) {
    /** Returns the creation of a group at a node; empty unless its location names a format that has new groups. */
    public static Optional<FormatGroups> at(StoredNode node) {
        return NamedFormat.name(node.session().store()).flatMap(name -> node.session().registry().nodeFormats().stream()
                .filter(known -> known.name().equals(name))
                .findFirst()
                .flatMap(NodeFormat::groups)
                .map(groups -> new FormatGroups(node, name, groups)));
    }

    /**
     * Makes the document at the root of the tree that a new node is in, if there is none. The root is that of the store
     * if the node is below it; else the nearest local folder above whose name says so.
     *
     * @throws StoreException if it cannot be stored; the node itself is complete
     */
    public static void makeRoot(StoredNode node) {
        at(node).ifPresent(groups -> {
            try {
                groups.makeRoot();
            } catch (StoreException e) {
                throw node.located(new StoreException(
                        "the new node is complete, but the document at the root of its tree could not be made: "
                                + e.getMessage(),
                        e));
            }
        });
    }

    private void makeRoot() {
        if (!node.path().isEmpty()) {
            in(new StoredNode(node.session(), "")).stored(GroupCreation.Place.ROOT, Json.object());
            return;
        }
        Optional<Path> root = LocalPlace.root(node.session().store()).flatMap(this::rootAbove);
        if (root.isPresent()) {
            Settings settings = node.session().options();
            try (Store plain = node.session().registry().open(root.get().toUri(), settings.links())) {
                Store store = NamedFormat.choose(
                        plain, FormatChoice.named(format), node.session().registry());
                in(new StoredNode(new Session(store, settings), "")).stored(GroupCreation.Place.ROOT, Json.object());
            }
        }
    }

    private FormatGroups in(StoredNode other) {
        return new FormatGroups(other, format, creation);
    }

    private Optional<Path> rootAbove(Path folder) {
        return Stream.iterate(folder.toAbsolutePath().normalize().getParent(), Objects::nonNull, Path::getParent)
                .filter(above -> String.valueOf(above.getFileName()).endsWith(creation.rootEnding()))
                .findFirst()
                .filter(above -> !Files.exists(above.resolve(NodePath.DOCUMENT)));
    }

    /** Creates the group, and returns its node. Throws if there is a node with a document. */
    public StoredNode create(Json.Obj attributes) {
        node.session().writable("creating a group");
        NodePath.of(node.path());
        EnclosingArray.refuse(node);
        boolean exists =
                node.call(node::find).filter(found -> !found.isImplied()).isPresent()
                        || node.call(node::document).isPresent();
        boolean isRoot = node.path().isEmpty()
                && LocalPlace.root(node.session().store())
                        .flatMap(this::rootAbove)
                        .isEmpty();
        if (exists || !stored(isRoot ? GroupCreation.Place.ROOT : GroupCreation.Place.BELOW, attributes)) {
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

    /** Stores the document, unless there is one; returns whether it did. */
    private boolean stored(GroupCreation.Place place, Json.Obj attributes) {
        Bytes content = creation.document(place, attributes);
        AtomicBoolean done = new AtomicBoolean();
        node.session()
                .edits()
                .change(
                        key(),
                        policy -> absent().map(isAbsent -> {
                            done.set(isAbsent);
                            return isAbsent ? Edit.replace(content) : new Edit.Keep();
                        }),
                        node.writing());
        return done.get();
    }

    private Plan<Boolean> absent() {
        return Source.stored(key())
                .read(new ByteRange.Suffix(1), (answer, scratch) -> !(answer instanceof Answer.Found));
    }
}
