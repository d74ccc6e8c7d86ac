package dev.shardkit.cli.base;

import dev.shardkit.cli.print.WrongUse;
import dev.shardkit.store.StoreFactory;
import dev.shardkit.store.http.Forbidden;
import dev.shardkit.store.http.HttpStoreBuilder;
import dev.shardkit.store.http.HttpStoreFactory;
import dev.shardkit.store.http.HttpsStoreFactory;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * The options for {@code http:} and {@code https:} locations. Headers, tokens and passwords go only to servers that the
 * command line names: not to those of redirects, and not to those that a document of references names.
 */
final class HttpOptions {
    private static final Pattern NAMED =
            Pattern.compile("(https?)://(?:[^/@\\s]*@)?(\\[[^\\]/]+\\]|[^/:?#!|\\s]+)(?::(\\d{1,5}))?");
    private static final Pattern HEADER = Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \\t]*([\\x20-\\x7e\\t]*)");
    private static final int MAX_BYTES = 64 << 10;

    @Option(
            names = "--header",
            scope = ScopeType.INHERIT,
            paramLabel = "NAME:VALUE",
            description = "A header for the http: and https: servers that the command names; @FILE takes one from each "
                    + "line of a file, which keeps secrets off the command line; repeatable.")
    private List<String> headers = new ArrayList<>();

    @Option(
            names = "--bearer-token-file",
            scope = ScopeType.INHERIT,
            paramLabel = "FILE",
            description = "A file with a token for these servers (Authorization: Bearer). It is read before each "
                    + "request, so it may be renewed.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--netrc",
            scope = ScopeType.INHERIT,
            description = "Take names and passwords of these servers from ~/.netrc, or the file that NETRC names.")
    private boolean netrc;

    @Option(
            names = "--follow-redirects",
            scope = ScopeType.INHERIT,
            paramLabel = "HOST",
            description = "Also follow redirects to HOST, which receives no header, token or password; repeatable.")
    private List<String> redirects = new ArrayList<>();

    /**
     * Returns the stores with these options; none if there is no option.
     *
     * @param forbidden what HTTP 403 means, if an option says so
     * @param arguments the command line
     */
    List<StoreFactory> factories(Optional<Forbidden> forbidden, List<String> arguments) {
        if (forbidden.isEmpty() && headers.isEmpty() && tokenFile == null && !netrc && redirects.isEmpty()) {
            return List.of();
        }
        Set<String> servers = servers(arguments);
        Map<String, String> all = headers();
        if (tokenFile != null) {
            token(tokenFile); // an error now, instead of one for each request
        }
        Netrc passwords = netrc ? Netrc.ofUser() : Netrc.NONE;
        Set<String> hosts = new HashSet<>();
        redirects.forEach(host -> hosts.add(host.toLowerCase(Locale.ROOT)));
        UnaryOperator<HttpStoreBuilder> settings = builder -> {
            forbidden.ifPresent(builder::forbidden);
            return set(builder, servers, all, passwords, hosts);
        };
        return List.of(new HttpStoreFactory(settings), new HttpsStoreFactory(settings));
    }

    private HttpStoreBuilder set(
            HttpStoreBuilder builder,
            Set<String> servers,
            Map<String, String> all,
            Netrc passwords,
            Set<String> hosts) {
        URI base = builder.base();
        if (servers.contains(server(base.getScheme(), base.getHost(), base.getPort()))) {
            Map<String, String> own = new LinkedHashMap<>(all);
            if (base.getRawUserInfo() == null) {
                passwords.of(base.getHost()).ifPresent(login -> own.putIfAbsent("Authorization", basic(login)));
            }
            builder.headers(() -> own);
            Path file = tokenFile;
            if (file != null) {
                builder.bearerToken(() -> token(file));
            }
        }
        return hosts.isEmpty() ? builder : builder.redirectsTo(hosts::contains);
    }

    private Map<String, String> headers() {
        Map<String, String> all = new LinkedHashMap<>();
        for (String header : headers) {
            if (header.startsWith("@")) {
                text(Path.of(header.substring(1)), "--header")
                        .lines()
                        .filter(line -> !line.isBlank())
                        .forEach(line -> add(all, line));
            } else {
                add(all, header);
            }
        }
        return all;
    }

    private static void add(Map<String, String> all, String line) {
        Matcher matcher = HEADER.matcher(line.strip());
        if (!matcher.matches()) { // the line may be a secret
            throw new WrongUse("--header: expected NAME:VALUE or @FILE");
        }
        all.put(matcher.group(1), matcher.group(2));
    }

    private static String token(Path file) {
        return text(file, "--bearer-token-file").strip();
    }

    private static String text(Path file, String option) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new WrongUse(option + ": expected at most " + MAX_BYTES + " bytes in " + file);
            }
            return Files.readString(file);
        } catch (IOException e) {
            throw new WrongUse(
                    option + ": cannot read " + file + ": " + e.getClass().getSimpleName());
        }
    }

    private static String basic(Netrc.Login login) {
        byte[] both = (login.name() + ":" + login.password()).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(both);
    }

    /** Returns the servers of the URLs on a command line. */
    private static Set<String> servers(List<String> arguments) {
        Set<String> servers = new HashSet<>();
        for (String argument : arguments) {
            Matcher url = NAMED.matcher(argument.replaceFirst("#.*", "")); // not where references may lead
            while (url.find()) {
                servers.add(
                        server(url.group(1), url.group(2), url.group(3) == null ? -1 : Integer.parseInt(url.group(3))));
            }
        }
        return servers;
    }

    private static String server(String scheme, String host, int port) {
        boolean secure = scheme.equalsIgnoreCase("https");
        int known = port >= 0 ? port : secure ? 443 : 80;
        return (secure ? "https " : "http ") + host.toLowerCase(Locale.ROOT) + " " + known;
    }
}
