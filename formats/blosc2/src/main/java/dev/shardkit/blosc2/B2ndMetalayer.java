package dev.shardkit.blosc2;

import dev.shardkit.spi.DocumentRemarks;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The description of an array in a Blosc2 frame. It is stored as the metalayer {@code b2nd}; a metalayer is a named
 * piece of metadata in the frame's header (README_B2ND_METALAYER.rst of c-blosc2). Immutable.
 *
 * @param shapes the shapes of the array
 * @param type the type of elements
 * @param remarks notes on metalayers that are ignored
 */
record B2ndMetalayer(B2ndShapes shapes, B2ndElementType type, List<String> remarks) {
    /**
     * Metalayers with which python-blosc2 marks arrays whose elements are not in the frame, with a description of these
     * arrays.
     */
    private static final Map<String, String> WITHOUT_ELEMENTS = Map.of(
            "LazyArray", "an expression of other arrays",
            "b2o", "an expression of other arrays or a reference to one",
            "proxy-source", "a cache of another array");

    /** Reads the metalayer of a frame. */
    static B2ndMetalayer read(FrameHeader frame) {
        WITHOUT_ELEMENTS.forEach((name, description) -> {
            if (frame.metalayers().containsKey(name)) {
                throw new UnsupportedException("b2nd: expected an array with its elements, found " + description
                        + " (metalayer " + name + "); save its elements with python-blosc2");
            }
        });
        List<?> members = B2ndShapes.readMembers(frame)
                .orElseThrow(() -> new UnsupportedException("blosc2 frame: expected an array (metalayer b2nd or"
                        + " caterva), found metalayers "
                        + frame.metalayers().keySet()));
        B2ndElementType type = members.size() < B2ndShapes.MEMBERS + 2
                ? B2ndElementType.ofBits(frame.typesize())
                : B2ndElementType.parse(
                        MsgPack.cast(members.get(B2ndShapes.MEMBERS), Long.class, "the format of the data type"),
                        MsgPack.cast(members.get(B2ndShapes.MEMBERS + 1), String.class, "a data type"),
                        frame.typesize());
        return new B2ndMetalayer(B2ndShapes.parse(members, frame.typesize()), type, remarksOn(frame));
    }

    /** Returns notes on metalayers that Zarr cannot store. */
    private static List<String> remarksOn(FrameHeader frame) {
        List<String> remarks = new ArrayList<>();
        frame.metalayers().keySet().stream()
                .filter(name -> !B2ndShapes.isArrayMetalayer(name))
                .sorted()
                .forEach(name -> remarks.add("the metalayer " + name + " of the frame is left out"));
        if (frame.hasMoreMetalayers()) {
            remarks.add("the metalayers in the trailer of the frame (vlmeta) are left out");
        }
        return List.copyOf(remarks);
    }

    /** Returns the equivalent {@code zarr.json}. */
    Json.Obj toDocument() {
        Json.Obj codec = Json.object()
                .with(Blosc2Codec.BLOCK_SHAPE, Json.of(shapes.block()))
                .with(Blosc2Codec.ENDIAN, Json.of(type.endian()));
        Json.Obj document = Json.object()
                .with("zarr_format", Json.of(3))
                .with("node_type", Json.of("array"))
                .with("shape", Json.of(shapes.array()))
                .with("data_type", type.type())
                .with(
                        "chunk_grid",
                        Json.extension("regular", Json.object().with("chunk_shape", Json.of(shapes.chunk()))))
                .with(
                        "chunk_key_encoding",
                        Json.extension("default", Json.object().with("separator", Json.of("/"))))
                .with("fill_value", type.fill())
                .with("codecs", new Json.Arr(List.of(Json.extension(Blosc2Codec.NAME, codec))))
                .with("attributes", Json.object());
        return DocumentRemarks.add(document, remarks);
    }
}
