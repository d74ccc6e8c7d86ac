package dev.shardkit.serve;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks the {@code Host} header. A web page can make its own name resolve to 127.0.0.1 (DNS rebinding); the browser
 * then lets the page read answers of this server. Such requests carry the page's name. An IP address in the header is
 * safe, because an address cannot be rebound. Immutable.
 */
final class Hosts {
    private static final Pattern HEADER = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^:\\[\\]/@\\s]+)(:[0-9]{1,5})?");
    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

    private final Set<String> names;
    private final String own;

    Hosts(ServerOptions options) {
        this.names = options.hostNames();
        this.own = normal(options.host());
    }

    /** Returns a host name in lower case, without a final period. */
    static String normal(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }

    /** Refuses a request unless its only {@code Host} header names this machine. */
    void check(List<String> headers) throws Refused {
        if (headers.size() != 1) {
            throw new Refused(400, "expected one Host header, found " + headers.size());
        }
        Matcher header = HEADER.matcher(headers.get(0).strip());
        if (!header.matches()) {
            throw new Refused(400, "the Host header is not a host and a port");
        }
        String host = normal(header.group(1));
        boolean isAddress = host.startsWith("[") || IPV4.matcher(host).matches();
        if (!isAddress && !host.equals("localhost") && !host.equals(own) && !names.contains(host)) {
            throw new Refused(
                    421, "this server does not know the host name of the request; start it with --allow-host NAME");
        }
    }
}
