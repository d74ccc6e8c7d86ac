package dev.shardkit;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.GroupMetadata;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.session.ConsolidatedUpdates;
import dev.shardkit.session.FormatGroups;
import dev.shardkit.session.LeftoverChunks;
import dev.shardkit.session.NodePreconditions;
import dev.shardkit.session.Settings;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import java.util.Optional;

/** Creates arrays and groups. Stateless. */
final class NewNodes {
    /** How often an array that another program has created meanwhile is deleted. */
    private static final int TRIES = 100;

    private NewNodes() {}

    static ZarrArray array(StoredNode node, ArraySpec spec, Existing existing) {
        Optional<FormatArray> other = FormatArray.at(node);
        if (other.isPresent()) {
            return other.get().create(spec, existing);
        }
        Settings settings = node.session().options().with(node.session().registry());
        ArrayMetadata metadata = Zarr.describe(spec, new ZarrOptions(settings));
        ZarrArray array = new ZarrArray(node, metadata);
        put(node, metadata, existing);
        return array;
    }

    static ZarrGroup group(StoredNode node, Json.Obj attributes, Existing existing) {
        GroupMetadata metadata = GroupMetadata.of(attributes);
        Optional<FormatGroups> other = FormatGroups.at(node);
        if (other.isPresent()) {
            if (existing == Existing.OVERWRITE) {
                throw new IllegalArgumentException("a group in the format "
                        + other.get().format() + " replaces nothing: remove the old node first");
            }
            return new ZarrGroup(other.get().create(attributes), metadata);
        }
        put(node, metadata, existing);
        return new ZarrGroup(node, metadata);
    }

    private static void put(StoredNode node, NodeMetadata metadata, Existing existing) {
        int tries = 0;
        do {
            if (tries++ == TRIES) {
                throw node.located(new StoreException("other programs create arrays or groups here all the time"));
            }
            prepare(node, metadata, existing);
        } while (!isCreated(node, metadata, existing));
        ConsolidatedUpdates.replaced(node);
    }

    private static void prepare(StoredNode node, NodeMetadata metadata, Existing existing) {
        switch (existing) {
            case REFUSE -> NodePreconditions.refuseExisting(node);
            case OVERWRITE -> NodePreconditions.deleteExisting(node);
        }
        if (existing == Existing.REFUSE && metadata instanceof ArrayMetadata array) {
            LeftoverChunks.refuse(node, array);
        }
        ConsolidatedUpdates.refuseAppendOnly(node);
    }

    /** Creates the node; returns false if that of another program, created meanwhile, must be deleted first. */
    private static boolean isCreated(StoredNode node, NodeMetadata metadata, Existing existing) {
        boolean created = NodePreconditions.create(node, metadata);
        if (!created && existing == Existing.REFUSE) {
            throw NodePreconditions.exists(node);
        }
        return created;
    }
}
