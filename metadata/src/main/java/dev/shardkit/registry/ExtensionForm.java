package dev.shardkit.registry;

import dev.shardkit.json.Pointers;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The reference to an extension in metadata (Zarr core specification, section "Extension definition"): an object with a
 * name and optionally the members {@code configuration} and {@code must_understand}. Since version 3.1, a name on its
 * own is allowed too.
 *
 * @param required whether a reader must know the extension ({@code must_understand}); true by default
 * @param pointer the JSON pointer of the reference, for errors
 */
record ExtensionForm(String name, Json.Obj configuration, boolean required, String pointer) {
    private static final Set<String> MEMBERS = Set.of("name", "configuration", "must_understand");
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-_.]+");
    private static final Pattern URI = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:[^\\s\\p{Cntrl}]+");
    private static final int LONGEST_NAME = 1000;

    static ExtensionForm of(Json json, String pointer) {
        if (json instanceof Json.Str s) {
            boolean isRequired = true; // a name alone cannot say otherwise
            return new ExtensionForm(name(s, pointer), Json.object(), isRequired, pointer);
        }
        if (!(json instanceof Json.Obj o)) {
            throw Config.expected(Pointers.shown(pointer), "an object with a name, or a name", json);
        }
        for (String member : o.members().keySet()) {
            if (!MEMBERS.contains(member)) {
                throw new MetadataException(
                        Pointers.member(pointer, member) + ": unknown member; known are " + new TreeSet<>(MEMBERS));
            }
        }
        Json name = o.get("name").orElseThrow(() -> new MetadataException(pointer + "/name: is required, but missing"));
        Json configuration = o.get("configuration").orElseGet(Json::object);
        if (!(configuration instanceof Json.Obj c)) {
            throw Config.expected(pointer + "/configuration", "an object", configuration);
        }
        return new ExtensionForm(
                name(name, pointer + "/name"),
                c,
                required(o.get("must_understand").orElse(null), pointer),
                pointer);
    }

    private static boolean required(@Nullable Json json, String pointer) {
        if (json == null) {
            return true;
        }
        if (json instanceof Json.Bool b) {
            return b.value();
        }
        throw Config.expected(pointer + "/must_understand", "true or false", json);
    }

    private static String name(Json json, String pointer) {
        if (json instanceof Json.Str s && isName(s.value())) {
            return s.value();
        }
        throw Config.expected(Pointers.shown(pointer), "a name (" + NAME + ", or a URI)", json);
    }

    /** Returns whether {@code text} has the form of a registered name or a URI. */
    static boolean isName(String text) {
        return text.length() <= LONGEST_NAME
                && (NAME.matcher(text).matches() || URI.matcher(text).matches());
    }

    /**
     * Returns this reference. Throws {@code MetadataException} if {@code must_understand} is false but the
     * specification requires true.
     */
    ExtensionForm mustBeRequired(Plugin.Kind kind) {
        if (!required) {
            throw new MetadataException(pointer + "/must_understand: must not be false on a " + kind);
        }
        return this;
    }
}
