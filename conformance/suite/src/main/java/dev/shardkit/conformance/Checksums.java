package dev.shardkit.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks fixtures against their checksums, so that damaged fixtures are not taken for faults of a tool. The checksums
 * are in the file {@code SHA256SUMS}, if it exists (in the format of {@code sha256sum}), and, for files with expected
 * values, in the manifest. Immutable.
 */
final class Checksums {
    private static final String FILE = "SHA256SUMS";
    /** The number of hexadecimal digits of a SHA-256. */
    private static final int DIGITS = 64;

    private final Path folder;
    private final NavigableMap<String, String> sums;

    private Checksums(Path folder, NavigableMap<String, String> sums) {
        this.folder = folder;
        this.sums = sums;
    }

    /** Reads the checksums in a folder of fixtures. */
    static Checksums read(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        NavigableMap<String, String> sums = new TreeMap<>();
        if (!Files.exists(file)) {
            return new Checksums(folder, sums);
        }
        try {
            for (String line : Files.readAllLines(file)) {
                if (line.length() < DIGITS + 3 || !line.startsWith("  ", DIGITS)) {
                    throw new IOException(file + " holds no checksums: expected a SHA-256, two blanks and a name");
                }
                sums.put(line.substring(DIGITS + 2), line.substring(0, DIGITS));
            }
        } catch (MalformedInputException e) {
            throw new IOException(file + " holds no checksums: expected text in UTF-8", e);
        }
        return new Checksums(folder, sums);
    }

    /** Returns the fault of a row's files; empty if there is none. */
    Optional<String> damage(Row row) {
        if (row.expected().isPresent()) {
            Row.Expected expected = row.expected().get();
            Optional<String> damage = damage(expected.file(), expected.sha256().orElse(null));
            if (damage.isPresent()) {
                return damage;
            }
        }
        if (!Files.isDirectory(row.folder())) {
            return Optional.of("the fixture " + name(row.folder()) + " is missing");
        }
        String prefix = name(row.folder()) + "/";
        SortedMap<String, String> own = sums.subMap(prefix, prefix + Character.MAX_VALUE);
        for (Map.Entry<String, String> sum : own.entrySet()) {
            Optional<String> damage = damage(folder.resolve(sum.getKey()), sum.getValue());
            if (damage.isPresent()) {
                return damage;
            }
        }
        return own.isEmpty() ? Optional.empty() : unknownFile(row.folder(), own.keySet());
    }

    /** Returns the fault of a file without a checksum. Ignores hidden files, which the operating system may create. */
    private Optional<String> unknownFile(Path inside, Set<String> known) {
        try (Stream<Path> files = Files.walk(inside)) {
            return files.filter(f -> !Files.isDirectory(f))
                    .filter(f -> !f.getFileName().toString().startsWith("."))
                    .map(this::name)
                    .filter(n -> !known.contains(n))
                    .sorted()
                    .findFirst()
                    .map(n -> n + " has no checksum: it does not belong to the fixtures");
        } catch (IOException | UncheckedIOException e) {
            return Optional.of("the fixture " + name(inside) + " cannot be read: " + e.getMessage());
        }
    }

    /** Returns the path of a file relative to the folder of the fixtures, as checksum files write it. */
    private String name(Path file) {
        return folder.relativize(file).toString().replace('\\', '/');
    }

    /** Returns the fault of one file, whose checksum may be unknown. */
    private Optional<String> damage(Path file, @Nullable String sum) {
        try {
            if (!Files.isRegularFile(file)) {
                return Optional.of("the fixture " + name(file) + " is missing");
            }
            if (sum != null && !sum.equals(digest(file))) {
                return Optional.of("the fixture " + name(file) + " does not match its checksum");
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("the fixture " + name(file) + " cannot be read: " + e.getMessage());
        }
    }

    private static String digest(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
