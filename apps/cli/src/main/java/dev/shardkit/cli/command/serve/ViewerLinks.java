package dev.shardkit.cli.command.serve;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.serve.DataServer;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Links that open served data in viewers on the web. The viewers run in the user's browser. */
final class ViewerLinks {
    private static final String NEUROGLANCER = "https://neuroglancer-demo.appspot.com";
    private static final String VIZARR = "https://hms-dbmi.github.io";
    /** The codecs that both viewers support. */
    private static final Set<String> CODECS =
            Set.of("bytes", "transpose", "gzip", "zstd", "blosc", "crc32c", "sharding_indexed");

    /** Whether the links name the server's view of the store in which every node is Zarr v3. */
    private final boolean isVersion3;
    /** The path of the array or the image below the root; empty, or ends with a slash. */
    private final String path;

    private ViewerLinks(boolean isVersion3, String path) {
        this.isVersion3 = isVersion3;
        this.path = path;
    }

    /** Returns the origins of the viewers, which must be allowed to read the data. */
    static List<String> origins() {
        return List.of(NEUROGLANCER, VIZARR);
    }

    /**
     * Returns the links to the root of a store, if it is an image that the viewers can open: an array, a pyramid of
     * OME-Zarr, or a volume of neuroglancer, whose finest array they show. Formats that the viewers cannot read are
     * served to them as Zarr v3.
     */
    static Optional<ViewerLinks> find(Store store, ZarrOptions options) {
        try {
            Optional<ZarrNode> root = Zarr.find(store, "", options);
            if (root.isEmpty()) {
                return Optional.empty();
            } else if (root.get() instanceof ZarrArray array) {
                boolean needsVersion3 = !isReadable(array); // as the server translates it
                return Optional.of(new ViewerLinks(needsVersion3, ""));
            } else if (isPyramid(root.get().attributes())) {
                return Optional.of(new ViewerLinks(false, ""));
            }
            return finestPath((ZarrGroup) root.get()).map(child -> new ViewerLinks(true, child + "/"));
        } catch (ZarrException e) {
            return Optional.empty(); // no error, because the server serves nodes that shardkit cannot open
        }
    }

    /** Returns the path of the largest array of a volume of neuroglancer. */
    private static Optional<String> finestPath(ZarrGroup group) {
        if (!group.nodeFormat().equals(Optional.of("neuroglancer"))) {
            return Optional.empty();
        }
        return group.descendantMetadata().entrySet().stream()
                .filter(node -> node.getValue() instanceof ArrayMetadata)
                .max(Comparator.comparingDouble(node -> Arrays.stream(((ArrayMetadata) node.getValue()).shape())
                        .asDoubleStream()
                        .reduce(1, (a, b) -> a * b)))
                .map(Map.Entry::getKey);
    }

    /** Whether the viewers can read the array as it is stored. */
    private static boolean isReadable(ZarrArray array) {
        ArrayMetadata metadata = array.metadata();
        return array.nodeFormat().isEmpty()
                && metadata.chunkGrid().name().equals("regular")
                && metadata.storageTransformers().isEmpty()
                && metadata.codecs().codecs().stream().map(Codec::json).allMatch(ViewerLinks::isKnown);
    }

    /** Whether the viewers support a codec and, in a shard, the codecs of its inner chunks. */
    private static boolean isKnown(Json codec) {
        if (!(codec instanceof Json.Obj object)) {
            return codec instanceof Json.Str name && CODECS.contains(name.value());
        }
        boolean isKnown = object.get("name")
                .filter(name -> name instanceof Json.Str s && CODECS.contains(s.value()))
                .isPresent();
        return isKnown
                && object.get("configuration").stream()
                        .filter(Json.Obj.class::isInstance)
                        .flatMap(c -> ((Json.Obj) c).get("codecs").stream())
                        .filter(Json.Arr.class::isInstance)
                        .flatMap(list -> ((Json.Arr) list).items().stream())
                        .allMatch(ViewerLinks::isKnown);
    }

    private static boolean isPyramid(Json.Obj attributes) {
        return attributes.get("multiscales").isPresent()
                || attributes.get("ome").filter(Json.Obj.class::isInstance).stream()
                        .anyMatch(ome -> ((Json.Obj) ome).get("multiscales").isPresent());
    }

    /** Returns one line for each viewer. */
    List<String> linkLines(DataServer server) {
        URI url = (isVersion3 ? server.version3Url() : server.url()).resolve(path);
        // both viewers detect Zarr v2 and v3 by themselves
        String state = "{\"layers\":[{\"type\":\"image\",\"source\":\"zarr://" + url + "\",\"name\":\"data\"}]}";
        return List.of(
                "neuroglancer: " + NEUROGLANCER + "/#!" + encode(state),
                "vizarr: " + VIZARR + "/vizarr/?source=" + encode(url.toString()));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
