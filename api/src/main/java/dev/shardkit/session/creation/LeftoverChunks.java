package dev.shardkit.session.creation;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Listings;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Refuses to create an array at a path with stored chunks, because they would become elements of the new array. */
public final class LeftoverChunks {
    private LeftoverChunks() {}

    /**
     * Throws if there are stored chunks, for example from an interrupted deletion. Does nothing if the store does not
     * support listing.
     */
    public static void refuse(StoredNode node, ArrayMetadata array) {
        if (node.session().store().find(Listings.class).isEmpty()) {
            return;
        }
        try {
            search(node, array);
        } catch (UnsupportedException e) {
            // The store supports listing, but not at this path: for example, an HTTP server without an index page.
        }
    }

    /** Lists the node's objects, and the objects in folders whose names may begin chunk keys. */
    private static void search(StoredNode node, ArrayMetadata array) {
        String firstKey = array.chunkKeyEncoding().encode(new long[array.rank()]);
        Pattern chunkKey = pattern(firstKey);
        Pattern firstName = pattern(firstKey.split("/", 2)[0]);
        List<String> folders = new ArrayList<>();
        node.session().list(node.path(), entry -> {
            if (entry.kind() == Entry.Kind.OBJECT) {
                refuse(node, chunkKey, entry.name());
            } else if (firstName.matcher(entry.name()).matches()) {
                folders.add(entry.name());
            }
        });
        for (String folder : folders) {
            node.store(store -> {
                store.listAll(node.key(folder), entry -> refuse(node, chunkKey, StoreKeys.join(folder, entry.name())));
                return NoResult.INSTANCE;
            });
        }
    }

    /** Returns the pattern of all keys that differ from {@code key} only in their numbers. */
    private static Pattern pattern(String key) {
        StringBuilder pattern = new StringBuilder();
        // the runs of digits and of other characters
        for (String text : key.split("(?<=\\d)(?=\\D)|(?<=\\D)(?=\\d)")) {
            pattern.append(Character.isDigit(text.charAt(0)) ? "\\d+" : Pattern.quote(text));
        }
        return Pattern.compile(pattern.toString());
    }

    private static void refuse(StoredNode node, Pattern chunkKey, String name) {
        if (chunkKey.matcher(name).matches()) {
            throw node.located(new StoreException("chunks without an array exist here, such as " + name
                    + ", perhaps from an interrupted deletion; IfExists.OVERWRITE removes them"));
        }
    }
}
