package dev.shardkit.serve;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks the {@code Host} header of requests. A web page can make its own host name resolve to 127.0.0.1 (DNS
 * rebinding), and the browser then lets the page read responses of this server. The {@code Host} header of these
 * requests is the host name of the page. An IP address in the header is safe, because an address cannot be rebound.
 * Immutable.
 */
final class HostCheck {
    private static final Pattern HEADER = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^:\\[\\]/@\\s]+)(:[0-9]{1,5})?");
    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

    private final Set<String> names;
    private final String listeningHost;

    HostCheck(ServerOptions options) {
        this.names = options.hostNames();
        this.listeningHost = normalize(options.host());
    }

    /** Returns a host name in lower case, without a final period. */
    static String normalize(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }

    /** Refuses a request unless its only {@code Host} header names this machine. */
    void requireKnownHost(List<String> headers) throws HttpError {
        if (headers.size() != 1) {
            throw new HttpError(400, "expected one Host header, found " + headers.size());
        }
        Matcher header = HEADER.matcher(headers.get(0).strip());
        if (!header.matches()) {
            throw new HttpError(400, "the Host header is not a host and a port");
        }
        String host = normalize(header.group(1));
        boolean isAddress = host.startsWith("[") || IPV4.matcher(host).matches();
        if (!isAddress && !host.equals("localhost") && !host.equals(listeningHost) && !names.contains(host)) {
            throw new HttpError(
                    421, "this server does not know the host name of the request; start it with --allow-host NAME");
        }
    }
}
