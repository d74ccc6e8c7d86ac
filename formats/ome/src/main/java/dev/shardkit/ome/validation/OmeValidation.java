package dev.shardkit.ome.validation;

import dev.shardkit.ZarrGroup;
import dev.shardkit.ome.metadata.OmeMetadata;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;

/**
 * Checks a group against the specification of its OME-Zarr version. Checks the metadata by the JSON schemas of the
 * specification and by rules that schemas cannot express. Then checks the arrays and groups that the metadata names,
 * including labels, wells and fields of view. Reads no elements. Immutable and thread-safe.
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

    /** Returns a validation that also requires recommended members ("strict" schemas). */
    public OmeValidation strict() {
        return new OmeValidation(group, SchemaSet.Strictness.RECOMMENDED);
    }

    /**
     * Runs the validation.
     *
     * @return the findings, up to a thousand; empty if everything follows the specification
     */
    public List<OmeFinding> run() {
        FindingCollector findings = new FindingCollector();
        new TreeCheck(strictness, findings).check(group);
        return findings.items();
    }

    /** Runs the validation of the group's own metadata only. */
    public List<OmeFinding> runOnMetadata() {
        return checkMetadata(group.attributes(), group.location(), strictness);
    }

    /**
     * Checks metadata without its group.
     *
     * @param attributes the attributes of a group
     * @param node the name of the group, for messages
     */
    public static List<OmeFinding> checkAttributes(Json.Obj attributes, String node) {
        return checkMetadata(attributes, node, SchemaSet.Strictness.REQUIRED);
    }

    /** Checks metadata without its group, and also requires recommended members; see {@link #strict}. */
    public static List<OmeFinding> checkAttributesStrictly(Json.Obj attributes, String node) {
        return checkMetadata(attributes, node, SchemaSet.Strictness.RECOMMENDED);
    }

    static List<OmeFinding> checkMetadata(Json.Obj attributes, String node, SchemaSet.Strictness strictness) {
        FindingCollector findings = new FindingCollector();
        parseAndCheck(attributes, node, strictness, findings);
        return findings.items();
    }

    /** Checks metadata. Returns the metadata; empty if it is missing or its version is unknown. */
    static Optional<OmeMetadata> parseAndCheck(
            Json.Obj attributes, String node, SchemaSet.Strictness strictness, FindingCollector findings) {
        Optional<OmeMetadata> found;
        try {
            found = OmeMetadata.find(attributes, node);
        } catch (MetadataException | UnsupportedException e) {
            findings.addError(node, "", "metadata of a known version", e.fact());
            return Optional.empty();
        }
        if (found.isEmpty()) {
            findings.addError(node, "", "OME-Zarr metadata (\"ome\" or \"multiscales\")", "none");
            return Optional.empty();
        }
        OmeMetadata metadata = found.get();
        SchemaSet.of(metadata.version()).check(metadata, node, strictness, findings);
        if (findings.errorCount(node) == 0) {
            new MetadataRules(metadata, node, findings).check();
        }
        return found;
    }
}
