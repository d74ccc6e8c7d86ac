package dev.shardkit.ome.metadata;

import dev.shardkit.ome.json.Members;
import dev.shardkit.ome.json.MembersWriter;
import dev.shardkit.spi.json.Json;

/** Parses the JSON of a {@link CoordinateTransformation}, and writes it. Stateless. */
final class Transformations {
    private Transformations() {}

    /** Parses a transformation. The JSON parser limits the nesting of values, and so the depth of sequences. */
    static CoordinateTransformation parse(Members members) {
        String type = members.string("type");
        boolean isStoredInArray = members.has("path");
        if (type.equals("scale") && !isStoredInArray) {
            return new CoordinateTransformation.Scale(members.numbers("scale"), members.others());
        } else if (type.equals("translation") && !isStoredInArray) {
            return new CoordinateTransformation.Translation(members.numbers("translation"), members.others());
        } else if (type.equals("sequence")) {
            return new CoordinateTransformation.Sequence(
                    members.list("transformations", Transformations::parse), members.others());
        }
        return new CoordinateTransformation.Other(type, members.others());
    }

    /** Returns the transformation as JSON. */
    static Json.Obj toJson(CoordinateTransformation step) {
        MembersWriter writer = new MembersWriter();
        if (step instanceof CoordinateTransformation.Scale scale) {
            writer.with("type", Json.of("scale")).with("scale", scale.scale(), Json::of);
        } else if (step instanceof CoordinateTransformation.Translation translation) {
            writer.with("type", Json.of("translation")).with("translation", translation.translation(), Json::of);
        } else if (step instanceof CoordinateTransformation.Sequence sequence) {
            writer.with("type", Json.of("sequence"))
                    .with("transformations", sequence.transformations(), Transformations::toJson);
        } else if (step instanceof CoordinateTransformation.Other other) {
            writer.with("type", Json.of(other.type()));
        }
        return writer.build(step.others());
    }
}
