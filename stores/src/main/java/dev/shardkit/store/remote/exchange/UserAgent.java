package dev.shardkit.store.remote.exchange;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** The User-Agent header of all requests: shardkit and its version. */
public final class UserAgent {
    /** The value of the header. */
    public static final String VALUE = "shardkit/" + version();

    private UserAgent() {}

    private static String version() {
        try (InputStream in = UserAgent.class.getResourceAsStream("version.properties")) {
            Properties properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty("version", "unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }
}
