package dev.shardkit.maintenance.staging;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the folders (key prefixes) above a location in a bucket, such as S3. A store in a bucket describes itself by
 * its URL, followed by the server if it is not the default one: {@code s3://bucket/a/b at SERVER}. Stateless.
 */
final class ParentPrefixes {
    /**
     * Groups: scheme and bucket, the names below the bucket, the server. Does not match stores inside others, such as
     * {@code zip:}, or URLs of {@code http:}.
     */
    private static final Pattern BUCKET =
            Pattern.compile("((?!http)[a-z][a-z0-9]*://[^/!|?#]+)/([^!|?#]+?)/?( at \\S+)?");

    /**
     * A folder above a location.
     *
     * @param location the URL of the folder, escaped
     * @param described how a store of the folder describes itself: with the server, if it is not the default one
     * @param name the path of the original location relative to the folder
     */
    record Folder(URI location, String described, String name) {}

    private ParentPrefixes() {}

    /** Returns the folders above a store, the nearest first. Empty if the store is not in a bucket. */
    static List<Folder> above(String described) {
        List<Folder> folders = new ArrayList<>();
        Matcher matcher = BUCKET.matcher(described);
        if (!matcher.matches()) {
            return folders;
        }
        String server = matcher.group(3) == null ? "" : matcher.group(3);
        List<String> names = List.of(matcher.group(2).split("/"));
        for (int i = names.size() - 1; i >= 0; i--) {
            String path = i == 0 ? "" : "/" + String.join("/", names.subList(0, i));
            folders.add(new Folder(
                    url(matcher.group(1), path),
                    matcher.group(1) + path + server,
                    String.join("/", names.subList(i, names.size()))));
        }
        return folders;
    }

    private static URI url(String bucket, String path) {
        try {
            return URI.create(bucket + new URI(null, null, path, null).getRawPath());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
