package dev.shardkit.ome;

import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;

/**
 * A well of a plate: its fields of view, each an image (section "well").
 *
 * @param others the members that this class does not know
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
     * @param acquisition the number of the plate's acquisition
     * @param others the members that this class does not know
     */
    public record Field(String path, Optional<Long> acquisition, Json.Obj others) {}

    static Well of(Members members) {
        return new Well(
                members.list("images", m -> new Field(m.string("path"), m.optionalInteger("acquisition"), m.others())),
                members.others());
    }

    Json.Obj json() {
        return new MembersWriter()
                .with("images", images, f -> new MembersWriter()
                        .with("path", Json.of(f.path()))
                        .with("acquisition", f.acquisition().map(Json::of))
                        .and(f.others()))
                .and(others);
    }
}
