package dev.shardkit.session.creation;

import dev.shardkit.registry.FormatChoice;
import dev.shardkit.session.Session;
import dev.shardkit.session.Settings;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Recognizes arrays of the formats that shardkit detects in local stores only, such as N5 and wkw. Stateless. */
final class LocalFormats {
    private LocalFormats() {}

    /** Returns whether {@code node} is an array of such a format in a local store; false for remote stores. */
    static boolean isArray(StoredNode node) {
        return node.session().isLocal()
                && node.session().registry().nodeFormats().stream()
                        .anyMatch(format -> isLocal(format)
                                && node.<Boolean>store(s -> hasDocument(format, node, s))
                                && describesArray(format, node));
    }

    /** Returns whether a local folder outside the store of a session is an array of such a format. */
    static boolean isArray(Path folder, Settings settings) {
        boolean isCandidate = settings.registry().get().nodeFormats().stream()
                .anyMatch(format -> isLocal(format)
                        && format.documentNames().stream().anyMatch(name -> Files.isRegularFile(folder.resolve(name))));
        if (!isCandidate) {
            return false;
        }
        try (Store store = settings.registry().get().open(folder.toUri(), settings.links())) {
            return isArray(new StoredNode(new Session(store, settings.with(FormatChoice.USUAL)), ""));
        } catch (StoreException e) {
            return false; // the folder cannot be read
        }
    }

    private static boolean isLocal(NodeFormat format) {
        return format.search() == NodeFormat.Search.LOCAL;
    }

    private static boolean hasDocument(NodeFormat format, StoredNode node, BlockingStore store) throws IOException {
        for (String name : format.documentNames()) {
            Optional<ObjectSnapshot> document = store.open(node.key(name));
            if (document.isPresent()) {
                document.get().close();
                return true;
            }
        }
        return false;
    }

    /** Returns whether the documents of a format describe an array at the node. */
    private static boolean describesArray(NodeFormat format, StoredNode node) {
        try {
            return node.session()
                    .engine()
                    .call(
                            () -> node.session().search().isArray(format, node.path()),
                            node.reading().quiet());
        } catch (UnsupportedException e) {
            return true; // an array with features that Zarr v3 lacks
        } catch (MetadataException | CorruptDataException e) {
            return false; // a file of the same name that is something else
        }
    }
}
