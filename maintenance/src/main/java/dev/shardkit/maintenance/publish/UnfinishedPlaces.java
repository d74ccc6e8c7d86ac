package dev.shardkit.maintenance.publish;

import dev.shardkit.ZarrGroup;
import dev.shardkit.maintenance.chunks.StoreCalls;
import dev.shardkit.session.publication.WorkKind;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Listings;
import dev.shardkit.store.Store;
import dev.shardkit.store.Writes;
import dev.shardkit.store.access.BlockingStore;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/** Finds unfinished work at a group, and in its folders where readers find no node. Stateless. */
public final class UnfinishedPlaces {
    private UnfinishedPlaces() {}

    /**
     * Describes the unfinished work at a group, such as a pyramid or a copy, with advice. Empty if there is none, or if
     * it is a replacement, which is reported at its arrays.
     */
    public static Optional<String> describe(ZarrGroup group) {
        Publication publication = Publication.at(group);
        try {
            return publication
                    .record()
                    .filter(record -> record.work() != WorkKind.REPLACEMENT)
                    .map(publication::describe);
        } catch (MetadataException e) {
            return Optional.of(e.fact());
        }
    }

    /**
     * Visits the folders of a group that hold unfinished work and no node: not yet or, in a move, no more. No-op in a
     * store that cannot write or list.
     *
     * @param nodes the names of the group's children
     * @param found receives the path of each folder, and a description of the work with advice
     * @param failed receives the path of a folder that cannot be read, or of the group, and the reason
     */
    public static void visitFolders(
            ZarrGroup group, Set<String> nodes, BiConsumer<String, String> found, BiConsumer<String, String> failed) {
        Store store = AllOrNothing.store(group);
        if (!store.can(Writes.class) || !store.can(Listings.class)) {
            return;
        }
        StoreCalls calls = new StoreCalls(BlockingStore.to(store), group.location());
        Set<String> folders = new TreeSet<>();
        try {
            calls.run(s -> s.list(group.path(), entry -> {
                if (entry.kind() == Entry.Kind.PREFIX && !nodes.contains(entry.name())) {
                    folders.add(StoreKeys.join(group.path(), entry.name()));
                }
            }));
        } catch (StoreException e) {
            failed.accept(group.path(), "folders without a node cannot be listed: " + e.fact());
        }
        for (String folder : folders) {
            try {
                calls.get(s -> WorkKind.at(s, folder))
                        .ifPresent(work -> found.accept(folder, work.text() + ": " + work.advice()));
            } catch (StoreException e) {
                failed.accept(folder, "whether it holds unfinished work cannot be read: " + e.fact());
            }
        }
    }
}
