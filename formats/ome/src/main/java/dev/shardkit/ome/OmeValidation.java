package dev.shardkit.ome;

import dev.shardkit.ZarrGroup;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;

/**
 * Checks a group against the specification of its version of OME-Zarr: its metadata by the JSON schemas of the
 * specification and by the rules that schemas cannot express, then the arrays and groups that they name, with labels,
 * wells and fields. Reads no elements. Immutable and thread-safe.
 */
public final class OmeValidation {
    private final ZarrGroup group;
    private final SchemaSet.Strictness strictness;

    private OmeValidation(ZarrGroup group, SchemaSet.Strictness strictness) {
        this.group = group;
        this.strictness = strictness;
    }

    /** Creates the validation of a group. */
    public static OmeValidation of(ZarrGroup group) {
        return new OmeValidation(group, SchemaSet.Strictness.REQUIRED);
    }

    /** Returns a validation that also demands the members that the specification recommends ("strict" schemas). */
    public OmeValidation strict() {
        return new OmeValidation(group, SchemaSet.Strictness.RECOMMENDED);
    }

    /**
     * Runs the validation.
     *
     * @return the findings, up to a thousand; empty if everything follows the specification
     */
    public List<OmeFinding> run() {
        Findings findings = new Findings();
        new TreeCheck(strictness, findings).check(group);
        return findings.list();
    }

    /** Runs the validation of the group's own metadata only. */
    public List<OmeFinding> runOnMetadata() {
        return onMetadata(group.attributes(), group.location(), strictness);
    }

    /**
     * Checks metadata without their group.
     *
     * @param attributes the attributes of a group
     * @param node the name of the group, for messages
     */
    public static List<OmeFinding> ofAttributes(Json.Obj attributes, String node) {
        return onMetadata(attributes, node, SchemaSet.Strictness.REQUIRED);
    }

    /** Checks metadata without their group, and demands what the specification recommends; see {@link #strict}. */
    public static List<OmeFinding> strictlyOfAttributes(Json.Obj attributes, String node) {
        return onMetadata(attributes, node, SchemaSet.Strictness.RECOMMENDED);
    }

    static List<OmeFinding> onMetadata(Json.Obj attributes, String node, SchemaSet.Strictness strictness) {
        Findings findings = new Findings();
        metadata(attributes, node, strictness, findings);
        return findings.list();
    }

    /** Checks metadata; returns them if they are worth a closer look. */
    static Optional<OmeMetadata> metadata(
            Json.Obj attributes, String node, SchemaSet.Strictness strictness, Findings findings) {
        Optional<OmeMetadata> found;
        try {
            found = OmeMetadata.find(attributes, node);
        } catch (MetadataException | UnsupportedException e) {
            findings.error(node, "", "metadata of a known version", e.fact());
            return Optional.empty();
        }
        if (found.isEmpty()) {
            findings.error(node, "", "OME-Zarr metadata (\"ome\" or \"multiscales\")", "none");
            return Optional.empty();
        }
        OmeMetadata metadata = found.get();
        SchemaSet.of(metadata.version()).check(metadata, strictness, findings);
        if (findings.errors(node) == 0) {
            new MetadataRules(metadata, findings).check();
        }
        return found;
    }
}
