package dev.shardkit.cli.base;

import dev.shardkit.cli.print.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Names and passwords of hosts from a file {@code .netrc}: {@code machine HOST login NAME password WORD}, and
 * {@code default} for other hosts. The parser ignores everything from the first macro ({@code macdef}) on.
 */
final class Netrc {
    static final Netrc NONE = new Netrc(Map.of(), null);

    private static final int MAX_BYTES = 1 << 20;

    /** A name and a password. */
    record Login(String name, String password) {}

    private final Map<String, Login> hosts;
    private final @Nullable Login defaultLogin;

    private Netrc(Map<String, Login> hosts, @Nullable Login defaultLogin) {
        this.hosts = hosts;
        this.defaultLogin = defaultLogin;
    }

    /** Reads the file that the environment variable {@code NETRC} names, or else the user's {@code .netrc}. */
    static Netrc ofUser() {
        String configured = System.getenv("NETRC");
        Path file = configured != null && !configured.isEmpty()
                ? Path.of(configured)
                : Path.of(System.getProperty("user.home"), ".netrc");
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new UsageException("--netrc: expected at most " + MAX_BYTES + " bytes in " + file);
            }
            return parse(Files.readString(file));
        } catch (IOException e) {
            throw new UsageException(
                    "--netrc: cannot read " + file + ": " + e.getClass().getSimpleName());
        }
    }

    /** Parses the text of the file. Of two entries for a host, the first one counts. */
    static Netrc parse(String text) {
        List<String> words = text.lines()
                .map(line -> line.strip().startsWith("#") ? "" : line)
                .takeWhile(line -> !line.strip().startsWith("macdef"))
                .flatMap(line -> List.of(line.strip().split("\\s+")).stream())
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toList());
        Map<String, Login> hosts = new HashMap<>();
        Login defaultLogin = null;
        @Nullable String host = null;
        boolean isDefault = false;
        String name = "";
        Iterator<String> remainingWords = words.iterator();
        while (remainingWords.hasNext()) {
            String word = remainingWords.next();
            switch (word) {
                case "machine" -> {
                    host = remainingWords.hasNext() ? remainingWords.next().toLowerCase(Locale.ROOT) : null;
                    isDefault = false;
                    name = "";
                }
                case "default" -> {
                    host = null;
                    isDefault = true;
                    name = "";
                }
                case "login" -> name = remainingWords.hasNext() ? remainingWords.next() : "";
                case "password" -> {
                    Login login = new Login(name, remainingWords.hasNext() ? remainingWords.next() : "");
                    if (host != null) {
                        hosts.putIfAbsent(host, login);
                    } else if (isDefault) {
                        defaultLogin = login;
                    }
                }
                default -> {} // "account", and words that only other programs know
            }
        }
        return new Netrc(Map.copyOf(hosts), defaultLogin);
    }

    /** Returns the login of a host. */
    Optional<Login> of(String host) {
        return Optional.ofNullable(hosts.getOrDefault(host.toLowerCase(Locale.ROOT), defaultLogin));
    }
}
