package dev.shardkit.spark.task;

import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkEnv;

/**
 * Makes locations absolute on the driver: each executor has its own working folder, so a relative path would name
 * different files there. Stateless.
 */
public final class AbsoluteLocation {
    /** Several schemes may precede the path, as in "zip:file:a.zip". Groups: all schemes, the last scheme, the path. */
    private static final Pattern WITH_SCHEME = Pattern.compile(
            "(?s)((?:[A-Za-z][A-Za-z0-9_+.-]+:)*?" + "([A-Za-z][A-Za-z0-9_+.-]+):)(?![A-Za-z][A-Za-z0-9_+.-]+:)(.*)");
    /** The schemes of local files, and of stores inside a local file. */
    private static final Set<String> OF_FILES = Set.of("file", "zip", "hdf5", "b2nd", "cache");

    private AbsoluteLocation() {}

    /**
     * Returns the location with an absolute path; URLs of other stores are returned as they are.
     *
     * @throws IllegalArgumentException if it is relative, and the driver runs somewhere in the cluster, where the
     *     user's folder is unknown
     */
    public static String of(String location) {
        Matcher scheme = WITH_SCHEME.matcher(location);
        boolean hasScheme = scheme.matches();
        String path = hasScheme ? scheme.group(3) : location;
        boolean ofFiles = !hasScheme
                || OF_FILES.contains(scheme.group(2))
                || scheme.group(2).startsWith("zarr_v");
        if (!ofFiles || path.isBlank() || path.startsWith("/") || isAbsolute(path)) {
            return location;
        }
        if (SparkEnv.get() != null
                && SparkEnv.get()
                        .conf()
                        .get("spark.submit.deployMode", "client")
                        .equals("cluster")) {
            throw new IllegalArgumentException("expected an absolute path or a URL, found the relative path '"
                    + location + "': with --deploy-mode cluster the driver does not run in your folder");
        }
        return (hasScheme ? scheme.group(1) : "") + Path.of("").toAbsolutePath().resolve(path);
    }

    private static boolean isAbsolute(String path) {
        return Path.of(path).isAbsolute();
    }
}
