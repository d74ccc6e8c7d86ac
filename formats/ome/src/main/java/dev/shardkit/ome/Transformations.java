package dev.shardkit.ome;

import dev.shardkit.spi.json.Json;

/** Reads and writes coordinate transformations. Stateless. */
final class Transformations {
    private Transformations() {}

    /** Reads one. Nested sequences are as deep as the JSON parser allows documents to be. */
    static CoordinateTransformation of(Members members) {
        String type = members.string("type");
        boolean isStored = members.has("path");
        if (type.equals("scale") && !isStored) {
            return new CoordinateTransformation.Scale(members.numbers("scale"), members.others());
        } else if (type.equals("translation") && !isStored) {
            return new CoordinateTransformation.Translation(members.numbers("translation"), members.others());
        } else if (type.equals("sequence")) {
            return new CoordinateTransformation.Sequence(
                    members.list("transformations", Transformations::of), members.others());
        }
        return new CoordinateTransformation.Other(type, members.others());
    }

    /** Returns the JSON form. */
    static Json.Obj json(CoordinateTransformation step) {
        MembersWriter writer = new MembersWriter();
        if (step instanceof CoordinateTransformation.Scale s) {
            writer.with("type", Json.of("scale")).with("scale", s.scale(), Json::of);
        } else if (step instanceof CoordinateTransformation.Translation t) {
            writer.with("type", Json.of("translation")).with("translation", t.translation(), Json::of);
        } else if (step instanceof CoordinateTransformation.Sequence s) {
            writer.with("type", Json.of("sequence"))
                    .with("transformations", s.transformations(), Transformations::json);
        } else if (step instanceof CoordinateTransformation.Other o) {
            writer.with("type", Json.of(o.type()));
        }
        return writer.and(step.others());
    }
}
