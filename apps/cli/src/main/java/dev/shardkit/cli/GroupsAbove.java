package dev.shardkit.cli;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Makes the groups that are missing between a group and a new node below it, in local folders. Without them the node
 * would be no part of the hierarchy. Stateless.
 */
final class GroupsAbove {
    private static final String FILE = "file:";
    private static final List<String> OTHER_NODES = List.of(".zarray", ".zgroup", "attributes.json", "info");

    private GroupsAbove() {}

    /** Makes the missing groups above the root of a store. Where no folder above is a group, makes none. */
    static void make(Store store, ZarrOptions options, Output output) {
        String place = store.describe();
        if (!place.startsWith(FILE)) {
            return;
        }
        Deque<Path> missing = new ArrayDeque<>();
        Path folder = Path.of(place.substring(FILE.length())).getParent();
        while (folder != null && !Files.exists(folder.resolve("zarr.json"))) {
            if (cannotBeGroup(folder)) {
                return;
            }
            missing.push(folder);
            folder = folder.getParent();
        }
        if (folder != null && !missing.isEmpty() && isGroup(folder, options)) {
            for (Path group : missing) {
                Zarr.createGroup(group.toString(), Json.object(), Zarr.Existing.REFUSE, options)
                        .close();
                output.message("made the group " + group);
            }
        }
    }

    private static boolean cannotBeGroup(Path folder) {
        return Files.isSymbolicLink(folder)
                || String.valueOf(folder.getFileName()).startsWith("__")
                || OTHER_NODES.stream().anyMatch(name -> Files.exists(folder.resolve(name)));
    }

    private static boolean isGroup(Path folder, ZarrOptions options) {
        try (Store store = Zarr.openStore(folder.toString(), options)) {
            Optional<ZarrNode> found = Zarr.find(store, "", options);
            found.ifPresent(ZarrNode::close);
            return found.filter(ZarrGroup.class::isInstance).isPresent();
        }
    }
}
