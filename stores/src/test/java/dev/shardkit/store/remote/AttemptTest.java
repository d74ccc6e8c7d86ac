package dev.shardkit.store.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.store.remote.exchange.BodyCollector;
import dev.shardkit.store.remote.exchange.RangeRequest;
import dev.shardkit.store.remote.exchange.ResponseOutcome;
import dev.shardkit.store.remote.exchange.ServerProtocol;
import dev.shardkit.transport.Head;
import dev.shardkit.transport.Headers;
import dev.shardkit.transport.Transport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class AttemptTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final BodyCollector ANSWER = BodyCollector.discarding(new ResponseOutcome.Absent());

    /** Fills the heap of a JVM of its own and ends a request. */
    static final class FullHeap {
        private FullHeap() {}

        /** The smallest object that can be linked, so that no free bytes are left. */
        private static final class Link {
            @SuppressWarnings("unused") // keeps the heap full
            private final @Nullable Object before;

            Link(@Nullable Object before) {
                this.before = before;
            }
        }

        private static @Nullable Object blocks;
        private static boolean ran;

        public static void main(String[] args) {
            RequestContext common = new RequestContext(
                    new Server(),
                    new Unsent(),
                    new RequestContext.Settings(
                            LONG,
                            LONG,
                            new RetryLimits(1, LONG, LONG),
                            1 << 20,
                            true,
                            false,
                            RequestContext.Settings.NO_METRICS),
                    1);
            begun(common).done(); // loads the classes
            Attempt attempt = begun(common);
            common.acquire(
                    () -> {
                        ran = true;
                        blocks = null;
                    },
                    lost -> {});
            fill(1 << 16);
            for (int i = 0; i < 10; i++) {
                fill(0); // a collection may find room that the one before it did not
            }
            try {
                attempt.done();
            } catch (OutOfMemoryError e) {
                blocks = null;
            }
            System.exit(ran ? 0 : 1);
        }

        /** Returns a request that has a permit and the head of its answer. */
        private static Attempt begun(RequestContext common) {
            Call call = new Call(common);
            CallDeadline patience = new CallDeadline(LONG.toNanos(), LONG.toNanos(), System::nanoTime);
            common.acquire(() -> {}, lost -> {});
            Attempt attempt = new Attempt(common, call, patience, 0);
            attempt.begin();
            attempt.head(new Head(206, Headers.of(List.of())));
            return attempt;
        }

        private static void fill(int size) {
            try {
                while (true) {
                    blocks = size == 0 ? new Link(blocks) : new Object[] {blocks, new byte[size]};
                }
            } catch (OutOfMemoryError e) {
                // full
            }
        }
    }

    /** The permit of a request is needed by the requests behind it, however the request ends. */
    @Test
    @Timeout(120)
    void end_inAFullHeap_releasesThePermit() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process child = new ProcessBuilder(
                        java,
                        "-Xmx16m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FullHeap.class.getName())
                .inheritIO()
                .start();
        try {
            assertEquals(0, child.waitFor());
        } finally {
            child.destroyForcibly();
        }
    }

    /** A call whose answer is absence. */
    private static final class Call extends RetriedRequest<String> {
        Call(RequestContext common) {
            super(common);
        }

        @Override
        String operation() {
            return "a call";
        }

        @Override
        ServerProtocol.Prepared prepare() {
            throw new UnsupportedOperationException();
        }

        @Override
        BodyCollector collect(Head head) {
            return ANSWER;
        }

        @Override
        void answered(ResponseOutcome outcome) {
            result().complete("absent");
        }

        @Override
        void received(long bytes) {}

        @Override
        void retrying(int failures, String reason) {}
    }

    /** A transport that sends nothing. */
    private static final class Unsent implements Transport {
        @Override
        public Exchange send(Receiver receiver) {
            return () -> {};
        }

        @Override
        public void execute(Runnable work) {
            work.run();
        }

        @Override
        public void close() {}
    }

    /** A server that receives no request. */
    private static final class Server implements ServerProtocol {
        @Override
        public String describe() {
            return host();
        }

        @Override
        public String host() {
            return "host.example";
        }

        @Override
        public Set<String> secrets() {
            return Set.of();
        }

        @Override
        public boolean mayWait() {
            return false;
        }

        @Override
        public Prepared read(String key, RangeRequest ask, Optional<String> pin) {
            throw new UnsupportedOperationException();
        }

        @Override
        public System.Logger log() {
            return System.getLogger("dev.shardkit.store.remote");
        }
    }
}
