package dev.shardkit.cli.base;

import dev.shardkit.cli.print.OutputLocationCheck;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Refuses pipes and devices as locations, because stores need random access. Stateless. */
public final class RandomAccessCheck {
    /** A location, such as {@code zip:a.zip!b}: schemes, a file, and a path in that file. Group 1 is the file. */
    private static final Pattern LOCATION = Pattern.compile("(?s)(?:[A-Za-z][A-Za-z0-9+.-]+:)*(/?[^:!]*)(?:!.*)?");

    private RandomAccessCheck() {}

    /** Refuses a parameter of the command that names standard input, a pipe or a device. */
    static void refuseStream(CommandSpec command) {
        for (PositionalParamSpec parameter : command.positionalParameters()) {
            Object value = parameter.getValue();
            for (Object element : value instanceof Collection<?> all ? all : List.of(String.valueOf(value))) {
                refuseStream(String.valueOf(element));
            }
        }
    }

    /** Refuses a location that names standard input, a pipe or a device. */
    static void refuseStream(String location) {
        Matcher parts = LOCATION.matcher(location);
        if (!parts.matches()) {
            return;
        }
        String path = parts.group(1);
        boolean isStandardInput = path.equals("-") && !Files.exists(Path.of(path));
        if (isStandardInput || isStream(path)) {
            throw new RefusedException(location + ": expected a directory, a file or a URL, found "
                    + (isStandardInput ? "standard input" : "a pipe or a device")
                    + ", and this command reads at any position; copy it to a file first, as in: cat > FILE");
        }
    }

    /** Whether a path names a pipe or a device. */
    public static boolean isStream(String path) {
        try {
            return OutputLocationCheck.isStream(Path.of(path));
        } catch (InvalidPathException e) {
            return false; // a URL, or not a valid path on this system
        }
    }
}
