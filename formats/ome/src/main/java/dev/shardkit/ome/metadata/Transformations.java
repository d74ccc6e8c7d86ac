package dev.shardkit.ome.metadata;

import dev.shardkit.ome.json.Members;
import dev.shardkit.ome.json.MembersWriter;
import dev.shardkit.spi.json.Json;

/** Reads and writes coordinate transformations. Stateless. */
final class Transformations {
    private Transformations() {}

    /** Reads a transformation. The limits of the JSON parser also limit the depth of nested sequences. */
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
        if (step instanceof CoordinateTransformation.Scale transformation) {
            writer.with("type", Json.of("scale")).with("scale", transformation.scale(), Json::of);
        } else if (step instanceof CoordinateTransformation.Translation translation) {
            writer.with("type", Json.of("translation")).with("translation", translation.translation(), Json::of);
        } else if (step instanceof CoordinateTransformation.Sequence transformation) {
            writer.with("type", Json.of("sequence"))
                    .with("transformations", transformation.transformations(), Transformations::toJson);
        } else if (step instanceof CoordinateTransformation.Other other) {
            writer.with("type", Json.of(other.type()));
        }
        return writer.build(step.others());
    }
}
