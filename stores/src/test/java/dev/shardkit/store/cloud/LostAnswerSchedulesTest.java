package dev.shardkit.store.cloud;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.remote.RequestContext;
import dev.shardkit.store.remote.RetryLimits;
import dev.shardkit.store.remote.exchange.RangeRequest;
import dev.shardkit.store.remote.exchange.ResponseOutcome.Response;
import dev.shardkit.transport.Head;
import dev.shardkit.transport.Headers;
import dev.shardkit.transport.Payload;
import dev.shardkit.transport.Request;
import dev.shardkit.transport.Transport;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Writers that increment a number in one object, under every schedule: which request is answered next, and which puts
 * act without an answer, do not act, or act later. The requests are those of {@link CloudWrites}; server and network
 * are a model. Requests that change nothing commute, so of their orders only one is tried. At the end the number is the
 * sum of the acknowledged increments; one of unknown outcome counts once or not at all. {@code -Dschedules.delays=true}
 * explores more of them.
 */
@Timeout(300)
@Tag("one-jdk")
class LostAnswerSchedulesTest {
    private static final String ID = "id";
    private static final boolean DELAYS = Boolean.getBoolean("schedules.delays");

    /** How the server makes versions. */
    private enum Versions {
        /** Each put has a new one, as at Google and Azure. */
        UNIQUE,
        /** Equal content has the same one, as in S3. */
        OF_CONTENT
    }

    /** How a writer puts. */
    private enum Protocol {
        /** By {@link CloudWrites#once}. */
        ONCE,
        /** By a repeatable put; if its answer is lost, the stored content decides. */
        BY_CONTENT,
        /** As a program that knows no ids; its answers are not lost. */
        FOREIGN
    }

    /** A writer, and what it adds. */
    private record Plan(Protocol protocol, int adds) {}

    /** The choices of a schedule; enumerates all of them. */
    private static final class Choices {
        private final List<Integer> taken = new ArrayList<>();
        private final List<Integer> of = new ArrayList<>();
        private int at;

        int choose(int count) {
            if (at == taken.size()) {
                taken.add(0);
                of.add(count);
            }
            assertEquals(of.get(at), count, "the schedule is not deterministic");
            return taken.get(at++);
        }

        /** Moves on to the next schedule; returns false after the last one. */
        boolean next() {
            at = 0;
            while (!taken.isEmpty()) {
                int last = taken.size() - 1;
                if (taken.get(last) + 1 < of.get(last)) {
                    taken.set(last, taken.get(last) + 1);
                    return true;
                }
                taken.remove(last);
                of.remove(last);
            }
            return false;
        }

        @Override
        public String toString() {
            return taken.toString();
        }
    }

    /** A request that waits for the scheduler. */
    private interface Waiting {
        /** Whether it changes the object. */
        boolean isPut();

        /** Whether its answer can be lost. */
        boolean canBeLost();

        void answer();

        /** Drops the answer. */
        void lose(boolean acts);

        /** Drops the answer; the request arrives when the result runs. */
        default Runnable delay() {
            throw new UnsupportedOperationException();
        }
    }

    /** A request of a writer, sent in this step. */
    private record Sent(Waiting request, int writer, int step) {}

    /** A server of one object, its clients, and the network between them. */
    private static final class Model implements Transport {
        private final Versions versions;
        private final Choices choices;
        private final boolean delays;
        private final List<Sent> waiting = new ArrayList<>();
        private final List<Runnable> delayed = new ArrayList<>();
        private final List<Writer> writers = new ArrayList<>();
        /** The changes of writers by {@link Protocol#ONCE}, which send a change again. */
        private final CloudWrites again;
        /** The changes of other writers, which look at the object after a lost answer. */
        private final CloudWrites single;

        private int losses;
        /** The number of the writer whose step runs. */
        private int running;

        private int steps;
        /** The writer whose last step changed nothing; -1 if it was a change. */
        private int quiet = -1;

