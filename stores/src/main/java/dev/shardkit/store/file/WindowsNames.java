package dev.shardkit.store.file;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Recognizes names that Windows does not store, or stores under another name: names of devices, names that end with a
 * period or a space, which Windows removes, and names with forbidden characters. Stateless.
 */
final class WindowsNames {
    /** The maximum length of a name, in UTF-16 units. */
    private static final int LONGEST = 255;

    /** The forbidden characters, besides control characters. */
    private static final String CHARACTERS = "<>:\"|?*\\";

    /** The names of devices, with which also names such as {@code nul.txt} are reserved. */
    private static final Set<String> DEVICES = Set.of(
            "con",
            "prn",
            "aux",
            "nul",
            "conin$",
            "conout$",
            "com1",
            "com2",
            "com3",
            "com4",
            "com5",
            "com6",
            "com7",
            "com8",
            "com9",
            "com\u00b9",
            "com\u00b2",
            "com\u00b3",
            "lpt1",
            "lpt2",
            "lpt3",
            "lpt4",
            "lpt5",
            "lpt6",
            "lpt7",
            "lpt8",
            "lpt9",
            "lpt\u00b9",
            "lpt\u00b2",
            "lpt\u00b3");

    private WindowsNames() {}

    /** Returns why Windows cannot store a file or folder under {@code name}; empty if it can. */
    static Optional<String> refusal(String name) {
        if (name.length() > LONGEST) {
            return Optional.of("a name of " + name.length() + " characters; Windows supports names of " + LONGEST);
        } else if (name.endsWith(".") || name.endsWith(" ")) {
            return Optional.of("the name \"" + name + "\" ends with a period or a space, which Windows removes");
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c < ' ' || CHARACTERS.indexOf(c) >= 0) {
                return Optional.of("the name \"" + name + "\" has a character that Windows does not allow in names ("
                        + (c < ' ' ? String.format("U+%04X", (int) c) : c) + ")");
            }
        }
        int end = name.indexOf('.');
        String stem = (end < 0 ? name : name.substring(0, end)).stripTrailing().toLowerCase(Locale.ROOT);
        return DEVICES.contains(stem)
                ? Optional.of("\"" + name + "\" is the name of a device on Windows")
                : Optional.empty();
    }
}
