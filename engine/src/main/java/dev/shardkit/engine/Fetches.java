package dev.shardkit.engine;

import dev.shardkit.engine.Flights.Boarding;
import dev.shardkit.engine.Flights.Flight;
import dev.shardkit.engine.Flights.Landing;
import dev.shardkit.memory.Completions;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.Arrival;
import dev.shardkit.store.FarReads;
import dev.shardkit.store.Fetched;
import dev.shardkit.store.Room;
import dev.shardkit.store.StoreListener;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to a far store. Requests for values that will be cached are shared with other runs ({@link Flights}).
 * Cancelling a returned future ends the request; if other runs wait for it, one of them repeats it.
 *
 * @param listener the context's listener, wrapped for threads that would lose its exceptions
 * @param isKept whether all values of a request are cached by now
 * @param isHere whether the whole object was received in the meantime
 */
record Fetches(
        FarReads store,
        ReadContext context,
        StoreListener listener,
        Predicate<MergedRead> isKept,
        Predicate<MergedRead> isHere,
        Bodies bodies) {
    /** The result of a request. */
    sealed interface Got {}

    /**
     * An answer.
     *
     * @param flight the flight that delivered it, to be removed when the value is cached; null if it was not shared
     * @param others the time of the answer ({@link System#nanoTime}) if it belongs to another run's request, else null
     * @param took how long this run's own request took, else zero
     */
    record Answered(
            @Nullable Fetched fetched,
            @Nullable Flight flight,
            @Nullable Long others,
            Duration took) implements Got {}

    /** Another run has cached the values, or the whole object was received. */
    record Kept() implements Got {}

    /**
     * Requests the range, or waits for another run's request of the same cacheable range. Throws nothing.
     *
     * @param direct whether the dependents of the future never block; those of other runs may
     */
    CompletableFuture<Got> fetch(MergedRead merged, Optional<String> pin, boolean direct) {
        return context.cache().flights().areUseful()
                ? got(merged, mine -> share(merged, pin, mine))
                : alone(merged, pin, Arrival.NONE, direct);
    }

    /** Requests the range without sharing. Throws nothing. */
    CompletableFuture<Got> alone(MergedRead merged, Optional<String> pin, Arrival arrival, boolean direct) {
        return got(merged, mine -> ask(merged, pin, mine, null, arrival, direct));
    }

    private CompletableFuture<Got> got(MergedRead merged, Consumer<CompletableFuture<Got>> asking) {
        CompletableFuture<Got> mine = new CompletableFuture<>();
        try {
            if (isHere.test(merged)) {
                mine.complete(new Kept());
            } else {
                asking.accept(mine);
            }
        } catch (Throwable e) {
            Completions.fail(mine, e);
        }
        return mine;
    }

    private void share(MergedRead merged, Optional<String> pin, CompletableFuture<Got> mine) {
        Boarding boarding = context.cache().flights().board(new Flights.Key(merged.key(), merged.range(), pin));
        Flight flight = boarding.flight();
        if (!boarding.leads()) {
            flight.landing().thenAccept(landing -> follow(merged, pin, mine, flight, landing));
            return;
        }
        try {
            if (isKept.test(merged)) {
                context.cache().flights().land(flight, Flights.Empty.AGAIN);
                mine.complete(new Kept());
            } else {
                ask(merged, pin, mine, flight, Arrival.NONE, false);
            }
        } catch (Throwable e) {
            context.cache().flights().land(flight, Flights.Empty.ALONE);
            Completions.fail(mine, e);
        }
    }

    /** Continues after the landing of another run's flight. Throws nothing: further runs wait for the landing. */
    private void follow(
            MergedRead merged, Optional<String> pin, CompletableFuture<Got> mine, Flight flight, Landing landing) {
        try {
            if (mine.isDone()) {
                return; // cancelled
            }
            if (landing instanceof Flights.Brought brought) {
                mine.complete(new Answered(brought.answer(), flight, brought.nanos(), Duration.ZERO));
            } else if (landing == Flights.Empty.AGAIN) {
                share(merged, pin, mine);
            } else {
                ask(merged, pin, mine, null, Arrival.NONE, false);
            }
        } catch (Throwable e) {
            Completions.fail(mine, e);
        }
    }

    private void ask(
            MergedRead merged,
            Optional<String> pin,
            CompletableFuture<Got> mine,
            @Nullable Flight flight,
            Arrival arrival,
            boolean direct) {
        Bodies.Place place = bodies.place(merged);
        Room room = place == null ? Room.NONE : place;
        CompletableFuture<Fetched> answer = new CompletableFuture<>();
        long begun = System.nanoTime();
        CompletableFuture<Fetched> request = request(merged, pin, room, flight, arrival, direct);
        try {
            mine.whenComplete((got, thrown) -> {
                if (thrown instanceof CancellationException) {
                    land(flight, Flights.Empty.AGAIN);
                    request.cancel(true);
                }
            });
            request.whenComplete((fetched, thrown) -> arrived(merged, answer, place, flight, fetched, thrown));
            if (flight != null) {
                context.listener()
                        .onRequest(merged.key(), merged.range()); // no other run waits for this thread from here on
            }
            answer.whenComplete((fetched, thrown) -> settle(mine, flight, begun, fetched, thrown));
        } catch (Throwable e) { // a foreign future, or an error of a listener
            if (place != null) {
                place.end(null);
            }
            land(flight, Flights.Empty.ALONE);
            Completions.fail(mine, e);
            request.cancel(true);
        }
    }

    /** Accepts the end of a request. Throws nothing: the store's thread would lose it, and {@code answer} never end. */
    private void arrived(
            MergedRead merged,
            CompletableFuture<Fetched> answer,
            Bodies.@Nullable Place place,
            @Nullable Flight flight,
            @Nullable Fetched fetched,
            @Nullable Throwable thrown) {
        Throwable failed = thrown;
        try {
            if (place != null) {
                place.end(fetched);
            }
            // first the waiting runs: the end of a run may take long
            if (flight != null) {
                land(flight, landing(merged, fetched, thrown));
            }
        } catch (Throwable e) {
            failed = thrown == null ? e : thrown;
            land(flight, Flights.Empty.ALONE);
        }
        if (failed != null) {
            Completions.fail(answer, failed);
        } else {
            Completions.complete(answer, fetched);
        }
    }

    private static void settle(
            CompletableFuture<Got> mine,
            @Nullable Flight flight,
            long begun,
            @Nullable Fetched fetched,
            @Nullable Throwable thrown) {
        try {
            if (thrown == null) {
                mine.complete(new Answered(fetched, flight, null, Duration.ofNanos(System.nanoTime() - begun)));
                return;
            }
        } catch (Throwable e) {
            Completions.fail(mine, e);
            return;
        }
        Completions.fail(mine, thrown);
    }

    private CompletableFuture<Fetched> request(
            MergedRead merged,
            Optional<String> pin,
            Room room,
            @Nullable Flight flight,
            Arrival arrival,
            boolean direct) {
        try {
            if (flight == null) {
                context.listener().onRequest(merged.key(), merged.range());
                return sent(merged, pin, listener, room, arrival, direct);
            }
            // a listener that the store calls may wait for any run: no other run may wait for this request
            StoreListener landing = QuietListener.after(() -> land(flight, Flights.Empty.AGAIN), listener);
            return Flights.apart(() -> sent(merged, pin, landing, room, arrival, false));
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<Fetched> sent(
            MergedRead merged, Optional<String> pin, StoreListener told, Room room, Arrival arrival, boolean direct) {
        CompletableFuture<Fetched> future = direct
                ? store.fetchDirectly(merged.key(), merged.range(), pin, told, room, arrival)
                : store.fetch(merged.key(), merged.range(), pin, told, room, arrival);
        return Objects.requireNonNull(future, "no future");
    }

    private void land(@Nullable Flight flight, Landing landing) {
        if (flight != null) {
            context.cache().flights().land(flight, landing);
        }
    }

    private Landing landing(MergedRead merged, Fetched fetched, Throwable thrown) {
        if (thrown != null) {
            return Failures.unwrap(thrown) instanceof CancellationException ? Flights.Empty.AGAIN : Flights.Empty.ALONE;
        }
        if (!(fetched instanceof Fetched.Found found)) {
            return Flights.Empty.ALONE;
        }
        // a run that began after the request may use the answer only if its version is known
        boolean useful = context.freshness() == ReadContext.Freshness.IMMUTABLE
                || found.version().filter(v -> !v.isEmpty()).isPresent();
        context.cache().flights().noteUse(useful);
        return useful && found.objectSize() > 0 && fault(merged.range(), found).isEmpty()
                ? new Flights.Brought(
                        new Fetched.Found(found.bytes(), found.objectSize(), found.version()), System.nanoTime())
                : Flights.Empty.ALONE;
    }

    /** Returns the fault of an answer, if there is one. */
    static Optional<ZarrException> fault(ByteRange range, Fetched.Found found) {
        long expected = range instanceof ByteRange.Slice s
                ? s.length()
                : range instanceof ByteRange.Suffix s ? Math.min(s.length(), found.objectSize()) : found.objectSize();
        if (range instanceof ByteRange.Whole w && w.refuses(expected)) {
            return Optional.of(new CorruptDataException("expected at most " + w.most() + " bytes, found " + expected));
        }
        boolean left = range instanceof ByteRange.Whole w
                && w.leaves(expected)
                && found.bytes().size() == 0;
        return left || found.bytes().size() == expected
                ? Optional.empty()
                : Optional.of(new StoreException("expected " + expected + " bytes, found "
                        + found.bytes().size()));
    }
}
