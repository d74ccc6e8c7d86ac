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

/** A target that is a group. Other than cp and mv, copy and mv do not put the node into it. Stateless. */
public final class IntoGroup {
    private IntoGroup() {}

    /** Adds to the failure how to put the node into the group, if the target is one. */
    public static StoreException hint(StoreException failure, String source, String target, ZarrOptions options) {
        Optional<String> volume = volume(target, options);
        if (volume.isPresent()) {
            return new StoreException(
                    failure.getMessage()
                            + ". The target is a volume. A copy makes volumes of one scale; to add a scale, "
                            + "give shardkit create " + volume.get()
                            + " the resolution, then write the elements; or give another target",
                    failure);
        }
        String name =
                source.replaceAll("[?#].*$", "").replaceAll("[/\\\\]+$", "").replaceAll("^.*[/\\\\!|:]", "");
        if (name.isEmpty() || name.matches("[.]+") || !isGroup(target, options)) {
            return failure;
        }
        String place = target.replaceAll("/+$", "")
                + (target.endsWith("!") ? "" : target.matches(".*[.](zip|ozx)") ? "!" : "/")
                + name;
        String prefix = place.contains("!") && !place.startsWith("zip:") ? "zip:" : "";
        return new StoreException(
                failure.getMessage() + ". The target is a group; to put the node into it, give the target " + prefix
                        + place,
                failure);
    }

    /** Returns the location of a group whose format has fixed dimensions, such as x, y, z, with the format's name. */
    private static Optional<String> volume(String target, ZarrOptions options) {
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

    private static boolean hasFixedDimensions(String format, ZarrOptions options) {
        return options.registry().nodeFormats().stream()
                .filter(other -> other.name().equals(format))
                .findFirst()
                .flatMap(NodeFormat::creation)
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
