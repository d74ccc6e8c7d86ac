package dev.shardkit.serve;

import dev.shardkit.store.OwnNames;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The path of a request, decoded and checked. The path is split at slashes first and each name is decoded by itself, so
 * that an encoded slash does not separate names. Refuses names such as {@code ..} and those of shardkit's own files.
 * Immutable.
 *
 * @param key the key of an object, or the prefix of a listing (empty for the root)
 * @param isListing whether the path ends in a slash, so that it requests a listing
 */
record RequestPath(String key, boolean isListing) {
    private static final int HEX = 16;

    /** Parses the path of a request. Refuses names of files of shardkit itself. */
    static RequestPath parse(URI uri) throws HttpError {
        String rawPath = uri.getRawPath();
        if (uri.getRawAuthority() != null || uri.isOpaque() || rawPath == null || !rawPath.startsWith("/")) {
            throw new HttpError(400, "expected a path that begins with one slash");
        }
        return parse(rawPath);
    }

    /** Parses the raw path of a {@link URI}, which begins with a slash and whose escapes are complete. */
    static RequestPath parse(String rawPath) throws HttpError {
        String[] names = rawPath.substring(1).split("/", -1);
        List<String> decodedNames = new ArrayList<>();
        for (int i = 0; i < names.length; i++) {
            if (!names[i].isEmpty() || i < names.length - 1) {
                decodedNames.add(checkedName(names[i]));
            }
        }
        return new RequestPath(String.join("/", decodedNames), rawPath.endsWith("/"));
    }

    /**
     * Decodes a name and checks it. Refuses an empty name, a name of periods only, and a name with control characters,
     * slashes or backslashes.
     */
    private static String checkedName(String rawName) throws HttpError {
        String name = decode(rawName);
        boolean isPlain = name.chars().allMatch(c -> c >= ' ' && c != 0x7f && c != '/' && c != '\\')
                && name.chars().anyMatch(c -> c != '.');
        if (!isPlain || OwnNames.isOwn(name)) {
            throw HttpError.notFound();
        }
        return name;
    }

    private static String decode(String rawName) throws HttpError {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < rawName.length(); i++) {
            char c = rawName.charAt(i);
            if (c > 0x7f) {
                throw new HttpError(400, "expected a path of ASCII characters and %XX");
            } else if (c == '%') {
                bytes.write(Integer.parseInt(rawName, i + 1, i + 3, HEX)); // URI has checked that two digits follow
                i += 2;
            } else {
                bytes.write(c);
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new HttpError(400, "expected names in UTF-8");
        }
    }
}
