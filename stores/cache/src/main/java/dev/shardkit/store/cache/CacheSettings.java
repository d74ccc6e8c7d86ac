package dev.shardkit.store.cache;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings of a location {@code cache:URL#folder=PATH&limit=10GiB&mode=offline}. An option that the location lacks
 * comes from a system property ({@code shardkit.cache.folder}), else from an environment variable
 * ({@code SHARDKIT_CACHE_FOLDER}), else it has its default. Immutable.
 *
 * @param folder the folder of the cache
 * @param limit the largest size of the cache in bytes
 * @param mode when the cache asks the remote store whether its content is current
 */
record CacheSettings(Path folder, long limit, CacheMode mode) {
    private static final String FOLDER = "folder";
    private static final String LIMIT = "limit";
    private static final String MODE = "mode";
    private static final String DEFAULT_LIMIT = "10GiB";
    /** A size such as {@code 10GiB}: a number, optionally a unit (with an i for powers of 1024) and B. */
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,15}) *([KMGT]i?)?B?", Pattern.CASE_INSENSITIVE);

    /** Finds settings by name. */
    interface Sources {
        Optional<String> property(String name);

        Optional<String> variable(String name);

        /** Returns the sources of this process. */
        static Sources ofProcess() {
            return of(System::getProperty, System::getenv);
        }

        /** Returns sources from two functions, which return null for names without a value. */
        @SuppressWarnings("NullAway")
        static Sources of(Function<String, String> properties, Function<String, String> variables) {
            return new Sources() {
                @Override
                public Optional<String> property(String name) {
                    return Optional.ofNullable(properties.apply(name)).filter(v -> !v.isBlank());
                }

                @Override
                public Optional<String> variable(String name) {
                    return Optional.ofNullable(variables.apply(name)).filter(v -> !v.isBlank());
                }
            };
        }
    }

    /** Returns the settings of a location with these options. */
    static CacheSettings of(Map<String, String> options, Sources sources) {
        options.keySet().forEach(name -> {
            if (!name.equals(FOLDER) && !name.equals(LIMIT) && !name.equals(MODE)) {
                throw new IllegalArgumentException("expected the options folder=PATH, limit=SIZE and"
                        + " mode=check|trust|offline behind the # of a cache: location, found another one");
            }
        });
        return new CacheSettings(
                option(FOLDER, options, sources).map(Path::of).orElseGet(() -> defaultFolder(sources)),
                size(option(LIMIT, options, sources).orElse(DEFAULT_LIMIT)),
                mode(option(MODE, options, sources).orElse(CacheMode.CHECK.name())));
    }

    private static Optional<String> option(String name, Map<String, String> options, Sources sources) {
        return Optional.ofNullable(options.get(name))
                .or(() -> sources.property("shardkit.cache." + name))
                .or(() -> sources.variable("SHARDKIT_CACHE_" + name.toUpperCase(Locale.ROOT)));
    }

    /**
     * Returns the folder {@code shardkit/cache} in the system's folder for caches. The folder {@code shardkit} itself
     * also holds files of the command's launcher. If an earlier version made its cache there, that cache is still used.
     */
    private static Path defaultFolder(Sources sources) {
        Path home = Path.of(sources.property("user.home").orElse("."));
        String system = sources.property("os.name").orElse("").toLowerCase(Locale.ROOT);
        if (system.startsWith("windows")) {
            return sources.variable("LOCALAPPDATA")
                    .map(Path::of)
                    .orElse(home)
                    .resolve("shardkit")
                    .resolve("cache");
        }
        Path folder = system.startsWith("mac") ? home.resolve("Library").resolve("Caches") : home.resolve(".cache");
        // The XDG Base Directory Specification: relative paths are invalid and ignored.
        Path shared = sources.variable("XDG_CACHE_HOME")
                .map(Path::of)
                .filter(Path::isAbsolute)
                .orElse(folder)
                .resolve("shardkit");
        return CacheFolder.isFile(shared.resolve(CacheFolder.MARKER)) ? shared : shared.resolve("cache");
    }

    /** Parses a size in bytes. Units with an i are powers of 1024, the others powers of 1000. */
    static long size(String text) {
        Matcher size = SIZE.matcher(text.strip());
        if (size.matches()) {
            String unit = Optional.ofNullable(size.group(2)).orElse("").toLowerCase(Locale.ROOT);
            long base = unit.endsWith("i") ? 1024 : 1000;
            long factor = 1;
            for (int i = 0; !unit.isEmpty() && i <= "kmgt".indexOf(unit.charAt(0)); i++) {
                factor *= base;
            }
            try {
                long bytes = Math.multiplyExact(Long.parseLong(size.group(1)), factor);
                if (bytes > 0) {
                    return bytes;
                }
            } catch (ArithmeticException e) {
                throw new IllegalArgumentException("expected a limit of less than 2^63 bytes, found " + text, e);
            }
        }
        throw new IllegalArgumentException("expected the limit of a cache, such as 10GiB, found " + text);
    }

    private static CacheMode mode(String text) {
        try {
            return CacheMode.valueOf(text.strip().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("expected a mode of a cache: check, trust or offline, found " + text, e);
        }
    }
}
