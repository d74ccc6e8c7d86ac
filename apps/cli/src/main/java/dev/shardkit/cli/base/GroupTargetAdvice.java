package dev.shardkit.cli.base;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import java.util.Optional;

/**
 * Adds advice to the failure of a copy or move whose target is an existing group. Unlike the shell's cp and mv, the
 * commands do not put the node into that group. Stateless.
 */
public final class GroupTargetAdvice {
    private GroupTargetAdvice() {}

    /** Returns the failure. If the target is a group, the message also says which target to give instead. */
    public static StoreException addAdvice(StoreException failure, String source, String target, ZarrOptions options) {
        Optional<String> volume = findVolume(target, options);
        if (volume.isPresent()) {
            return new StoreException(
                    failure.getMessage()
                            + ". The target is a volume. A copy makes volumes of one scale; to add a scale, "
                            + "give shardkit create " + volume.get()
                            + " the resolution, then write the elements; or give another target",
                    failure);
        }
        // The last name in the location, without a query, a fragment and slashes at the end.
        String name =
                source.replaceAll("[?#].*$", "").replaceAll("[/\\\\]+$", "").replaceAll("^.*[/\\\\!|:]", "");
        if (name.isEmpty() || name.matches("[.]+") || !isGroup(target, options)) {
            return failure;
        }
        // A path inside a ZIP archive follows "!".
        String childTarget = target.replaceAll("/+$", "")
                + (target.endsWith("!") ? "" : target.matches(".*[.](zip|ozx)") ? "!" : "/")
                + name;
        String prefix = childTarget.contains("!") && !childTarget.startsWith("zip:") ? "zip:" : "";
        return new StoreException(
                failure.getMessage() + ". The target is a group; to put the node into it, give the target " + prefix
                        + childTarget,
                failure);
    }

    /**
     * Returns the target, with the prefix of its format, if it is a volume: a group of a format whose arrays have fixed
     * dimensions, such as x, y, z. Empty for other targets.
     */
    private static Optional<String> findVolume(String target, ZarrOptions options) {
        try (Store store = Zarr.openStore(target, options)) {
            return Zarr.find(store, "", options)
                    .filter(ZarrGroup.class::isInstance)
                    .flatMap(ZarrNode::nodeFormat)
                    .filter(format -> hasFixedDimensions(format, options))
                    .map(format -> NamedFormat.name(store).isPresent() ? target : format + ":" + target);
        } catch (ZarrException e) {
            return Optional.empty();
        }
    }

    private static boolean hasFixedDimensions(String formatName, ZarrOptions options) {
        return options.registry().nodeFormats().stream()
                .filter(format -> format.name().equals(formatName))
                .findFirst()
                .flatMap(NodeFormat::arrayCreation)
                .filter(creation -> !creation.dimensions().isEmpty())
                .isPresent();
    }

    private static boolean isGroup(String target, ZarrOptions options) {
        try (Store store = Zarr.openStore(target, options)) {
            Optional<ZarrNode> found = Zarr.find(store, "", options);
            return found.filter(ZarrGroup.class::isInstance).isPresent();
        } catch (ZarrException e) {
            return false;
        }
    }
}
