package dev.shardkit.n5;

import dev.shardkit.spi.GroupCreation;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import java.nio.charset.StandardCharsets;

/**
 * Writes the {@code attributes.json} of new N5 groups. In the root group, it contains the version of the format.
 * Stateless.
 */
final class N5GroupCreation implements GroupCreation {
    /** The version of the N5 format. */
    private static final String VERSION = "4.0.0";

    @Override
    public String documentName() {
        return N5Format.DOCUMENT;
    }

    @Override
    public Bytes document(Place place, Json.Obj attributes) {
        Json.Obj result = place == Place.ROOT ? Json.object().with(N5Array.VERSION, Json.of(VERSION)) : Json.object();
        for (var attribute : attributes.members().entrySet()) {
            if (N5Array.RESERVED.contains(attribute.getKey())) {
                throw new MetadataException("a group of N5: expected no attribute " + attribute.getKey()
                        + ", a name that N5 itself uses, found " + attribute.getValue());
            }
            result = result.with(attribute.getKey(), attribute.getValue());
        }
        return Bytes.of(result.toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String rootEnding() {
        return ".n5";
    }
}
