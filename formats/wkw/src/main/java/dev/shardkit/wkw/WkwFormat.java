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
 * webknossos-wrap. Reads {@code header.wkw}, which holds all metadata except the shape. The shape is the box of all
 * cubes, which the store lists, or the location states it. Stateless and thread-safe.
 */
public final class WkwFormat implements NodeFormat {
    /** The name of this node format. */
    public static final String NAME = "wkw";

    static final String DOCUMENT = "header.wkw";
    private static final int MAX_BYTES = 4096;
    private static final int RANK = 4;
    /** As many as the digits of names allow. */
    private static final long MAX_CUBES = 1_000_000_000;

    private static final Pattern Z = Pattern.compile("z([0-9]{1,9})");
    private static final Pattern Y = Pattern.compile("y([0-9]{1,9})");
    private static final Pattern X = Pattern.compile("x([0-9]{1,9})\\.wkw");

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
        return documents.bytes(StoreKeys.join(path, DOCUMENT), MAX_BYTES).then(found -> {
            if (found.isEmpty()) {
                return Plan.done(Optional.empty());
            }
            Bytes bytes = found.get();
            CubeHeader header = CubeHeader.decode(bytes.toArray(), 0, (int) bytes.size());
            return documents.statedShape().isPresent()
                    ? Plan.done(Optional.of(Node.at(
                            path,
                            document(header, checked(documents.statedShape().get(), header)))))
                    : cubes(path, documents)
                            .map(cubes -> Optional.of(Node.at(path, document(header, shape(header, cubes)))));
        });
    }

    /** The header has all metadata but the shape. */
    @Override
    public boolean lacksShape() {
        return true;
    }

    private static long[] checked(long[] stated, CubeHeader header) {
        boolean isFar = Arrays.stream(stated).anyMatch(length -> length > header.cubeLength() * MAX_CUBES);
        if (stated.length != RANK || stated[0] != header.channels() || isFar) {
            throw new MetadataException("expected the location to state a shape of channel, x, y, z with "
                    + header.channels() + " channels and at most " + header.cubeLength() * MAX_CUBES
                    + " voxels in each direction, found " + Arrays.toString(stated));
        }
        return stated;
    }

    private static long[] shape(CubeHeader header, long[] cubes) {
        long length = header.cubeLength();
        return new long[] {header.channels(), cubes[0] * length, cubes[1] * length, cubes[2] * length};
    }

    @Override
    public Optional<ArrayCreation> creation() {
        return Optional.of(new NewCubes());
    }

    /** Returns the number of cubes in x, y and z that hold all stored cubes. */
    private static Plan<long[]> cubes(String path, Documents documents) {
        return named(path, Z, documents).then(z -> Plan.all(z.size(), i -> columns(z.get((int) i), documents))
                .map(WkwFormat::around)
                .map(xy -> new long[] {xy[0], xy[1], end(z)}));
    }

    private static Plan<long[]> columns(Named z, Documents documents) {
        return named(z.path, Y, documents).then(y -> Plan.all(
                        y.size(), i -> named(y.get((int) i).path, X, documents).map(x -> new long[] {end(x), 0}))
                .map(WkwFormat::around)
                .map(x -> new long[] {x[0], end(y)}));
    }

    private static long[] around(List<long[]> ends) {
        long[] most = new long[2];
        for (long[] end : ends) {
            most[0] = Math.max(most[0], end[0]);
            most[1] = Math.max(most[1], end[1]);
        }
        return most;
    }

    private static long end(List<Named> all) {
        return all.stream().mapToLong(named -> named.number + 1).max().orElse(0);
    }

    /** An entry whose name holds a coordinate. */
    private record Named(String path, long number) {}

    private static Plan<List<Named>> named(String path, Pattern form, Documents documents) {
        return documents.names(path).map(names -> names
                .orElseThrow(() -> new UnsupportedException(
                        DOCUMENT + ": the shape is the box of all cubes, and this store cannot list them;"
                                + " expected a local store, or a location that states the shape:"
                                + " wkw:URL#shape=1,2048,2048,1024"))
                .stream()
                .map(name -> number(name, form).isPresent()
                        ? new Named(
                                StoreKeys.join(path, name), number(name, form).getAsLong())
                        : null)
                .filter(java.util.Objects::nonNull)
                .toList());
    }

    private static OptionalLong number(String name, Pattern form) {
        Matcher matcher = form.matcher(name);
        return matcher.matches() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
    }

    /** Returns the document of an array of this shape. */
    static Json.Obj document(CubeHeader header, long[] shape) {
        long length = header.cubeLength();
        long channels = header.channels();
        long block = header.blockLength();
        Json.Obj codec = Json.object()
                .with(CubeCodec.BLOCK_SHAPE, Json.of(new long[] {channels, block, block, block}))
                .with(CubeCodec.BLOCKS, Json.of(CubeCodec.label(header.blocks())));
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
