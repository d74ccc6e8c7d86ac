package dev.shardkit.cli.base;

import dev.shardkit.cli.print.OutputPlace;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Refuses pipes and devices as locations: files are read at any position. Stateless. */
public final class StreamArguments {
    /** The scheme of a location, and the path in a file. */
    private static final Pattern LOCATION = Pattern.compile("(?s)(?:[A-Za-z][A-Za-z0-9+.-]+:)*(/?[^:!]*)(?:!.*)?");

    private StreamArguments() {}

    /** Refuses a parameter of the command that names standard input, a pipe or a device. */
    static void refuse(CommandSpec command) {
        for (PositionalParamSpec parameter : command.positionalParameters()) {
            Object value = parameter.getValue();
            for (Object one : value instanceof Collection<?> all ? all : List.of(String.valueOf(value))) {
                refuse(String.valueOf(one));
            }
        }
    }

    /** Refuses a location. */
    static void refuse(String location) {
        Matcher parts = LOCATION.matcher(location);
        if (!parts.matches()) {
            return;
        }
        String file = parts.group(1);
        boolean isStandardInput = file.equals("-") && !Files.exists(Path.of(file));
        if (isStandardInput || isStream(file)) {
            throw new Refusal(location + ": expected a directory, a file or a URL, found "
                    + (isStandardInput ? "standard input" : "a pipe or a device")
                    + ", and this command reads at any position; copy it to a file first, as in: cat > FILE");
        }
    }

    /** Whether this names a pipe or a device. */
    public static boolean isStream(String file) {
        try {
            return OutputPlace.isStream(Path.of(file));
        } catch (InvalidPathException e) {
            return false; // a URL, or no path of this system
        }
    }
}
