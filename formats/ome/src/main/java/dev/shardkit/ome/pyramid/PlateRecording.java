package dev.shardkit.ome.pyramid;

import dev.shardkit.AcquisitionOptions;
import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.SliceOptions;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.engine.threads.InterruptibleWait;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.ome.metadata.OmeMetadata;
import dev.shardkit.ome.metadata.OmeVersion;
import dev.shardkit.ome.metadata.Plate;
import dev.shardkit.ome.metadata.Well;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Records a plate of a screen while it is imaged (OME-Zarr 0.5, sections "plate" and "well"): each field of each well
 * is an image of its own, which grows while its frames arrive.
 *
 * <p>{@link #begin} creates the plate, all wells and all images without frames; it writes the metadata of the plate
 * last. So viewers can open the plate before the first frame, and each time they open it they find all frames stored
 * until then. All levels of an image grow with the frames. With {@code withLevels(1)} in the settings, images have
 * level 0 only; {@link Pyramid#addLevels}, with the same settings, adds the coarser levels when a field is complete.
 *
 * <p>Each field has a {@link PyramidAcquisition}, which is opened by its first frame and takes frames of channels and
 * planes in any order within its window.
 *
 * <p>All fields share the budget of the options. It is divided into equal parts, one for each field that holds memory.
 * If there are more fields than parts, the field that got no frame for the longest time is stored and frees its memory,
 * in the background, before the next field needs it. {@link #close(String, int)} does so at once for a field that is
 * complete. Frames of a slice that still lacks other frames take memory outside the budget until these arrive.
 *
 * <p>After a crash, the same call of {@code begin} resumes the recording: each channel and plane of each field
 * continues behind its last stored frame ({@link AcquisitionOptions#withResume}), or at the index that the options set
 * as the start.
 *
 * <p>Thread-safe: {@code write} normally waits only while its own field is stored. It also waits for another field to
 * free its memory, if all fields with memory are receiving frames, or if the store is too slow for the rate at which
 * frames switch between fields. A store's listener must not call the recording.
 */
public final class PlateRecording implements AutoCloseable {
    private static final String OME = "ome";
    /** The name of the array of level 0 in the group of an image. */
    private static final String LEVEL_0 = "0";

    private final Store store;
    private final ZarrOptions options;
    private final AcquisitionOptions acquisition;
    /** The fields by the paths of their images. Unchanged after {@link #begin}. */
    private final Map<String, Field> fields = new LinkedHashMap<>();
    /**
     * For each level of an image, the bytes with which its streams run smoothly. The budget of a field is divided among
     * its levels in this ratio.
     */
    private List<Long> levelWeights = List.of();
    /** The memory budget of each open field, in bytes. */
    private long fieldBudget;
    /** The fields that hold memory. A placeholder until {@link #divideBudget}, which needs the images. */
    private OpenFields openFields = new OpenFields(1, 1);
    /** Whether {@link #close} has begun. From then on, frames are refused, because they would never be stored. */
    private volatile boolean closing;

    private PlateRecording(Store store, ZarrOptions options, AcquisitionOptions acquisition) {
        this.store = store;
        this.options = options;
        // without a start in the options, a recording that grows continues behind its stored frames
        boolean isResumed = acquisition.slices().growth() == SliceOptions.Growth.GROW && !acquisition.hasStart();
        this.acquisition = isResumed ? acquisition.withResume() : acquisition;
    }

    /**
     * A field: its image, and the acquisition that its first frame opens. No monitor is held while the acquisition is
     * opened, stored or closed.
     *
     * <p>The acquisition calls {@link #enter} and {@link #leave} around each use of memory. {@link OpenFields} calls
     * {@link #suspend} or {@link #suspendAsync} when another field needs the memory. After {@link #complete} or
     * {@link #close}, the field gives its memory back on its own ({@link OpenFields#left}).
     */
    private final class Field implements OpenFields.Member, PyramidAcquisition.Admission {
        private final String path;
        private final LiveImage image;
        /**
         * The attempt to open the acquisition; completed with the open acquisition. Null before the first frame, and
         * after an attempt that failed.
         */
        private final AtomicReference<@Nullable CompletableFuture<PyramidAcquisition>> opening =
                new AtomicReference<>();
        /**
         * Whether {@link #refuseOtherLevels} has passed since the field was last opened or completed. The check reads
         * metadata, so it does not run for each frame.
         */
        private volatile boolean isChecked;

        Field(String path, LiveImage image) {
            this.path = path;
            this.image = image;
        }

        /**
         * Returns the acquisition, and opens it if necessary. One thread opens it while the others wait. If that thread
         * is interrupted, another one opens it.
         */
        PyramidAcquisition acquisition() {
            refuseClosing();
            CompletableFuture<PyramidAcquisition> own = new CompletableFuture<>();
            while (true) {
                CompletableFuture<PyramidAcquisition> existing = opening.get();
                if (existing == null && opening.compareAndSet(null, own)) {
                    return open(own);
                }
                PyramidAcquisition found = existing == null ? null : awaitUnlessCancelled(existing);
                if (found != null) {
                    if (!isChecked) {
                        refuseOtherLevels();
                    }
                    return found;
                }
            }
        }

        /** Waits for an attempt to open. Returns null if the thread of the attempt was interrupted. */
        private @Nullable PyramidAcquisition awaitUnlessCancelled(CompletableFuture<PyramidAcquisition> attempt) {
            try {
                return InterruptibleWait.of(attempt);
            } catch (CancellationException e) {
                if (InterruptibleWait.isInterrupted()) {
                    throw e; // this thread itself was interrupted
                }
                return null;
            }
        }

        /**
         * Opens the acquisition. Completes {@code own}, the attempt of this thread, for which others may already wait.
         */
        private PyramidAcquisition open(CompletableFuture<PyramidAcquisition> own) {
            try {
                refuseClosing(); // again: a close that begins from here on sees this attempt and waits for it
                refuseOtherLevels();
                PyramidAcquisition acquired = image.open(fieldBudget, levelWeights, this);
                own.complete(acquired);
                return acquired;
            } catch (Throwable e) { // any failure ends the attempt, because other threads wait for it
                opening.set(null);
                own.completeExceptionally(e);
                throw e;
            }
        }

        /** Throws if {@link Pyramid#addLevels} has added levels, possibly after the field was completed. */
        private void refuseOtherLevels() {
            if (image.levelCount() == 1 && hasCoarserLevels(path)) {
                throw new IllegalStateException("the image \"" + path
                        + "\" has coarser levels, which do not grow: expected a field that is not complete");
            }
            isChecked = true;
        }

        /** Returns the acquisition if it is open; waits for a running attempt to open it. */
        private Optional<PyramidAcquisition> ifOpen() {
            CompletableFuture<PyramidAcquisition> existing = opening.get();
            try {
                return existing == null ? Optional.empty() : Optional.of(InterruptibleWait.of(existing));
            } catch (RuntimeException e) {
                if (InterruptibleWait.isInterrupted()) {
                    throw e; // only the wait ended: the acquisition may be open
                }
                return Optional.empty(); // the attempt to open failed
            }
        }

        void flush() {
            ifOpen().ifPresent(PyramidAcquisition::flush);
        }

        /**
         * Stores all frames and frees the memory. Stops waiting for the missing frames of incomplete slices. A later
         * frame uses the same acquisition.
         */
        void complete() {
            ifOpen().ifPresent(found -> {
                found.completeBegun();
                found.suspend();
                isChecked = false;
                openFields.left(this);
            });
        }

        /** Stores all frames and ends the acquisition. */
        void close() {
            ifOpen().ifPresent(found -> {
                found.close();
                openFields.left(this);
            });
        }

        @Override
        public void suspend() {
            ifOpen().ifPresent(PyramidAcquisition::suspend);
        }

        @Override
        public CompletableFuture<?> suspendAsync() {
            return ifOpen().map(PyramidAcquisition::suspendAsync)
                    .orElseGet(() -> CompletableFuture.completedFuture(null));
        }

        @Override
        public void enter() {
            openFields.enter(this);
        }

        @Override
        public void leave() {
            openFields.exit(this);
        }
    }

    private void refuseClosing() {
        if (closing) {
            throw new IllegalStateException("the recording is closed, or its close failed and is to be repeated");
        }
    }

    /**
     * Creates a plate, or resumes its recording, at the root of a store. Takes several requests for each field.
     *
     * @param plate the wells, with at most one acquisition. The number of fields ({@code field_count}) is set to
     *     {@code fieldCount}
     * @param fieldCount the number of fields of each well; their images are {@code ROW/COLUMN/0}, {@code ROW/COLUMN/1}
     *     and so on
     * @param image the array of a field without frames: 2 to 5 dimensions with names, the first of length 0 if the
     *     acquisition grows
     * @param settings axes, pixel size, levels, name, and display settings of the images, for example {@code array ->
     *     Pyramid.of(array).withPixelSize(1, 0.5, 0.5)}
     * @param acquisition the options of the acquisition of each field, with the budget of all fields
     * @throws IllegalArgumentException if the plate has no well or several acquisitions, or the array, the settings,
     *     the options or the number of fields do not suit; then nothing is written
     * @throws IndexOutOfBoundsException if the options start behind the end of an array of fixed length
     * @throws StoreException if the store holds other nodes than those of this plate; they stay as they are
     * @throws dev.shardkit.spi.error.UnsupportedException if the store does not support writes, or in the cases of
     *     {@link AcquisitionOptions#dimensions}
     */
    public static PlateRecording begin(
            Store store,
            Plate plate,
            int fieldCount,
            ArraySpec image,
            Function<ZarrArray, Pyramid> settings,
            ZarrOptions options,
            AcquisitionOptions acquisition) {
        if (fieldCount < 1) {
            throw new IllegalArgumentException("expected at least 1 field of each well, found " + fieldCount);
        }
        if (plate.acquisitions().size() > 1) {
            throw new IllegalArgumentException("expected a plate with at most 1 acquisition, found "
                    + plate.acquisitions().size() + "; record each into a plate of its own");
        }
        if (image.dimensionNames().isEmpty()) {
            throw new IllegalArgumentException("expected an array with names of its dimensions (withDimensionNames)");
        }
        if (plate.wells().isEmpty()) {
            throw new IllegalArgumentException("expected a plate with at least 1 well, found none");
        }
        ArrayMetadata wanted = Zarr.describe(image, options);
        Optional<Long> id =
                plate.acquisitions().stream().map(Plate.Acquisition::id).findFirst();
        List<Well.Field> images = IntStream.range(0, fieldCount)
                .mapToObj(i -> new Well.Field(Integer.toString(i), id, Json.object()))
                .toList();
        OmeMetadata wellMetadata = OmeMetadata.empty(OmeVersion.V0_5).withWell(new Well(images, Json.object()));
        OmeMetadata plateMetadata = OmeMetadata.empty(OmeVersion.V0_5)
                .withPlate(new Plate(
                        plate.name(),
                        plate.rows(),
                        plate.columns(),
                        plate.wells(),
                        plate.acquisitions(),
                        Optional.of((long) fieldCount),
                        plate.others()));
        PlateRecording recording = new PlateRecording(store, options, acquisition);
        String first = plate.wells().get(0).path() + "/" + images.get(0).path();
        ZarrArray planned = Zarr.openArray(store, first + "/" + LEVEL_0, wanted, options);
        recording.liveImage(first, planned, settings); // throws if the options do not suit, before anything is written
        // First, all existing nodes are checked, so that nothing is written into a store with other nodes.
        if (!Destination.of(store).isFree("")) {
            recording.checkGroup("", plateMetadata);
            for (Plate.WellPosition well : plate.wells()) {
                recording.checkGroup(well.path(), wellMetadata);
                for (Well.Field field : images) {
                    recording.checkImage(well.path() + "/" + field.path(), wanted, settings);
                }
            }
        }
        // Then the missing nodes are created, children before the metadata of their group. The plate's metadata
        // come last.
        recording.createGroup("");
        for (Plate.WellPosition well : plate.wells()) {
            for (int end = well.path().indexOf('/'); end >= 0; end = well.path().indexOf('/', end + 1)) {
                recording.createGroup(well.path().substring(0, end)); // the row, such as A
            }
            recording.createGroup(well.path());
            for (Well.Field field : images) {
                recording.createImage(well.path() + "/" + field.path(), image, wanted, settings);
            }
            recording.addMetadata(well.path(), wellMetadata);
        }
        recording.addMetadata("", plateMetadata);
        recording.divideBudget();
        return recording;
    }

    /**
     * Divides the budget equally among the fields that may hold memory at a time: as many as can each have the bytes
     * with which a field runs smoothly ({@link LiveImage#smoothBytes}), but at least one. The arrays of all fields have
     * the same shape, so the first image stands for all.
     */
    private void divideBudget() {
        LiveImage image = fields.values().iterator().next().image;
        levelWeights = image.smoothBytes();
        long budget = acquisition.slices().budgetBytes();
        long smoothFieldBytes =
                Math.max(1, levelWeights.stream().mapToLong(Long::longValue).sum());
        int places = (int) Math.max(1, Math.min(fields.size(), budget / smoothFieldBytes));
        fieldBudget = budget / places;
        openFields = new OpenFields(places, fields.size());
    }

    /** Creates a group, unless there is one. Other files in its place, such as those of a microscope, stay. */
    private void createGroup(String path) {
        if (Zarr.find(store, path, options).isEmpty()) {
            Zarr.createGroup(store, path, Json.object(), IfExists.REFUSE, options);
        }
    }

    /** Throws if there is a node at {@code path} that is not a group or has other OME-Zarr metadata. */
    private void checkGroup(String path, OmeMetadata wanted) {
        if (Zarr.find(store, path, options).isPresent()) {
            requireSame(Zarr.openGroup(store, path, options), wanted);
        }
    }

    /**
     * Throws if there is another image, or another node, at the path of an image. If {@link Pyramid#addLevels} has
     * added levels to an image that was recorded with level 0 only, its metadata differs and is not compared.
     */
    private void checkImage(String path, ArrayMetadata wanted, Function<ZarrArray, Pyramid> settings) {
        if (Zarr.find(store, path + "/" + LEVEL_0, options).isPresent()) {
            LiveImage image = liveImage(path, openLevel0(path, wanted), settings);
            if (image.levelCount() > 1 || !hasCoarserLevels(path)) {
                checkGroup(path, image.metadata());
            }
            image.checkLevels();
        }
    }

    private LiveImage liveImage(String path, ZarrArray array, Function<ZarrArray, Pyramid> settings) {
        return new LiveImage(store, path, array, settings.apply(array).plan(), options, acquisition);
    }

    /** Creates an image without frames. If it exists, checks that its metadata are as wanted. */
    private void createImage(String path, ArraySpec spec, ArrayMetadata wanted, Function<ZarrArray, Pyramid> settings) {
        createGroup(path);
        if (Zarr.find(store, path + "/" + LEVEL_0, options).isEmpty()) {
            Zarr.createArray(store, path + "/" + LEVEL_0, spec, IfExists.REFUSE, options);
        }
        LiveImage image = liveImage(path, openLevel0(path, wanted), settings);
        image.createLevels();
        if (image.levelCount() > 1 || !hasCoarserLevels(path)) { // otherwise, addLevels has changed the metadata
            addMetadata(path, image.metadata());
        }
        fields.put(path, new Field(path, image));
    }

    /**
     * Opens level 0 of an image. Throws if its metadata differs from {@code wanted}, except for a length that grows.
     */
    private ZarrArray openLevel0(String path, ArrayMetadata wanted) {
        ZarrArray array = Zarr.openArray(store, path + "/" + LEVEL_0, options);
        long[] shape = array.shape();
        boolean isSame = shape.length == wanted.rank();
        if (isSame && acquisition.slices().growth() == SliceOptions.Growth.GROW) {
            int along = acquisition.dimensions(wanted, options).along();
            shape[along] = wanted.shape()[along];
        }
        if (!isSame
                || !Arrays.equals(
                        MetadataWriter.write(wanted),
                        MetadataWriter.write(array.metadata().withShape(shape)))) {
            throw new StoreException("expected the array of a field at \"" + path + "/" + LEVEL_0 + "\" in "
                    + store.describe() + ", found another one; nothing was changed there");
        }
        return array;
    }

    /** Returns whether the metadata of an image list more than one level. */
    private boolean hasCoarserLevels(String path) {
        return Zarr.find(store, path, options)
                .flatMap(image -> OmeMetadata.find(image.attributes(), path))
                .filter(found -> found.multiscales().stream()
                        .anyMatch(image -> image.datasets().size() > 1))
                .isPresent();
    }

    /** Adds OME-Zarr metadata to a group. If the group already has OME-Zarr metadata, checks that they are the same. */
    private void addMetadata(String path, OmeMetadata metadata) {
        ZarrGroup group = Zarr.openGroup(store, path, options);
        if (group.attributes().get(OME).isEmpty()) {
            group.changeAttributes(attributes -> attributes.with(OME, metadata.members()));
        } else {
            requireSame(group, metadata);
        }
    }

    private static void requireSame(ZarrGroup group, OmeMetadata wanted) {
        group.attributes().get(OME).ifPresent(found -> {
            if (!found.toString().equals(wanted.members().toString())) {
                throw new StoreException("the group " + group.location()
                        + " has OME-Zarr metadata of something else; record into another place, or with the settings"
                        + " that the plate was begun with");
            }
        });
    }

    /** Returns the paths of all images, such as {@code A/1/0}. */
    public List<String> fieldPaths() {
        return List.copyOf(fields.keySet());
    }

    /**
     * Returns the acquisition of a field, which accepts its frames. Opens it if it is not open, which reads the arrays.
     * The recording flushes and closes it.
     *
     * @param well the row and the column, such as {@code A/1}
     * @throws IllegalArgumentException if the plate has no such field
     * @throws IllegalStateException if the image has coarser levels already, or {@link #close} has begun
     */
    public PyramidAcquisition field(String well, int field) {
        return find(well, field).acquisition();
    }

    private Field find(String well, int field) {
        Field found = fields.get(well + "/" + field);
        if (found == null) {
            throw new IllegalArgumentException(
                    "expected a field of the plate, found field " + field + " of well \"" + well + "\"");
        }
        return found;
    }

    /** Accepts a frame of a field and copies it; see {@link PyramidAcquisition#write(Map, NdArray)}. */
    public void write(String well, int field, Map<String, Long> indices, NdArray frame) {
        field(well, field).write(indices, frame);
    }

    /**
     * Accepts a frame of a field from a buffer and copies it; see {@link PyramidAcquisition#write(Map, ByteBuffer)}.
     */
    public void write(String well, int field, Map<String, Long> indices, ByteBuffer frame) {
        field(well, field).write(indices, frame);
    }

    /** Stores the complete slices of all fields; see {@link PyramidAcquisition#flush}. */
    public void flush() {
        forEach(Field::flush);
    }

    /**
     * Stores all frames of a field and frees its memory. Stops waiting for missing frames of slices that have received
     * other frames. A later frame opens the field again; each channel and plane continues behind its last frame.
     */
    public void close(String well, int field) {
        find(well, field).complete();
    }

    /**
     * Closes all fields, and accepts no more frames. If a field cannot be closed, the others still are, and the call
     * can be repeated.
     */
    @Override
    public void close() {
        closing = true; // first, so that no thread opens a field after this loop has passed it
        forEach(Field::close);
    }

    /** Runs an action for all fields. Throws the first failure at the end, with the others as suppressed exceptions. */
    private void forEach(Consumer<Field> action) {
        List<RuntimeException> failures = new ArrayList<>();
        for (Field field : fields.values()) {
            try {
                action.accept(field);
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            RuntimeException first = failures.get(0);
            failures.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }
}
