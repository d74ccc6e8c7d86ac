package dev.shardkit.transport.jdk;

import java.io.IOException;
import java.net.http.HttpClient;

/** Where a transport has its {@link HttpClient} from. Thread-safe. */
interface JdkClient {
    /** Gives the client for one exchange. */
    Use use() throws IOException;

    /** Lets go of the client, if it is ours. */
    void close();

    /** A client in use. */
    interface Use extends AutoCloseable {
        HttpClient client();

        /**
         * Whether it is the JDK's own, whose {@code send} is the same as its {@code sendAsync} but for the threads.
         * Other classes may do more in one of them, and the latter is what they had to have.
         */
        default boolean isJdk() {
            return client().getClass().getModule() == HttpClient.class.getModule();
        }

        @Override
        default void close() {}
    }

    /** A caller's, which stays open. */
    static JdkClient of(HttpClient client) {
        return new JdkClient() {
            @Override
            public Use use() {
                return () -> client;
            }

            @Override
            public void close() {}
        };
    }
}
