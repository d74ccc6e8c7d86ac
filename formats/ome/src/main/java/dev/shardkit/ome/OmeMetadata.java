package dev.shardkit.ome;

import dev.shardkit.ZarrNode;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The OME-Zarr metadata of a group. Each part is parsed when it is asked for, so a mistake in one part does not hide
 * the others. {@code withX} replaces one part; {@link #attributes} returns all attributes of the group, with every
 * member that this class does not know. Immutable, thread-safe.
 *
 * <p>All parts throw {@link MetadataException} if the metadata is wrong. The message names the node, the member, and
 * what was expected and found.
 */
public final class OmeMetadata {
    private static final String OME = "ome";
    private static final String VERSION = "version";
    private static final String MULTISCALES = "multiscales";
    private static final String OMERO = "omero";
    private static final String LABELS = "labels";
    private static final String IMAGE_LABEL = "image-label";
    private static final String PLATE = "plate";
    private static final String WELL = "well";
    private static final List<String> PARTS = List.of(MULTISCALES, PLATE, WELL, IMAGE_LABEL);

    private final String node;
    private final OmeVersion version;
    private final Json.Obj attributes;

    private OmeMetadata(String node, OmeVersion version, Json.Obj attributes) {
        this.node = node;
        this.version = version;
        this.attributes = attributes;
    }

    /** Creates metadata without any part, for a new group. */
    public static OmeMetadata empty(OmeVersion version) {
        Json.Obj ome = Json.object().with(VERSION, Json.of(version.text()));
        Json.Obj attributes =
                version == OmeVersion.V0_4 ? Json.object() : Json.object().with(OME, ome);
        return new OmeMetadata("a new group", version, attributes);
    }

    /**
     * Reads the metadata of a node.
     *
     * @throws MetadataException if the node has no OME-Zarr metadata, or their version is not a string
     * @throws UnsupportedException if their version is not known
     */
    public static OmeMetadata of(ZarrNode node) {
        return find(node.attributes(), node.location())
                .orElseThrow(() -> Members.wrong(
                        node.location(), "attributes", "OME-Zarr metadata (\"ome\" or \"multiscales\")", "none"));
    }

    /**
     * Reads the metadata that {@code attributes} hold; empty if they hold none.
     *
     * @param node the name of the node, for messages
     */
    public static Optional<OmeMetadata> find(Json.Obj attributes, String node) {
        Optional<Json> ome = attributes.get(OME);
        if (ome.isPresent()) {
            if (!(ome.get() instanceof Json.Obj members)) {
                throw Members.wrong(node, OME, "an object", ome.get().kind());
            }
            return Optional.of(new OmeMetadata(
                    node, version(node, members.get(VERSION).orElse(Json.of(OmeVersion.V0_5.text()))), attributes));
        }
        boolean isOld = PARTS.stream().anyMatch(part -> attributes.get(part).isPresent())
                || attributes.get(LABELS).filter(Json.Arr.class::isInstance).isPresent();
        return isOld
                ? Optional.of(new OmeMetadata(
                        node, version(node, statedInPart(attributes).orElse(null)), attributes))
                : Optional.empty();
    }

    /** In 0.4, each part states the version. */
    private static Optional<Json> statedInPart(Json.Obj attributes) {
        for (String part : PARTS) {
            Json value = attributes.get(part).orElse(Json.object());
            if (value instanceof Json.Arr list && !list.items().isEmpty()) {
                value = list.items().get(0);
            }
            if (value instanceof Json.Obj object && object.get(VERSION).isPresent()) {
                return object.get(VERSION);
            }
        }
        return Optional.empty();
    }

    private static OmeVersion version(String node, @Nullable Json stated) {
        if (stated == null) {
            return OmeVersion.V0_4;
        }
        if (!(stated instanceof Json.Str text)) {
            throw Members.wrong(node, VERSION, "a string", stated.kind());
        }
        return OmeVersion.of(text.value())
                .orElseThrow(() -> new UnsupportedException(
                        "OME-Zarr metadata of " + node + ": expected version 0.4, 0.5 or 0.6, found " + stated));
    }

    /** Returns the version. Metadata that state none are of 0.4, or of 0.5 if they are in the attribute {@code ome}. */
    public OmeVersion version() {
        return version;
    }

    /** Returns the members of the metadata: those of the attribute {@code ome}; in 0.4, all attributes. */
    public Json.Obj members() {
        return attributes
                .get(OME)
                .filter(Json.Obj.class::isInstance)
                .map(Json.Obj.class::cast)
                .orElse(attributes);
    }

    /** Returns the attributes of the group, with these metadata and everything else that they hold. */
    public Json.Obj attributes() {
        return attributes;
    }

    private Members reader() {
        return Members.of(node, members());
    }

    /** Returns the images of this group; empty if it is no image. */
    public List<Multiscale> multiscales() {
        return reader().optionalList(MULTISCALES, Multiscale::of);
    }

    /** Returns how to show the channels. */
    public Optional<Omero> omero() {
        return reader().optionalObject(OMERO, Omero::of);
    }

    /** Returns the paths of the label images, relative to this group, which is the group {@code labels} of an image. */
    public List<String> labels() {
        Members reader = reader();
        return reader.has(LABELS) ? reader.strings(LABELS) : List.of();
    }

    /** Returns what the labels mean, if this group is a label image. */
    public Optional<ImageLabel> imageLabel() {
        return reader().optionalObject(IMAGE_LABEL, ImageLabel::of);
    }

    /** Returns the plate, if this group is one. */
    public Optional<Plate> plate() {
        return reader().optionalObject(PLATE, Plate::of);
    }

    /** Returns the well, if this group is one. */
    public Optional<Well> well() {
        return reader().optionalObject(WELL, Well::of);
    }

    /** Returns these metadata with other images. */
    public OmeMetadata withMultiscales(List<Multiscale> images) {
        return with(MULTISCALES, MembersWriter.list(images, image -> stamped(image.json())));
    }

    /** Returns these metadata with other statements on channels. */
    public OmeMetadata withOmero(Omero omero) {
        return with(OMERO, stamped(omero.json()));
    }

    /** Returns these metadata with other paths of label images. */
    public OmeMetadata withLabels(List<String> paths) {
        return with(LABELS, Json.of(paths));
    }

    /** Returns these metadata with another meaning of labels. */
    public OmeMetadata withImageLabel(ImageLabel label) {
        return with(IMAGE_LABEL, stamped(label.json()));
    }

    /** Returns these metadata with another plate. */
    public OmeMetadata withPlate(Plate plate) {
        return with(PLATE, stamped(plate.json()));
    }

    /** Returns these metadata with another well. */
    public OmeMetadata withWell(Well well) {
        return with(WELL, stamped(well.json()));
    }

    /** In 0.4, each part states the version. */
    private Json.Obj stamped(Json.Obj part) {
        return version == OmeVersion.V0_4 && part.get(VERSION).isEmpty()
                ? part.with(VERSION, Json.of(version.text()))
                : part;
    }

    private OmeMetadata with(String part, Json value) {
        Json.Obj changed = members().with(part, value);
        Json.Obj all =
                version == OmeVersion.V0_4 && attributes.get(OME).isEmpty() ? changed : attributes.with(OME, changed);
        return new OmeMetadata(node, version, all);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OmeMetadata o && o.version == version && o.attributes.equals(attributes);
    }

    @Override
    public int hashCode() {
        return attributes.hashCode();
    }

    /** Returns the JSON text of the metadata. */
    @Override
    public String toString() {
        return "OME-Zarr " + version.text() + " " + members();
    }

    /** Returns the node's location, for messages. */
    String node() {
        return node;
    }
}
