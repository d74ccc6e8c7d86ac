package dev.shardkit.store.zip;

import dev.shardkit.store.BlockingListings;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Listings;
import dev.shardkit.store.OwnNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Lists an archive's entries from its directory and the unpublished changes. */
final class ArchiveListing {
    private ArchiveListing() {}

    /** Lists an archive in a local store. */
    record Local(LocalZip reads, EntryNames names, UnpublishedChanges changes) implements BlockingListings {
        @Override
        public void list(String prefix, Consumer<Entry> entries) throws IOException {
            String fullPrefix = names.entryPrefix(prefix);
            children(reads.directory().members(), changes.sizes(), fullPrefix).forEach(entries);
        }
    }

    /** Lists an archive in a remote store. Sends no request if the directory has been read. */
    record Remote(RemoteZip reads, EntryNames names) implements Listings {
        @Override
        public Listings.Names list(String prefix, Depth depth) {
            String fullPrefix = names.entryPrefix(prefix);
            return new Listings.Names() {
                private boolean done;

                @Override
                public CompletionStage<List<Entry>> next() {
                    if (done) {
                        return CompletableFuture.completedFuture(List.of());
                    }
                    done = true;
                    return reads.directory()
                            .thenApply(d -> depth == Depth.ALL
                                    ? all(d.members(), fullPrefix)
                                    : children(d.members(), new TreeMap<>(), fullPrefix));
                }
            };
        }
    }

    /** Visits the entries below a prefix that listings leave out, because a name in their path is reserved. */
    static void reserved(
            NavigableMap<String, ArchiveEntry> members,
            NavigableMap<String, OptionalLong> changed,
            String fullPrefix,
            Consumer<String> entries) {
        Set<String> names = new TreeSet<>(members.keySet());
        changed.forEach((name, size) -> {
            if (size.isPresent()) {
                names.add(name);
            } else {
                names.remove(name);
            }
        });
        names.stream()
                .filter(name -> name.startsWith(fullPrefix))
                .map(name -> name.substring(fullPrefix.length()))
                .filter(OwnNames::isBelowOwn)
                .forEach(entries);
    }

    /**
     * Returns the objects and prefixes directly below a prefix.
     *
     * @param changed the sizes of changed entries, as in {@link UnpublishedChanges#sizes}
     */
    private static List<Entry> children(
            NavigableMap<String, ArchiveEntry> members, NavigableMap<String, OptionalLong> changed, String fullPrefix) {
        TreeMap<String, Entry> entries = new TreeMap<>();
        Optional<String> key = Optional.ofNullable(members.ceilingKey(fullPrefix));
        while (key.isPresent() && key.get().startsWith(fullPrefix)) {
            String name = key.get();
            boolean isUnchanged = !changed.containsKey(name);
            if (isUnchanged) {
                add(
                        entries,
                        name.substring(fullPrefix.length()),
                        members.get(name).size());
            }
            int slash = name.indexOf('/', fullPrefix.length());
            // '0' is the character after '/', so this skips the other names below the same prefix.
            key = Optional.ofNullable(
                    isUnchanged && slash >= 0
                            ? members.ceilingKey(name.substring(0, slash) + '0')
                            : members.higherKey(name));
        }
        changed.tailMap(fullPrefix, true).forEach((name, size) -> {
            if (name.startsWith(fullPrefix) && size.isPresent()) {
                add(entries, name.substring(fullPrefix.length()), size.getAsLong());
            }
        });
        return List.copyOf(entries.values());
    }

    private static void add(TreeMap<String, Entry> entries, String relative, long size) {
        int slash = relative.indexOf('/');
        String name = slash < 0 ? relative : relative.substring(0, slash);
        if (!OwnNames.isOwn(name)) {
            entries.put(
                    slash < 0 ? name : name + "/", slash < 0 ? object(name, size) : new Entry(name, Entry.Kind.PREFIX));
        }
    }

    private static Entry object(String name, long size) {
        return new Entry(name, Entry.Kind.OBJECT, OptionalLong.of(size), Optional.empty());
    }

    /** Returns all objects below a prefix. */
    private static List<Entry> all(NavigableMap<String, ArchiveEntry> members, String fullPrefix) {
        List<Entry> entries = new ArrayList<>();
        members.tailMap(fullPrefix, true).forEach((name, member) -> {
            String relative = name.startsWith(fullPrefix) ? name.substring(fullPrefix.length()) : "";
            if (!relative.isEmpty() && !OwnNames.isBelowOwn(relative)) {
                entries.add(object(relative, member.size()));
            }
        });
        return entries;
    }
}
