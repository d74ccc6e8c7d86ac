package dev.shardkit.cli;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Links that open served data in viewers on the web. The viewers' programs run in the user's browser. */
final class ViewerLinks {
    private static final String NEUROGLANCER = "https://neuroglancer-demo.appspot.com";
    private static final String VIZARR = "https://hms-dbmi.github.io";

    private ViewerLinks() {}

    /** Returns the origins of the viewers, which must be allowed to read the data. */
    static List<String> origins() {
        return List.of(NEUROGLANCER, VIZARR);
    }

    /** Whether the root of a store is an image that the viewers can open: an array, or a pyramid of OME-Zarr. */
    static boolean canShow(Store store) {
        try {
            Optional<ZarrNode> root = Zarr.find(store, "", ZarrOptions.defaults());
            return root.isPresent()
                    && (root.get() instanceof ZarrArray || isPyramid(root.get().attributes()));
        } catch (ZarrException e) {
            return false; // the server serves broken nodes too
        }
    }

    private static boolean isPyramid(Json.Obj attributes) {
        return attributes.get("multiscales").isPresent()
                || attributes.get("ome").filter(Json.Obj.class::isInstance).stream()
                        .anyMatch(ome -> ((Json.Obj) ome).get("multiscales").isPresent());
    }

    /** Returns one line for each viewer. */
    static List<String> lines(URI url) {
        // both viewers find out by themselves whether it is Zarr v2 or v3
        String state = "{\"layers\":[{\"type\":\"image\",\"source\":\"zarr://" + url + "\",\"name\":\"data\"}]}";
        return List.of(
                "neuroglancer: " + NEUROGLANCER + "/#!" + encoded(state),
                "vizarr: " + VIZARR + "/vizarr/?source=" + encoded(url.toString()));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
