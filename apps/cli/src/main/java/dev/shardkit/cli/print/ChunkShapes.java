package dev.shardkit.cli.print;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Formats the chunk shapes of arrays with a rectilinear grid. Stateless. */
public final class ChunkShapes {
    /** The longest list that is shown whole. Of a longer list, the first lengths and the last one are shown. */
    private static final int MAX_SHOWN = 8;

    private static final int SHOWN_AT_START = 5;

    private ChunkShapes() {}

    /**
     * Returns {@code chunk_shapes} of the metadata: for each dimension, the one length of all chunks, or a list of
     * lengths and of runs {@code [length, count]} of equal lengths. Empty for other grids.
     */
    static Optional<Json.Arr> find(ZarrArray array) {
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
     * Returns a short text such as {@code [(10, 30, 60), 20]}, with {@code 20 x 3} for a run and {@code ...} in long
     * lists.
     */
    public static String toText(Json.Arr shapes) {
        return shapes.items().stream()
                .map(lengths -> lengths instanceof Json.Arr list ? toText(list.items()) : lengths.toString())
                .collect(Collectors.joining(", ", "[", "]"));
    }

    private static String toText(List<Json> lengths) {
        List<String> items = new ArrayList<>();
        for (int i = 0; i < lengths.size(); i++) {
            if (lengths.size() <= MAX_SHOWN || i < SHOWN_AT_START || i == lengths.size() - 1) {
                items.add(
                        lengths.get(i) instanceof Json.Arr run
                                ? run.items().get(0) + " x " + run.items().get(1)
                                : lengths.get(i).toString());
            } else if (i == SHOWN_AT_START) {
                items.add("...");
            }
        }
        return "(" + String.join(", ", items) + ")";
    }
}
