package dev.shardkit.ome.pyramid;

import dev.shardkit.Acquisition;
import dev.shardkit.AcquisitionOptions;
import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.SliceOptions;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.copy.Destination;
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
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Records a plate of a screen while it is imaged (OME-Zarr 0.5, sections "plate" and "well"): each field of each well
 * is an image of its own, which grows while its frames arrive.
 *
 * <p>{@link #begin} creates the plate, all wells and all images without frames, the metadata of the plate last. So
 * viewers can open the plate before the first frame, and find whatever is stored. Images have level 0 only;
 * {@link Pyramid#addLevels}, with the same settings, adds the coarser levels when a field is complete.
 *
 * <p>Each field has an {@link Acquisition}, which is opened by its first frame and takes frames of channels and planes
 * in any order within its window. Each open field has the whole budget of the options, so divide it by the number of
 * fields that are open at once; {@link #close(String, int)} ends a field and frees its memory.
 *
 * <p>After a crash, the same call of {@code begin} resumes the recording: each field goes on at its end, or at the
 * start of the options.
 *
 * <p>Thread-safe: fields do not wait for one another.
 */
public final class PlateRecording implements AutoCloseable {
    private static final String OME = "ome";
    private static final String LEVEL = "0";

    private final Store store;
    private final ZarrOptions options;
    private final AcquisitionOptions acquisition;
    /** The fields by the paths of their images. Unchanged after {@link #begin}. */
    private final Map<String, Field> fields;
    /** Whether {@link #close} has begun: a frame that comes later would never be stored. */
    private volatile boolean closing;

    private PlateRecording(
            Store store, ZarrOptions options, AcquisitionOptions acquisition, Map<String, Field> fields) {
        this.store = store;
        this.options = options;
        this.acquisition = acquisition;
        this.fields = fields;
    }

    /** A field. Guarded by itself while its acquisition is opened or closed. */
    private final class Field {
        private final String path;

        private @Nullable Acquisition opened;
        /** The acquisition that goes on behind the one that was closed; null before the first one is closed. */
        private @Nullable Acquisition next;

        Field(String path) {
            this.path = path;
        }

        synchronized Acquisition open() {
            if (closing) {
                throw new IllegalStateException("the recording is closed, or its close failed and is to be repeated");
            }
            Acquisition existing = opened;
            if (existing == null) {
                if (hasCoarserLevels(path)) { // perhaps since the field was closed
                    throw new IllegalStateException("the image \"" + path
                            + "\" has coarser levels, which do not grow: expected a field that is not complete");
                }
                existing = next != null
                        ? next
                        : Zarr.openArray(store, path + "/" + LEVEL, options).acquisition(acquisition);
                opened = existing;
            }
            return existing;
        }

        synchronized void flush() {
            if (opened != null) {
                opened.flush();
            }
        }

        synchronized void close() {
            if (opened != null) {
                opened.close();
                next = opened.reopened();
                opened = null;
            }
        }
    }

    /**
     * Creates a plate, or resumes its recording, at the root of a store. Takes several requests for each field.
     *
     * @param plate the wells, with at most one acquisition; the number of fields is added
     * @param fieldCount the number of fields of each well; their images are {@code ROW/COLUMN/0}, {@code ROW/COLUMN/1}
     *     and so on
     * @param image the array of a field without frames: 2 to 5 dimensions with names, of which the first one has length
     *     0 if the acquisition grows
     * @param settings axes, pixel size, name, and display settings of the images, for example {@code array ->
     *     Pyramid.of(array).withPixelSize(1, 0.5, 0.5)}
     * @param acquisition the options of the acquisition of each field
     * @throws IllegalArgumentException if the plate has several acquisitions, or the array or the number of fields does
     *     not suit
     * @throws StoreException if the store holds other nodes than those of this plate; they stay as they are
     * @throws dev.shardkit.spi.error.UnsupportedException if the store does not support writes
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
        PlateRecording recording = new PlateRecording(store, options, acquisition, new LinkedHashMap<>());
        if (!Destination.of(store).isFree("")) {
            recording.check("", plateMetadata);
            for (Plate.WellPosition well : plate.wells()) {
                recording.check(well.path(), wellMetadata);
                for (Well.Field field : images) {
                    recording.checkImage(well.path() + "/" + field.path(), wanted, settings);
                }
            }
        }
        recording.group("");
        for (Plate.WellPosition well : plate.wells()) {
            for (int end = well.path().indexOf('/'); end >= 0; end = well.path().indexOf('/', end + 1)) {
                recording.group(well.path().substring(0, end)); // a row
            }
            recording.group(well.path());
            for (Well.Field field : images) {
                recording.image(well.path() + "/" + field.path(), image, wanted, settings);
            }
            recording.describe(well.path(), wellMetadata);
        }
        recording.describe("", plateMetadata);
        return recording;
    }

    /** Creates a group, unless there is one. Other files in its place, such as those of a microscope, stay. */
    private void group(String path) {
        if (Zarr.find(store, path, options).isEmpty()) {
            Zarr.createGroup(store, path, Json.object(), IfExists.REFUSE, options);
        }
    }

    /** Throws if a node is in the place of a group, and is no group or has other metadata. */
    private void check(String path, OmeMetadata wanted) {
        if (Zarr.find(store, path, options).isPresent()) {
            requireSame(Zarr.openGroup(store, path, options), wanted);
        }
    }

    /** Throws if another image, or another node, is in the place of an image. */
    private void checkImage(String path, ArrayMetadata wanted, Function<ZarrArray, Pyramid> settings) {
        if (Zarr.find(store, path + "/" + LEVEL, options).isPresent()) {
            ZarrArray array = array(path, wanted);
            if (!hasCoarserLevels(path)) {
                check(path, metadata(array, settings));
            }
        }
    }

    /** Creates an image without frames, or checks that it is as wanted. */
    private void image(String path, ArraySpec spec, ArrayMetadata wanted, Function<ZarrArray, Pyramid> settings) {
        group(path);
        if (Zarr.find(store, path + "/" + LEVEL, options).isEmpty()) {
            Zarr.createArray(store, path + "/" + LEVEL, spec, IfExists.REFUSE, options);
        }
        ZarrArray array = array(path, wanted);
        if (!hasCoarserLevels(path)) {
            describe(path, metadata(array, settings));
        }
        fields.put(path, new Field(path));
    }

    /** Opens the array of an image, which may have grown. */
    private ZarrArray array(String path, ArrayMetadata wanted) {
        ZarrArray array = Zarr.openArray(store, path + "/" + LEVEL, options);
        long[] shape = array.shape();
        boolean isSame = shape.length == wanted.rank();
        if (isSame && acquisition.slices().growth() == SliceOptions.Growth.GROW) {
            int along = acquisition
                    .streamsAlong()
                    .map(name -> array.dimensionNames().orElse(List.of()).indexOf(Optional.of(name)))
                    .orElse(0);
            if (along >= 0) {
                shape[along] = wanted.shape()[along];
            }
        }
        if (!isSame
                || !Arrays.equals(
                        MetadataWriter.write(wanted),
                        MetadataWriter.write(array.metadata().withShape(shape)))) {
            throw new StoreException("expected the array of a field at \"" + path + "/" + LEVEL + "\" in "
                    + store.describe() + ", found another one; nothing was changed there");
        }
        return array;
    }

    private boolean hasCoarserLevels(String path) {
        return Zarr.find(store, path, options)
                .flatMap(image -> OmeMetadata.find(image.attributes(), path))
                .filter(found -> found.multiscales().stream()
                        .anyMatch(image -> image.datasets().size() > 1))
                .isPresent();
    }

    private static OmeMetadata metadata(ZarrArray array, Function<ZarrArray, Pyramid> settings) {
        return new PyramidLevels(settings.apply(array).plan().withLevels(1), LEVEL).metadata(1);
    }

    /** Adds metadata to a group, or checks that it has them. */
    private void describe(String path, OmeMetadata metadata) {
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
     * Returns the acquisition of a field, which accepts its frames. Opens it if it is not open, which reads the array.
     * The recording flushes and closes it.
     *
     * @param well the row and the column, such as {@code A/1}
     * @throws IllegalArgumentException if the plate has no such field
     * @throws IllegalStateException if the image has coarser levels already, or {@link #close} has begun
     */
    public Acquisition field(String well, int field) {
        return find(well, field).open();
    }

    private Field find(String well, int field) {
        Field found = fields.get(well + "/" + field);
        if (found == null) {
            throw new IllegalArgumentException(
                    "expected a field of the plate, found field " + field + " of well \"" + well + "\"");
        }
        return found;
    }

    /** Accepts a frame of a field and copies it; see {@link Acquisition#write(Map, NdArray)}. */
    public void write(String well, int field, Map<String, Long> indices, NdArray frame) {
        field(well, field).write(indices, frame);
    }

    /** Accepts a frame of a field from a buffer and copies it; see {@link Acquisition#write(Map, ByteBuffer)}. */
    public void write(String well, int field, Map<String, Long> indices, ByteBuffer frame) {
        field(well, field).write(indices, frame);
    }

    /** Stores the complete slices of all fields; see {@link Acquisition#flush}. */
    public void flush() {
        forEach(Field::flush);
    }

    /**
     * Stores all frames of a field and frees its memory; see {@link Acquisition#close}. A later frame opens the field
     * again; each channel and plane goes on behind its last frame.
     */
    public void close(String well, int field) {
        find(well, field).close();
    }

    /**
     * Closes all fields, and accepts no more frames. If this fails, the others are closed all the same, and the call
     * can be repeated.
     */
    @Override
    public void close() {
        closing = true; // before the first field is closed: none is opened behind it
        forEach(Field::close);
    }

    /** Runs an action for all fields; the first failure is thrown at the end. */
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