        private boolean pruned;

        private int number;
        private int puts;
        private Optional<String> ids = Optional.empty();

        Model(Versions versions, Choices choices, List<Plan> plans, int losses, boolean delays) {
            this.versions = versions;
            this.choices = choices;
            this.losses = losses;
            this.delays = delays;
            this.again = changes(16);
            this.single = changes(1);
            plans.forEach(plan -> writers.add(new Writer(this, plan)));
        }

        private CloudWrites changes(int tries) {
            Cloud cloud = new Cloud();
            var settings = new RequestContext.Settings(
                    Duration.ofMinutes(10),
                    Duration.ofMinutes(10),
                    new RetryLimits(tries, Duration.ZERO, Duration.ZERO),
                    1 << 20,
                    true,
                    false,
                    m -> {});
            return new CloudWrites(new RequestContext(cloud, this, settings, 16), cloud);
        }

        void send(Waiting request) {
            waiting.add(new Sent(request, running, steps));
        }

        String version() {
            return '"' + (versions == Versions.UNIQUE ? "p" + puts : "n" + number) + '"';
        }

        boolean put(String version, int content, Optional<String> carried) {
            if (!version.equals(version())) {
                return false;
            }
            puts++;
            number = content;
            ids = carried;
            return true;
        }

        /** Runs until no writer waits, and all requests have arrived; or until the schedule equals an earlier one. */
        void run() {
            for (running = 0; running < writers.size(); running++) {
                writers.get(running).read();
            }
            while (!waiting.isEmpty() && !pruned) {
                step();
            }
            List.of(again, single).forEach(all -> all.context().failAll(new StoreException("the schedule has ended")));
            delayed.forEach(Runnable::run);
        }

        private void step() {
            List<Runnable> possible = new ArrayList<>();
            for (Sent one : waiting) {
                boolean canBeLost = one.request().canBeLost();
                // after a quiet step of a later writer, which this one could have preceded
                boolean tried = one.writer() < quiet && one.step() < steps;
                boolean isPut = one.request().isPut();
                if (isPut || !tried) {
                    possible.add(() -> take(one, !isPut).answer());
                }
                if (losses > 0 && canBeLost) {
                    possible.add(() -> lost(one, false).lose(true));
                    if (!tried) {
                        possible.add(() -> lost(one, true).lose(false));
                        if (delays) {
                            possible.add(() -> delayed.add(lost(one, true).delay()));
                        }
                    }
                }
            }
            for (Runnable late : delayed) {
                possible.add(() -> {
                    quiet = -1;
                    delayed.remove(late);
                    late.run();
                });
            }
            if (possible.isEmpty()) {
                pruned = true;
                return;
            }
            steps++;
            possible.get(choices.choose(possible.size())).run();
        }

        private Waiting take(Sent one, boolean isQuiet) {
            waiting.remove(one);
            running = one.writer();
            quiet = isQuiet ? running : -1;
            return one.request();
        }

        private Waiting lost(Sent one, boolean isQuiet) {
            losses--;
            return take(one, isQuiet);
        }

        @Override
        public Exchange send(Receiver receiver) {
            send(new Exchanged(this, receiver, receiver.request()));
            return () -> {};
        }

        @Override
        public void execute(Runnable work) {
            work.run();
        }

        @Override
        public void close() {}
    }

    /** A request of {@link CloudWrites}. */
    private record Exchanged(Model model, Transport.Receiver receiver, Request request) implements Waiting {
        @Override
        public boolean isPut() {
            return request.method().equals("PUT");
        }

        @Override
        public boolean canBeLost() {
            return isPut();
        }

        /** Returns the status. */
        private int act() {
            if (!isPut()) {
                return 200;
            }
            byte[] content = new byte[(int) request.payload().size()];
            request.payload().pieces().get(0).duplicate().get(content);
            int number = Integer.parseInt(new String(content, StandardCharsets.US_ASCII));
            boolean put = model.put(
                    request.headers().get("If-Match"),
                    number,
                    Optional.ofNullable(request.headers().get(ID)));
            return put ? 200 : 412;
        }

