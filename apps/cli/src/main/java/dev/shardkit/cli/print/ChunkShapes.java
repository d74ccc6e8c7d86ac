package dev.shardkit.cli.print;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The shapes of the chunks of an array whose grid is not regular. Stateless. */
public final class ChunkShapes {
    private static final int MAX_SHOWN = 8;
    private static final int FIRST = 5;

    private ChunkShapes() {}

    /**
     * Returns the lengths of chunks in each dimension, as the metadata of a rectilinear grid have them: one length, or
     * a list of lengths and runs {@code [length, count]}. Empty for other grids.
     */
    static Optional<Json.Arr> of(ZarrArray array) {
        return array.metadata().chunkGrid().name().equals("rectilinear")
                ? array.metadata()
                        .chunkGrid()
                        .configuration()
                        .get("chunk_shapes")
                        .filter(Json.Arr.class::isInstance)
                        .map(Json.Arr.class::cast)
                : Optional.empty();
    }

    /**
     * Returns a short text: {@code [(10, 30, 60), 20]}, with {@code 20 x 3} for a run and {@code ...} in long lists.
     */
    public static String text(Json.Arr shapes) {
        return shapes.items().stream()
                .map(lengths -> lengths instanceof Json.Arr list ? text(list.items()) : lengths.toString())
                .collect(Collectors.joining(", ", "[", "]"));
    }

    private static String text(List<Json> lengths) {
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < lengths.size(); i++) {
            if (lengths.size() <= MAX_SHOWN || i < FIRST || i == lengths.size() - 1) {
                shown.add(
                        lengths.get(i) instanceof Json.Arr run
                                ? run.items().get(0) + " x " + run.items().get(1)
                                : lengths.get(i).toString());
            } else if (i == FIRST) {
                shown.add("...");
            }
        }
        return "(" + String.join(", ", shown) + ")";
    }
}
