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
 * The precomputed format of neuroglancer. Reads {@code info}, which describes a volume and its scales: a group with an
 * array for each scale, at the path that the scale's {@code key} names. Stateless and thread-safe.
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

    /** Below the formats of Zarr and N5: {@code info} is a common name. */
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
        return info(path, documents)
                .then(found -> found.isEmpty()
                        ? scale(path, path, documents)
                        : found.get() instanceof Json.Obj info && VolumeInfo.isPartOfVolume(info)
                                ? partOfVolume(path, info, documents)
                                : Plan.done(VolumeInfo.of(found.get()).map(volume -> volume(path, volume))));
    }

    /** Meshes and skeletons below a volume are no nodes; by themselves they are refused by name. */
    private static Plan<Optional<Node>> partOfVolume(String path, Json.Obj info, Documents documents) {
        return path.isEmpty()
                ? Plan.done(VolumeInfo.of(info).map(volume -> volume(path, volume)))
                : info(StoreKeys.parent(path), documents)
                        .map(above -> above.flatMap(VolumeInfo::of).isPresent()
                                ? Optional.empty()
                                : VolumeInfo.of(info).map(volume -> volume(path, volume)));
    }

    @Override
    public Optional<ArrayCreation> creation() {
        return Optional.of(new NewVolume());
    }

    private static Plan<Optional<Json>> info(String path, Documents documents) {
        return documents.read(StoreKeys.join(path, VolumeInfo.DOCUMENT));
    }

    private static Node volume(String path, VolumeInfo volume) {
        return new Node(volume.group(), path, Evidence.STATED, Children.consolidated(path));
    }

    /** Looks for the volume whose scale is at {@code path}, in the folders above {@code below}. */
    private static Plan<Optional<Node>> scale(String path, String below, Documents documents) {
        if (below.isEmpty()) {
            return Plan.done(Optional.empty());
        }
        String root = StoreKeys.parent(below);
        return info(root, documents).then(found -> {
            Optional<VolumeInfo> volume = found.flatMap(VolumeInfo::of);
            return volume.isEmpty()
                    ? scale(path, root, documents)
                    : Plan.done(volume.get()
                            .node(StoreKeys.relative(root, path))
                            .map(document -> new Node(document, path, Evidence.STATED, new Children(path, List.of()))));
        });
    }
}
