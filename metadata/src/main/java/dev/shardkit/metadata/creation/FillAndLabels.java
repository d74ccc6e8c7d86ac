package dev.shardkit.metadata.creation;

import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fill value of a new array, the names of its dimensions and its attributes. Null stands for the default.
 *
 * @param fill the fill value, in the form of the metadata
 * @param dimensions the names of the dimensions
 * @param attributes the attributes
 */
public record FillAndLabels(@Nullable Json fill, @Nullable List<Optional<String>> dimensions, Json.Obj attributes) {}
