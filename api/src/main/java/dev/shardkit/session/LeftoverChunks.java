package dev.shardkit.session;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Unit;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Lists;
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
        if (node.session().store().find(Lists.class).isEmpty()) {
            return;
        }
        try {
            look(node, array);
        } catch (UnsupportedException e) {
            // this store lists, but not here: an HTTP server without an index, for example
        }
    }

    private static void look(StoredNode node, ArrayMetadata array) {
        String first = array.chunkKeyEncoding().encode(new long[array.rank()]);
        Pattern chunk = pattern(first);
        Pattern begin = pattern(first.split("/", 2)[0]);
        List<String> folders = new ArrayList<>();
        node.session().list(node.path(), entry -> {
            if (entry.kind() == Entry.Kind.OBJECT) {
                refuse(node, chunk, entry.name());
            } else if (begin.matcher(entry.name()).matches()) {
                folders.add(entry.name());
            }
        });
        for (String folder : folders) {
            node.store(store -> {
                store.listAll(node.key(folder), entry -> refuse(node, chunk, StoreKeys.join(folder, entry.name())));
                return Unit.UNIT;
            });
        }
    }

    /** Returns the pattern of all keys that differ from {@code key} only in their numbers. */
    private static Pattern pattern(String key) {
        StringBuilder pattern = new StringBuilder();
        for (String text : key.split("(?<=\\d)(?=\\D)|(?<=\\D)(?=\\d)")) {
            pattern.append(Character.isDigit(text.charAt(0)) ? "\\d+" : Pattern.quote(text));
        }
        return Pattern.compile(pattern.toString());
    }

    private static void refuse(StoredNode node, Pattern chunk, String name) {
        if (chunk.matcher(name).matches()) {
            throw node.located(new StoreException("chunks without an array exist here, such as " + name
                    + ", perhaps from an interrupted deletion; Existing.OVERWRITE removes them"));
        }
    }
}
