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
 * The path of a request, decoded and checked. Each name is decoded by itself, so that an encoded slash or period cannot
 * become part of the path's structure. Immutable.
 *
 * @param key the key of an object, or the prefix of a listing (empty for the root)
 * @param isListing whether the path ends in a slash
 */
record RequestPath(String key, boolean isListing) {
    private static final int HEX = 16;

    /** Parses the path of a request; refuses names of shardkit's own files. */
    static RequestPath of(URI uri) throws Refused {
        String raw = uri.getRawPath();
        if (uri.getRawAuthority() != null || uri.isOpaque() || raw == null || !raw.startsWith("/")) {
            throw new Refused(400, "expected a path that begins with one slash");
        }
        return of(raw);
    }

    /** Parses the path of a URI, which begins with a slash and has only complete escapes. */
    static RequestPath of(String raw) throws Refused {
        String[] names = raw.substring(1).split("/", -1);
        List<String> decoded = new ArrayList<>();
        for (int i = 0; i < names.length; i++) {
            if (!names[i].isEmpty() || i < names.length - 1) {
                decoded.add(name(names[i]));
            }
        }
        return new RequestPath(String.join("/", decoded), raw.endsWith("/"));
    }

    private static String name(String raw) throws Refused {
        String name = decoded(raw);
        boolean isPlain = name.chars().allMatch(c -> c >= ' ' && c != 0x7f && c != '/' && c != '\\')
                && name.chars().anyMatch(c -> c != '.');
        if (!isPlain || OwnNames.isOwn(name)) {
            throw Refused.missing();
        }
        return name;
    }

    private static String decoded(String raw) throws Refused {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c > 0x7f) {
                throw new Refused(400, "expected a path of ASCII characters and %XX");
            } else if (c == '%') {
                bytes.write(Integer.parseInt(raw, i + 1, i + 3, HEX)); // java.net.URI has checked the two digits
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
            throw new Refused(400, "expected names in UTF-8");
        }
    }
}