        @Override
        public void answer() {
            int status = act();
            Map<String, List<String>> fields = new HashMap<>(Map.of("ETag", List.of(model.version())));
            model.ids.ifPresent(ids -> fields.put(ID, List.of(ids)));
            receiver.head(new Head(status, new Headers(fields)));
            receiver.done();
        }

        @Override
        public void lose(boolean acts) {
            if (acts) {
                act();
            }
            receiver.failed(new IOException("lost"));
        }

        @Override
        public Runnable delay() {
            receiver.failed(new IOException("lost"));
            return this::act;
        }
    }

    /** The requests of the model. */
    private static final class Cloud implements CloudService {
        private static final URI OBJECT = URI.create("http://model/object");

        @Override
        public BucketLocation location() {
            return new BucketLocation("model", "container", "", "");
        }

        @Override
        public Prepared signed(Request request) {
            return new Prepared(request, Set.of());
        }

        @Override
        public ErrorResponse refusal(Response response) {
            return new ErrorResponse(response.status(), "", "", "", OptionalLong.empty(), ErrorResponse.Kind.NOT_MET);
        }

        @Override
        public Request put(String name, Bytes bytes, Condition condition, Optional<String> writeId) {
            Map<String, String> headers = new HashMap<>(CloudService.condition(condition, "none"));
            writeId.ifPresent(id -> headers.put(ID, id));
            return new Request("PUT", OBJECT, headers, Payload.of(bytes.pieces()));
        }

        @Override
        public Request delete(String name, Condition condition) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Request stat(String name) {
            return new Request("HEAD", OBJECT, Map.of(), Payload.NONE);
        }

        @Override
        public Optional<String> writeId(Response stat) {
            return stat.headers().firstValue(ID);
        }

        @Override
        public String host() {
            return "model";
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
            return System.getLogger("model");
        }
    }

    /** Reads, adds, and puts if the object is unchanged, until the outcome is known or cannot be known. */
    private static final class Writer {
        private final Model model;
        private final Plan plan;
        private boolean acknowledged;
        private boolean unknown;

        Writer(Model model, Plan plan) {
            this.model = model;
            this.plan = plan;
        }

        private void later(boolean isPut, Runnable work) {
            model.send(new Waiting() {
                @Override
                public boolean isPut() {
                    return isPut;
                }

                @Override
                public boolean canBeLost() {
                    return false;
                }

                @Override
                public void answer() {
                    work.run();
                }

                @Override
                public void lose(boolean acts) {
                    fail("a read is not lost");
                }
            });
        }

        void read() {
            later(false, () -> put(model.number + plan.adds(), model.version()));
        }

        private void put(int number, String version) {
            Bytes content = Bytes.of(Integer.toString(number).getBytes(StandardCharsets.US_ASCII));
            Condition unchanged = Condition.version("s:" + version);
            CompletionStage<WriteResult> put =
                    switch (plan.protocol()) {
                        case ONCE ->
                            model.again.once("k", unchanged, ids -> model.again.put("k", content, unchanged, ids));
                        case BY_CONTENT -> model.single.put("k", content, unchanged, WriteIds.alone());
                        case FOREIGN -> {
                            CompletableFuture<WriteResult> made = new CompletableFuture<>();
                            later(
                                    true,
                                    () -> made.complete(
                                            model.put(version, number, Optional.empty())
                                                    ? WriteResult.DONE
                                                    : WriteResult.NOT_MET));
                            yield made;
                        }
                    };
            put.whenComplete((outcome, thrown) -> ended(number, outcome, thrown));
        }

