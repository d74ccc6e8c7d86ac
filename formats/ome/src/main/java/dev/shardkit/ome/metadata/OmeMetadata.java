package dev.shardkit.ome.metadata;

import dev.shardkit.ZarrNode;
import dev.shardkit.ome.json.Members;
import dev.shardkit.ome.json.MembersWriter;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The OME-Zarr metadata of a group. Its parts, such as {@link #multiscales} and {@link #plate}, are parsed when they
 * are asked for, so an error in one part does not hide the others. The {@code with} methods replace one part.
 * {@link #attributes} returns all attributes of the group, including members that this class does not know. Immutable
 * and thread-safe.
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
    /** The parts that contain the version in OME-Zarr 0.4. A group with one of them, but without "ome", is of 0.4. */
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
     * @throws MetadataException if the node has no OME-Zarr metadata, or the version is not a string
     * @throws UnsupportedException if the version is unknown
     */
    public static OmeMetadata of(ZarrNode node) {
        return find(node.attributes(), node.location())
                .orElseThrow(() -> Members.error(
                        node.location(), "attributes", "OME-Zarr metadata (\"ome\" or \"multiscales\")", "none"));
    }

    /**
     * Reads metadata from attributes; empty if they contain none.
     *
     * @param node the name of the node, for messages
     */
    public static Optional<OmeMetadata> find(Json.Obj attributes, String node) {
        Optional<Json> ome = attributes.get(OME);
        if (ome.isPresent()) {
            if (!(ome.get() instanceof Json.Obj members)) {
                throw Members.error(node, OME, "an object", ome.get().kind());
            }
            return Optional.of(new OmeMetadata(
                    node, version(node, members.get(VERSION).orElse(Json.of(OmeVersion.V0_5.text()))), attributes));
        }
        boolean isVersion4 = PARTS.stream()
                        .anyMatch(part -> attributes.get(part).isPresent())
                || attributes.get(LABELS).filter(Json.Arr.class::isInstance).isPresent();
        return isVersion4
                ? Optional.of(new OmeMetadata(
                        node, version(node, versionInParts(attributes).orElse(null)), attributes))
                : Optional.empty();
    }

    /** Returns the version from the first part that contains one. In 0.4, each part contains the version. */
    private static Optional<Json> versionInParts(Json.Obj attributes) {
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

    /** Parses a version. A missing version means 0.4. */
    private static OmeVersion version(String node, @Nullable Json versionValue) {
        if (versionValue == null) {
            return OmeVersion.V0_4;
        }
        if (!(versionValue instanceof Json.Str text)) {
            throw Members.error(node, VERSION, "a string", versionValue.kind());
        }
        return OmeVersion.of(text.value())
                .orElseThrow(() -> new UnsupportedException(
                        "OME-Zarr metadata of " + node + ": expected version 0.4, 0.5 or 0.6, found " + versionValue));
    }

    /**
     * Returns the version. Metadata without a version counts as 0.4, or as 0.5 if it is in the attribute {@code ome}.
     */
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

    /** Returns the attributes of the group, including this metadata. */
    public Json.Obj attributes() {
        return attributes;
    }

    /** Returns a reader for the members of the metadata, whose errors name this node. */
    private Members newReader() {
        return Members.of(node, members());
    }

    /** Returns the images of this group; empty if the group is not an image. */
    public List<Multiscale> multiscales() {
        return newReader().optionalList(MULTISCALES, Multiscale::of);
    }

    /** Returns the display settings of the channels. */
    public Optional<Omero> omero() {
        return newReader().optionalObject(OMERO, Omero::parse);
    }

    /**
     * Returns the paths of the label images, relative to this group. Only the group {@code labels} of an image has
     * them.
     */
    public List<String> labels() {
        Members reader = newReader();
        return reader.has(LABELS) ? reader.strings(LABELS) : List.of();
    }

    /** Returns the description of the labels, if this group is a label image. */
    public Optional<ImageLabel> imageLabel() {
        return newReader().optionalObject(IMAGE_LABEL, ImageLabel::of);
    }

    /** Returns the plate, if this group is a plate. */
    public Optional<Plate> plate() {
        return newReader().optionalObject(PLATE, Plate::parse);
    }

    /** Returns the well, if this group is a well. */
    public Optional<Well> well() {
        return newReader().optionalObject(WELL, Well::parse);
    }

    /** Returns this metadata with other images. */
    public OmeMetadata withMultiscales(List<Multiscale> images) {
        return withPart(MULTISCALES, MembersWriter.list(images, image -> withVersion(image.toJson())));
    }

    /** Returns this metadata with other display settings of channels. */
    public OmeMetadata withOmero(Omero omero) {
        return withPart(OMERO, withVersion(omero.toJson()));
    }

    /** Returns this metadata with other paths of label images. */
    public OmeMetadata withLabels(List<String> paths) {
        return withPart(LABELS, Json.of(paths));
    }

    /** Returns this metadata with another description of labels. */
    public OmeMetadata withImageLabel(ImageLabel label) {
        return withPart(IMAGE_LABEL, withVersion(label.toJson()));
    }

    /** Returns this metadata with another plate. */
    public OmeMetadata withPlate(Plate plate) {
        return withPart(PLATE, withVersion(plate.toJson()));
    }

    /** Returns this metadata with another well. */
    public OmeMetadata withWell(Well well) {
        return withPart(WELL, withVersion(well.toJson()));
    }

    /** Adds the version to a part. In 0.4, each part contains it. */
    private Json.Obj withVersion(Json.Obj part) {
        return version == OmeVersion.V0_4 && part.get(VERSION).isEmpty()
                ? part.with(VERSION, Json.of(version.text()))
                : part;
    }

    /**
     * Returns this metadata with another part: in the attribute {@code ome}, or for 0.4 in the attributes themselves.
     */
    private OmeMetadata withPart(String part, Json value) {
        Json.Obj newMembers = members().with(part, value);
        Json.Obj newAttributes =
                version == OmeVersion.V0_4 && attributes.get(OME).isEmpty()
                        ? newMembers
                        : attributes.with(OME, newMembers);
        return new OmeMetadata(node, version, newAttributes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OmeMetadata metadata
                && metadata.version == version
                && metadata.attributes.equals(attributes);
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
