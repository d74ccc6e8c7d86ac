package dev.shardkit.cli.base;

import dev.shardkit.cli.print.UsageException;
import dev.shardkit.store.StoreFactory;
import dev.shardkit.store.http.ForbiddenPolicy;
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
 * The options for {@code http:} and {@code https:} locations. Headers, tokens and passwords are sent only to servers
 * that the command line names, never to targets of redirects or references.
 */
final class HttpOptions {
    /** The start of an HTTP URL. Its groups are the scheme, the host and the port. */
    private static final Pattern SERVER_URL =
            Pattern.compile("(https?)://(?:[^/@\\s]*@)?(\\[[^\\]/]+\\]|[^/:?#!|\\s]+)(?::(\\d{1,5}))?");
    /** A header: a name, which is a token of RFC 9110, and a value of printable ASCII. */
    private static final Pattern HEADER = Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \\t]*([\\x20-\\x7e\\t]*)");
    /** The maximum size of a file of headers or of a token. */
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
     * Returns factories of stores with these options; empty if no option is set.
     *
     * @param forbidden the meaning of HTTP 403, if an option sets it
     * @param arguments the command line, whose URLs name the servers that receive headers, tokens and passwords
     */
    List<StoreFactory> factories(Optional<ForbiddenPolicy> forbidden, List<String> arguments) {
        if (forbidden.isEmpty() && headers.isEmpty() && tokenFile == null && !netrc && redirects.isEmpty()) {
            return List.of();
        }
        Set<String> servers = servers(arguments);
        Map<String, String> headersToSend = parseHeaders();
        if (tokenFile != null) {
            readToken(tokenFile); // reports an unreadable file now, not for each request
        }
        Netrc passwords = netrc ? Netrc.ofUser() : Netrc.NONE;
        Set<String> redirectHosts = new HashSet<>();
        redirects.forEach(host -> redirectHosts.add(host.toLowerCase(Locale.ROOT)));
        UnaryOperator<HttpStoreBuilder> configure = builder -> {
            forbidden.ifPresent(builder::forbidden);
            return configured(builder, servers, headersToSend, passwords, redirectHosts);
        };
        return List.of(new HttpStoreFactory(configure), new HttpsStoreFactory(configure));
    }

    /** Applies the options to a store. Only servers that the command names receive headers and passwords. */
    private HttpStoreBuilder configured(
            HttpStoreBuilder builder,
            Set<String> servers,
            Map<String, String> headersToSend,
            Netrc passwords,
            Set<String> redirectHosts) {
        URI base = builder.base();
        if (servers.contains(server(base.getScheme(), base.getHost(), base.getPort()))) {
            Map<String, String> serverHeaders = new LinkedHashMap<>(headersToSend);
            if (base.getRawUserInfo() == null) { // a name and a password in the URL precede those of .netrc
                passwords
                        .of(base.getHost())
                        .ifPresent(login -> serverHeaders.putIfAbsent("Authorization", basicAuthorization(login)));
            }
            builder.headers(() -> serverHeaders);
            Path file = tokenFile;
            if (file != null) {
                builder.bearerToken(() -> readToken(file));
            }
        }
        return redirectHosts.isEmpty() ? builder : builder.redirectsTo(redirectHosts::contains);
    }

    private Map<String, String> parseHeaders() {
        Map<String, String> valuesByName = new LinkedHashMap<>();
        for (String header : headers) {
            if (header.startsWith("@")) {
                readText(Path.of(header.substring(1)), "--header")
                        .lines()
                        .filter(line -> !line.isBlank())
                        .forEach(line -> addHeader(valuesByName, line));
            } else {
                addHeader(valuesByName, header);
            }
        }
        return valuesByName;
    }

    private static void addHeader(Map<String, String> valuesByName, String line) {
        Matcher matcher = HEADER.matcher(line.strip());
        if (!matcher.matches()) { // the message omits the line, because it may be a secret
            throw new UsageException("--header: expected NAME:VALUE or @FILE");
        }
        valuesByName.put(matcher.group(1), matcher.group(2));
    }

    private static String readToken(Path file) {
        return readText(file, "--bearer-token-file").strip();
    }

    private static String readText(Path file, String option) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new UsageException(option + ": expected at most " + MAX_BYTES + " bytes in " + file);
            }
            return Files.readString(file);
        } catch (IOException e) {
            throw new UsageException(
                    option + ": cannot read " + file + ": " + e.getClass().getSimpleName());
        }
    }

    private static String basicAuthorization(Netrc.Login login) {
        byte[] credentials = (login.name() + ":" + login.password()).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(credentials);
    }

    /** Returns the servers of the URLs on a command line, each in the form that {@link #server} returns. */
    private static Set<String> servers(List<String> arguments) {
        Set<String> servers = new HashSet<>();
        for (String argument : arguments) {
            // The part after "#" may name servers that references may read, as in "#allow=URL". They get no headers.
            Matcher matcher = SERVER_URL.matcher(argument.replaceFirst("#.*", ""));
            while (matcher.find()) {
                servers.add(server(
                        matcher.group(1),
                        matcher.group(2),
                        matcher.group(3) == null ? -1 : Integer.parseInt(matcher.group(3))));
            }
        }
        return servers;
    }

    /** Returns scheme, host and port as one text, so that two spellings of a server are equal. */
    private static String server(String scheme, String host, int port) {
        boolean secure = scheme.equalsIgnoreCase("https");
        int effectivePort = port >= 0 ? port : secure ? 443 : 80;
        return (secure ? "https " : "http ") + host.toLowerCase(Locale.ROOT) + " " + effectivePort;
    }
}
