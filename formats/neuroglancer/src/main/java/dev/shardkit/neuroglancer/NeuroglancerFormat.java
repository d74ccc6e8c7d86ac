package dev.shardkit.neuroglancer;

import dev.shardkit.spi.ArrayCreation;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Plan;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The node format of neuroglancer's precomputed volumes. The document {@code info} describes a volume and its scales
 * (the same image in several resolutions). It becomes a group with an array for each scale, at the path of the scale's
 * {@code key}. Stateless and thread-safe.
 */
public final class NeuroglancerFormat implements NodeFormat {
    /** The name of this node format. */
    public static final String NAME = "neuroglancer";

    /** Creates the format; called by the service loader. */
    public NeuroglancerFormat() {}

    @Override
    public String name() {
        return NAME;
    }

    /** Returns a priority below Zarr and N5, because {@code info} is a common name. */
    @Override
    public int priority() {
        return Extension.BUILT_IN - 2;
    }

    @Override
    public Search search() {
        return Search.LOCAL;
    }

    @Override
    public Set<String> documentNames() {
        return Set.of(VolumeInfo.DOCUMENT);
    }

    @Override
    public Optional<String> rootDocument() {
        return Optional.of(VolumeInfo.DOCUMENT);
    }

    @Override
    public Plan<Optional<Node>> find(String path, Documents documents) {
        return readInfo(path, documents).then(document -> {
            if (document.isEmpty()) {
                return findScale(path, path, documents);
            }
            if (document.get() instanceof Json.Obj info && VolumeInfo.isPartOfVolume(info)) {
                return findPartOfVolume(path, info, documents);
            }
            return Plan.done(VolumeInfo.parse(document.get()).map(volume -> volumeNode(path, volume)));
        });
    }

    /**
     * Handles an {@code info} of meshes or skeletons: in a folder of a volume, it is not a node; elsewhere, the parser
     * refuses it with its type.
     */
    private static Plan<Optional<Node>> findPartOfVolume(String path, Json.Obj info, Documents documents) {
        return path.isEmpty()
                ? Plan.done(VolumeInfo.parse(info).map(volume -> volumeNode(path, volume)))
                : readInfo(StoreKeys.parent(path), documents)
                        .map(parentInfo -> parentInfo.flatMap(VolumeInfo::parse).isPresent()
                                ? Optional.empty()
                                : VolumeInfo.parse(info).map(volume -> volumeNode(path, volume)));
    }

    @Override
    public Optional<ArrayCreation> arrayCreation() {
        return Optional.of(new NewVolume());
    }

    private static Plan<Optional<Json>> readInfo(String path, Documents documents) {
        return documents.read(StoreKeys.join(path, VolumeInfo.DOCUMENT));
    }

    private static Node volumeNode(String path, VolumeInfo volume) {
        return new Node(volume.toGroupDocument(), path, Evidence.STATED, Children.consolidated(path));
    }

    /** Searches the folders above {@code folder} for the volume with a scale at {@code path}. */
    private static Plan<Optional<Node>> findScale(String path, String folder, Documents documents) {
        if (folder.isEmpty()) {
            return Plan.done(Optional.empty());
        }
        String root = StoreKeys.parent(folder);
        return readInfo(root, documents).then(document -> {
            Optional<VolumeInfo> volume = document.flatMap(VolumeInfo::parse);
            return volume.isEmpty()
                    ? findScale(path, root, documents)
                    : Plan.done(volume.get()
                            .documentOf(StoreKeys.relative(root, path))
                            .map(arrayDocument ->
                                    new Node(arrayDocument, path, Evidence.STATED, new Children(path, List.of()))));
        });
    }
}
