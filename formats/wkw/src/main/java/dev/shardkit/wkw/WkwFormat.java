package dev.shardkit.wkw;

import dev.shardkit.spi.ArrayCreation;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The node format webknossos-wrap (WKW), which stores an array as files of cubes. Translates the file
 * {@code header.wkw}, which contains all metadata except the shape. The location of the array may state the shape.
 * Otherwise the shape is the smallest one that contains all stored cubes. Stateless and thread-safe.
 */
public final class WkwFormat implements NodeFormat {
    /** The name of this node format. */
    public static final String NAME = "wkw";

    static final String DOCUMENT = "header.wkw";
    /** The maximum size of {@code header.wkw}, which has 16 bytes. */
    private static final int MAX_HEADER_BYTES = 4096;

    /** The number of dimensions: channel, x, y, z. */
    private static final int RANK = 4;
    /** The maximum number of cubes in a dimension. Names of files have at most nine digits. */
    private static final long MAX_CUBES = 1_000_000_000;

    // The cube at x, y and z is the file z3/y2/x1.wkw, with its coordinates as numbers.
    private static final Pattern Z_FOLDER = Pattern.compile("z([0-9]{1,9})");
    private static final Pattern Y_FOLDER = Pattern.compile("y([0-9]{1,9})");
    private static final Pattern X_FILE = Pattern.compile("x([0-9]{1,9})\\.wkw");

    /** Creates the format; called by the service loader. */
    public WkwFormat() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN - 1;
    }

    @Override
    public Search search() {
        return Search.LOCAL;
    }

    @Override
    public Set<String> documentNames() {
        return Set.of(DOCUMENT);
    }

    @Override
    public Plan<Optional<Node>> find(String path, Documents documents) {
        return documents.bytes(StoreKeys.join(path, DOCUMENT), MAX_HEADER_BYTES).then(found -> {
            if (found.isEmpty()) {
                return Plan.done(Optional.empty());
            }
            Bytes bytes = found.get();
            CubeHeader header = CubeHeader.decode(bytes.toArray(), 0, (int) bytes.size());
            return documents.statedShape().isPresent()
                    ? Plan.done(Optional.of(Node.at(
                            path,
                            toDocument(
                                    header, requireValid(documents.statedShape().get(), header)))))
                    : countCubes(path, documents)
                            .map(cubeCounts ->
                                    Optional.of(Node.at(path, toDocument(header, shapeOf(header, cubeCounts)))));
        });
    }

    /** Returns {@code true}: the header has all metadata except the shape. */
    @Override
    public boolean lacksShape() {
        return true;
    }

    /** Returns the shape that the location states, or throws if the header contradicts it. */
    private static long[] requireValid(long[] statedShape, CubeHeader header) {
        boolean isTooLarge = Arrays.stream(statedShape).anyMatch(length -> length > header.cubeLength() * MAX_CUBES);
        if (statedShape.length != RANK || statedShape[0] != header.channels() || isTooLarge) {
            throw new MetadataException("expected the location to state a shape of channel, x, y, z with "
                    + header.channels() + " channels and at most " + header.cubeLength() * MAX_CUBES
                    + " voxels in each direction, found " + Arrays.toString(statedShape));
        }
        return statedShape;
    }

    /** Returns the shape that the cubes fill. */
    private static long[] shapeOf(CubeHeader header, long[] cubeCounts) {
        long length = header.cubeLength();
        return new long[] {header.channels(), cubeCounts[0] * length, cubeCounts[1] * length, cubeCounts[2] * length};
    }

    @Override
    public Optional<ArrayCreation> arrayCreation() {
        return Optional.of(new WkwArrayCreation());
    }

    /** Counts the cubes in x, y and z from the origin to the last stored one in each direction. */
    private static Plan<long[]> countCubes(String path, Documents documents) {
        return listNumbered(path, Z_FOLDER, documents)
                .then(z -> Plan.all(z.size(), i -> countColumns(z.get((int) i), documents))
                        .map(WkwFormat::maxOf)
                        .map(xy -> new long[] {xy[0], xy[1], endOf(z)}));
    }

    /** Counts the cubes in x and y, from the origin to the last one in each direction, in the folder of one z. */
    private static Plan<long[]> countColumns(NumberedPath z, Documents documents) {
        return listNumbered(z.path, Y_FOLDER, documents)
                .then(y -> Plan.all(y.size(), i -> listNumbered(y.get((int) i).path, X_FILE, documents)
                                .map(x -> new long[] {endOf(x), 0})) // the second number is not used
                        .map(WkwFormat::maxOf)
                        .map(x -> new long[] {x[0], endOf(y)}));
    }

    /** Returns the maximum of the first numbers and the maximum of the second numbers. */
    private static long[] maxOf(List<long[]> ends) {
        long[] max = new long[2];
        for (long[] end : ends) {
            max[0] = Math.max(max[0], end[0]);
            max[1] = Math.max(max[1], end[1]);
        }
        return max;
    }

    /** Returns the largest coordinate plus 1. */
    private static long endOf(List<NumberedPath> paths) {
        return paths.stream().mapToLong(path -> path.number + 1).max().orElse(0);
    }

    /** A file or folder whose name contains a coordinate. */
    private record NumberedPath(String path, long number) {}

    /** Lists the files or folders of a folder whose names match a pattern with a coordinate. */
    private static Plan<List<NumberedPath>> listNumbered(String path, Pattern pattern, Documents documents) {
        return documents.names(path).map(names -> names
                .orElseThrow(() -> new UnsupportedException(
                        DOCUMENT + ": the shape is the box of all cubes, and this store cannot list them;"
                                + " expected a local store, or a location that states the shape:"
                                + " wkw:URL#shape=1,2048,2048,1024"))
                .stream()
                .map(name -> parseNumber(name, pattern).isPresent()
                        ? new NumberedPath(
                                StoreKeys.join(path, name),
                                parseNumber(name, pattern).getAsLong())
                        : null)
                .filter(java.util.Objects::nonNull)
                .toList());
    }

    private static OptionalLong parseNumber(String name, Pattern pattern) {
        Matcher matcher = pattern.matcher(name);
        return matcher.matches() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
    }

    /** Returns the document of an array of this shape. */
    static Json.Obj toDocument(CubeHeader header, long[] shape) {
        long length = header.cubeLength();
        long channels = header.channels();
        long block = header.blockLength();
        Json.Obj codec = Json.object()
                .with(CubeCodec.BLOCK_SHAPE, Json.of(new long[] {channels, block, block, block}))
                .with(CubeCodec.BLOCKS, Json.of(CubeCodec.label(header.blockEncoding())));
        return Json.object()
                .with("zarr_format", Json.of(3))
                .with("node_type", Json.of("array"))
                .with("shape", Json.of(shape))
                .with("data_type", Json.of(header.type().label()))
                .with("chunk_grid", Json.extension("regular", Json.object().with("chunk_shape", Json.of(new long[] {
                    channels, length, length, length
                }))))
                .with("chunk_key_encoding", Json.extension(CubeKeys.NAME, Json.object()))
                .with("fill_value", Json.of(0))
                .with("codecs", new Json.Arr(List.of(Json.extension(CubeCodec.NAME, codec))))
                .with(
                        "dimension_names",
                        new Json.Arr(List.of(Json.of("channel"), Json.of("x"), Json.of("y"), Json.of("z"))))
                .with("attributes", Json.object());
    }
}
