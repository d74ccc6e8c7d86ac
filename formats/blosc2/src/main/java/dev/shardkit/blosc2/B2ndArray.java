package dev.shardkit.blosc2;

import dev.shardkit.spi.DocumentRemarks;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The metalayer of an array (README_B2ND_METALAYER.rst). Immutable.
 *
 * @param shapes its shapes
 * @param type the type of elements
 * @param remarks the metalayers that are left out
 */
record B2ndArray(B2ndShapes shapes, ElementType type, List<String> remarks) {
    /** The metalayers by which python-blosc2 marks arrays whose elements are elsewhere, and what these arrays are. */
    private static final Map<String, String> WITHOUT_ELEMENTS = Map.of(
            "LazyArray", "an expression of other arrays",
            "b2o", "an expression of other arrays or a reference to one",
            "proxy-source", "a cache of another array");

    /** Reads the metalayer of a frame. */
    static B2ndArray of(FrameHeader frame) {
        WITHOUT_ELEMENTS.forEach((name, what) -> {
            if (frame.metalayers().containsKey(name)) {
                throw new UnsupportedException("b2nd: expected an array with its elements, found " + what
                        + " (metalayer " + name + "); save its elements with python-blosc2");
            }
        });
        List<?> members = B2ndShapes.members(frame)
                .orElseThrow(() -> new UnsupportedException("blosc2 frame: expected an array (metalayer b2nd or"
                        + " caterva), found metalayers "
                        + frame.metalayers().keySet()));
        ElementType type = members.size() < B2ndShapes.MEMBERS + 2
                ? ElementType.bits(frame.typesize())
                : ElementType.numpy(
                        MsgPack.cast(members.get(B2ndShapes.MEMBERS), Long.class, "the format of the data type"),
                        MsgPack.cast(members.get(B2ndShapes.MEMBERS + 1), String.class, "a data type"),
                        frame.typesize());
        return new B2ndArray(B2ndShapes.of(members, frame.typesize()), type, remarks(frame));
    }

    /** Names the metalayers that have no place in Zarr. */
    private static List<String> remarks(FrameHeader frame) {
        List<String> remarks = new ArrayList<>();
        frame.metalayers().keySet().stream()
                .filter(name -> !B2ndShapes.isOwn(name))
                .sorted()
                .forEach(name -> remarks.add("the metalayer " + name + " of the frame is left out"));
        if (frame.hasMore()) {
            remarks.add("the metalayers in the trailer of the frame (vlmeta) are left out");
        }
        return List.copyOf(remarks);
    }

    /** Returns the document of Zarr v3. */
    Json.Obj document() {
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