        private void ended(int number, WriteResult outcome, Throwable thrown) {
            if (model.pruned) {
                return;
            } else if (thrown != null) {
                fail(thrown);
            } else if (outcome instanceof WriteResult.Done) {
                acknowledged = true;
            } else if (outcome instanceof WriteResult.NotMet) {
                read();
            } else if (plan.protocol() == Protocol.ONCE) {
                unknown = true;
            } else {
                later(false, () -> {
                    acknowledged = model.number == number;
                    if (!acknowledged) {
                        read();
                    }
                });
            }
        }
    }

    /** What all schedules together showed. */
    private static final class Totals {
        private int schedules;
        private int unknown;
        /** Schedules after which the number is smaller than the acknowledged sum. */
        private int lost;
        /** Schedules after which it is larger. */
        private int twice;

        private String first = "";

        @Override
        public String toString() {
            return schedules + " schedules, " + unknown + " unknown outcomes, " + lost + " with a lost and " + twice
                    + " with a repeated increment " + first;
        }
    }

    private static Totals explore(Versions versions, int losses, boolean delays, Plan... plans) {
        Totals totals = new Totals();
        Choices choices = new Choices();
        do {
            Model model = new Model(versions, choices, List.of(plans), losses, delays);
            model.run();
            if (model.pruned) {
                continue;
            }
            totals.schedules++;
            int least = 0;
            int most = 0;
            for (Writer writer : model.writers) {
                assertTrue(writer.acknowledged || writer.unknown, () -> "a writer has not ended: " + choices);
                int adds = writer.plan.adds();
                least += writer.unknown ? Math.min(0, adds) : adds;
                most += writer.unknown ? Math.max(0, adds) : adds;
                totals.unknown += writer.unknown ? 1 : 0;
            }
            totals.lost += model.number < least ? 1 : 0;
            totals.twice += model.number > most ? 1 : 0;
            if (totals.first.isEmpty() && (model.number < least || model.number > most)) {
                totals.first = "first after " + choices;
            }
        } while (choices.next());
        System.out.println(versions + " " + List.of(plans) + ": " + totals);
        return totals;
    }

    private static void assertOnce(Totals totals) {
        assertTrue(totals.schedules > 100, totals::toString);
        assertEquals(0, totals.lost + totals.twice, totals::toString);
    }

    private static final Plan ONE = new Plan(Protocol.ONCE, 1);

    @Test
    void twoWriters_incrementOnce_andKnowIt() {
        Totals totals = explore(Versions.UNIQUE, DELAYS ? 3 : 2, true, ONE, ONE);
        assertOnce(totals);
        assertEquals(0, totals.unknown, totals::toString);
    }

    @Test
    @Tag("long")
    void threeWriters_incrementOnce_andKnowIt() {
        Totals totals = explore(Versions.UNIQUE, 1, DELAYS, ONE, ONE, ONE);
        assertOnce(totals);
        assertEquals(0, totals.unknown, totals::toString);
    }

    /** One writer restores the content, and with it the version, that the other has replaced. */
    @Test
    void versionsOfContent_doNotHideARestoredObject() {
        Totals totals = explore(Versions.OF_CONTENT, 2, false, ONE, new Plan(Protocol.ONCE, -1));
        assertOnce(totals);
        assertEquals(0, totals.unknown, totals::toString);
    }

    /** A program that drops the ids leaves an outcome unknown, never wrong. */
    @Test
    void programThatDropsIds_leavesUnknownOutcomes() {
        Totals totals = explore(Versions.UNIQUE, 1, false, ONE, ONE, new Plan(Protocol.FOREIGN, 1));
        assertOnce(totals);
        assertTrue(totals.unknown > 0, totals::toString);
    }

    /** Why content does not decide: two writers put the same number, and a put that is replaced is made again. */
    @Test
    void content_doesNotShowWhosePutWasMade() {
        Plan plan = new Plan(Protocol.BY_CONTENT, 1);
        Totals totals = explore(Versions.UNIQUE, 1, false, plan, plan);
        assertTrue(totals.lost > 0, totals::toString);
        assertTrue(totals.twice > 0, totals::toString);
    }
}
