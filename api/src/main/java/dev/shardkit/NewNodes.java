package dev.shardkit;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.GroupMetadata;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.session.Settings;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.consolidated.ConsolidatedUpdates;
import dev.shardkit.session.creation.FormatGroups;
import dev.shardkit.session.creation.LeftoverChunks;
import dev.shardkit.session.creation.NodePreconditions;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import java.util.Optional;

/**
 * Creates one array or group at a node of an open store, in Zarr v3 or in the format of the store. {@link Zarr} is the
 * public entry, which opens the store. Stateless.
 */
final class NewNodes {
    /** The maximum number of attempts if other programs create a node at the same path again and again. */
    private static final int MAX_ATTEMPTS = 100;

    private NewNodes() {}

    /** Creates an array. */
    static ZarrArray array(StoredNode node, ArraySpec spec, IfExists existing) {
        Optional<ForeignFormatCreation> format = ForeignFormatCreation.at(node);
        if (format.isPresent()) {
            return format.get().create(spec, existing);
        }
        Settings settings = node.session().options().with(node.session().registry());
        ArrayMetadata metadata = Zarr.describe(spec, new ZarrOptions(settings));
        ZarrArray array = new ZarrArray(node, metadata);
        put(node, metadata, existing);
        return array;
    }

    /** Creates a group. */
    static ZarrGroup group(StoredNode node, Json.Obj attributes, IfExists existing) {
        GroupMetadata metadata = GroupMetadata.of(attributes);
        Optional<FormatGroups> format = FormatGroups.at(node);
        if (format.isPresent()) {
            if (existing == IfExists.OVERWRITE) {
                throw new IllegalArgumentException("a group in the format "
                        + format.get().format() + " replaces nothing: remove the old node first");
            }
            return new ZarrGroup(format.get().create(attributes), metadata);
        }
        put(node, metadata, existing);
        return new ZarrGroup(node, metadata);
    }

    /** Creates a node of Zarr v3, and records it in the consolidated metadata above it. */
    private static void put(StoredNode node, NodeMetadata metadata, IfExists existing) {
        int attempts = 0;
        do {
            if (attempts++ == MAX_ATTEMPTS) {
                throw node.located(new StoreException("other programs create arrays or groups here all the time"));
            }
            prepare(node, metadata, existing);
        } while (!tryCreate(node, metadata, existing));
        ConsolidatedUpdates.replaced(node);
    }

    /** Refuses or deletes an existing node, and refuses a node that cannot be created here. */
    private static void prepare(StoredNode node, NodeMetadata metadata, IfExists existing) {
        switch (existing) {
            case REFUSE -> NodePreconditions.refuseExisting(node);
            case OVERWRITE -> NodePreconditions.deleteExisting(node);
        }
        if (existing == IfExists.REFUSE && metadata instanceof ArrayMetadata array) {
            LeftoverChunks.refuse(node, array);
        }
        ConsolidatedUpdates.refuseWriteOnce(node);
    }

    /** Creates the node. Returns false if another program has created one meanwhile, which must be deleted first. */
    private static boolean tryCreate(StoredNode node, NodeMetadata metadata, IfExists existing) {
        boolean created = NodePreconditions.create(node, metadata);
        if (!created && existing == IfExists.REFUSE) {
            throw NodePreconditions.exists(node);
        }
        return created;
    }
}
