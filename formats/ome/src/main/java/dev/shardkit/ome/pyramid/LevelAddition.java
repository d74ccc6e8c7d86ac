package dev.shardkit.ome.pyramid;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.maintenance.tree.DimensionNames;
import dev.shardkit.ome.metadata.Axis;
import dev.shardkit.ome.metadata.OmeMetadata;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.util.List;
import java.util.Optional;

/**
 * Turns an array into a multiscale image: adds the coarser levels, and the metadata of the image, to the group that
 * contains the array ({@link Pyramid#addLevels}). {@link Pyramid} and {@link PyramidStream} also use its checks for
 * images that grow. Used once.
 */
final class LevelAddition {
    private static final String OME = "ome";

    private final Store store;
    private final ZarrArray source;
    private final ZarrOptions options;

    LevelAddition(Store store, ZarrArray source, ZarrOptions options) {
        this.store = store;
        this.source = source;
        this.options = options;
    }

    /** Writes the levels and the metadata, or resumes an interrupted run. */
    Pyramid.Summary run(Progress progress, PyramidSettings plan) {
        requireChild();
        ZarrGroup group = Zarr.openGroup(store, "", options);
        PyramidLevels levels = new PyramidLevels(plan, source.path());
        List<String> names = names(plan);
        requireSameNames(names);
        Destination destination = Destination.of(store).ofPyramidBeside(source.path());
        String state = levels.state(source);
        boolean isResumed = destination.resume(state);
        if (!isResumed) {
            requireNoOtherImage(group, levels);
            requireFreeLevels(destination, levels);
            destination.begin(state, options.durability());
        }
        boolean copiesSource = false; // the array itself is level 0
        Pyramid.Summary summary =
                new PyramidRun(store, destination, options, progress, levels, isResumed).run(source, copiesSource);
        DimensionNames.add(source, names);
        OmeMetadata metadata = levels.metadata(summary.levels());
        destination.requireHeld();
        group.changeAttributes(attributes -> attributes.with(OME, metadata.members()));
        destination.finish(options);
        return summary;
    }

    /**
     * Throws unless a stream or an acquisition may create its levels beside the array. The group must have no metadata
     * of an image, or those that an earlier call with the same settings has written.
     */
    void requireImage(PyramidLevels levels) {
        requireChild();
        requireSameNames(names(levels.plan()));
        ZarrGroup group = Zarr.openGroup(store, "", options);
        Optional<Json> image = group.attributes().get(OME);
        if (image.isPresent()) {
            String wanted = levels.metadata(levels.count()).members().toString();
            if (!image.get().toString().equals(wanted)) {
                throw new StoreException("the group " + group.location()
                        + " is an image with other settings; nothing was written. Stream with the settings that it was"
                        + " begun with, or into another place");
            }
            return;
        }
        requirePlainGroup(group);
        if (Destination.of(store).ofPyramidBeside(source.path()).isMarked()) {
            throw new StoreException("the group " + store.describe()
                    + " holds unfinished work; rerun it, or remove its levels and the file __unfinished");
        }
    }

    /** Gives the dimensions of the array the names of the axes. Returns the array after that. */
    ZarrArray named(PyramidSettings plan) {
        DimensionNames.add(source, names(plan));
        return source.refresh();
    }

    /** Adds the metadata of the image to the group's attributes. */
    void publish(PyramidLevels levels) {
        OmeMetadata metadata = levels.metadata(levels.count());
        Zarr.openGroup(store, "", options).changeAttributes(attributes -> attributes.with(OME, metadata.members()));
    }

    private static List<String> names(PyramidSettings plan) {
        return plan.axes().stream().map(Axis::name).toList();
    }

    /** Throws unless the source is an array of Zarr v3 that is a child of the group. */
    private void requireChild() {
        if (source.path().isEmpty()
                || source.path().contains("/")
                || !source.location().equals(StoreKeys.location(store.describe(), source.path()))
                || source.nodeFormat().isPresent()) {
            throw new IllegalArgumentException("expected an array of Zarr v3 directly in the group " + store.describe()
                    + ", found " + source.location());
        }
    }

    /** Throws if the group is an image, unless it is an image with level 0 only and the same settings. */
    private void requireNoOtherImage(ZarrGroup group, PyramidLevels levels) {
        String alone = levels.metadata(1).members().toString();
        if (group.attributes()
                .get(OME)
                .filter(image -> image.toString().equals(alone))
                .isEmpty()) {
            requirePlainGroup(group);
        }
    }

    /** Throws unless the group is a group of Zarr v3 without metadata of an image. */
    private void requirePlainGroup(ZarrGroup group) {
        if (group.nodeFormat().isPresent()) {
            throw new StoreException("the group " + group.location() + " is not stored in Zarr v3; convert it first");
        } else if (group.attributes().get(OME).isPresent()) {
            throw new StoreException("the group " + group.location()
                    + " has OME-Zarr metadata already; nothing was written. Make the image in another place");
        }
    }

    /** Throws if the dimensions of the array have other names than these. */
    private void requireSameNames(List<String> names) {
        DimensionNames.read(source).ifPresent(existingNames -> {
            if (!existingNames.equals(names.stream().map(Optional::of).toList())) {
                throw new IllegalArgumentException("expected the axes "
                        + existingNames.stream()
                                .map(name -> name.orElse("null"))
                                .toList()
                        + ", as the array names its dimensions, found " + names);
            }
        });
    }

    /** Throws if the place of a new level is taken, or if there is other unfinished work. */
    private void requireFreeLevels(Destination destination, PyramidLevels levels) {
        if (destination.isMarked()) {
            throw new StoreException("the group " + store.describe()
                    + " holds an unfinished pyramid that was begun with other options, or whose source has changed "
                    + "since, or other unfinished work; rerun it with the old options, or remove its levels and the file"
                    + " __unfinished");
        }
        for (int level = 1; level < levels.count(); level++) {
            if (!destination.isFree(levels.path(level))) {
                throw new StoreException("level " + level + " would be stored at \"" + levels.path(level) + "\" in "
                        + store.describe() + ", but that place is not empty; nothing was written");
            }
        }
    }
}
