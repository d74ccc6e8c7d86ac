package dev.shardkit.ome.metadata;

import dev.shardkit.ome.json.Members;
import dev.shardkit.ome.json.MembersWriter;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;

/**
 * The description of a well of a plate (section "well").
 *
 * @param images the fields of view, each an image
 * @param others members that the specification does not define
 */
public record Well(List<Field> images, Json.Obj others) {
    /** Copies {@code images}. */
    public Well {
        images = List.copyOf(images);
    }

    /**
     * A field of view.
     *
     * @param path the path of the image's group, relative to the well
     * @param acquisition the id of the acquisition of the plate in which the image was taken
     * @param others other members
     */
    public record Field(String path, Optional<Long> acquisition, Json.Obj others) {}

    static Well parse(Members members) {
        return new Well(
                members.list("images", m -> new Field(m.string("path"), m.optionalInteger("acquisition"), m.others())),
                members.others());
    }

    Json.Obj toJson() {
        return new MembersWriter()
                .with("images", images, f -> new MembersWriter()
                        .with("path", Json.of(f.path()))
                        .with("acquisition", f.acquisition().map(Json::of))
                        .build(f.others()))
                .build(others);
    }
}
