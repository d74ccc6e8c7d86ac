package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.memory.MemoryStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Callers' code that runs inside a change holds its lock, so it cannot delete the node that is changed. */
@Timeout(120)
class DeleteInsideChangeTest {
    private static final ZarrOptions SHORT = ZarrOptions.defaults().withLockPatience(Duration.ofMillis(20));

    @TempDir
    private Path folder;

    private String array() {
        String location = folder.resolve("a").toString();
        Zarr.createArray(location, ArraySpec.of("int32", 8).withShardShape(4).withChunkShape(2))
                .close();
        return location;
    }

    @Test
    void delete_inTheFunctionOfAttributes_isRefusedAtOnce_andTheFunctionRunsOnce() {
        AtomicInteger calls = new AtomicInteger();
        try (ZarrArray array = Zarr.openArray(array());
                ZarrArray other = Zarr.openArray(array.location())) {
            IllegalStateException e = assertThrows(
                    IllegalStateException.class,
                    () -> array.changeAttributes(now -> {
                        calls.incrementAndGet();
                        other.delete();
                        return now;
                    }));
            assertTrue(e.getMessage().contains("the change holds a lock"), e.getMessage());
            assertEquals(1, calls.get());
            array.replaceAttributes(Json.object().with("still", Json.of("there")));
            array.delete();
        }
    }

    @Test
    void delete_inAFeed_isRefusedAtOnce() {
        try (ZarrArray array = Zarr.openArray(array())) {
            ZarrArray one = array.with(options -> options.withParallelism(1));
            IllegalStateException e = assertThrows(
                    IllegalStateException.class,
                    () -> one.write(one.domain(), (part, to, offset, strides) -> array.delete()));
            assertTrue(e.getMessage().contains("the change holds a lock"), e.getMessage());
            array.delete();
        }
    }

    /** Another thread's delete waits for the lock only as long as the caller allows. */
    @Test
    void delete_onAnotherThread_endsWithItsPatience_andNamesTheHolder() {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        try (ZarrArray array = Zarr.openArray(array(), SHORT)) {
            ZarrArray one = array.with(options -> options.withParallelism(1));
            one.write(one.domain(), (part, to, offset, strides) -> failure.set(onAnotherThread(array::delete)));
            assertRefused(failure.get());
            array.delete();
        }
    }

    @Test
    void delete_inMemory_endsWithItsPatience_andNamesTheHolder() {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        try (Store store = MemoryStore.create();
                ZarrArray array = Zarr.createArray(
                        store, "a", ArraySpec.of("int32", 8).withChunkShape(4), IfExists.REFUSE, SHORT)) {
            ZarrArray one = array.with(options -> options.withParallelism(1));
            one.write(one.domain(), (part, to, offset, strides) -> failure.set(onAnotherThread(array::delete)));
            assertRefused(failure.get());
            array.delete();
        }
    }

    private static void assertRefused(Throwable failure) {
        assertInstanceOf(StoreException.class, failure);
        String message = failure.getMessage();
        assertTrue(message.contains(" for " + SHORT.lockPatience().toMillis() / 1000.0 + " s"), message);
        assertTrue(message.contains("held by thread "), message);
    }

    /** A failed delete puts the document back, which looks like another program's change to the function's call. */
    @Test
    @DisabledOnOs(
            value = OS.WINDOWS,
            disabledReason =
                    "a document that is moved away and back has the same version, because Java shows no change time")
    void changeOfAttributes_isNotRepeatedForLongerThanItsPatience() {
        AtomicInteger calls = new AtomicInteger();
        try (ZarrArray array = Zarr.openArray(array(), SHORT)) {
            assertThrows(
                    ZarrException.class,
                    () -> array.changeAttributes(now -> {
                        calls.incrementAndGet();
                        assertRefused(onAnotherThread(array::delete));
                        return now.with("a", Json.of(1));
                    }));
            assertEquals(1, calls.get());
        }
    }

    private static Throwable onAnotherThread(Runnable call) {
        CompletableFuture<Void> other = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        call.run();
                        other.complete(null);
                    } catch (Throwable e) {
                        other.completeExceptionally(e);
                    }
                })
                .start();
        return assertThrows(ExecutionException.class, other::get).getCause();
    }

    @Test
    void exceptionOfTheFunction_endsTheCall_evenIfAnotherProgramHasChangedTheDocument() {
        AtomicInteger calls = new AtomicInteger();
        RuntimeException own = new RuntimeException("the caller's");
        try (ZarrArray array = Zarr.openArray(array())) {
            RuntimeException thrown = assertThrows(
                    RuntimeException.class,
                    () -> array.changeAttributes(now -> {
                        calls.incrementAndGet();
                        change(folder.resolve("a/zarr.json"));
                        throw own;
                    }));
            assertSame(own, thrown);
            assertEquals(1, calls.get());
        }
    }

    /** Changes a document without its lock, as other programs do. */
    private static void change(Path document) {
        try {
            Files.writeString(document, " ", StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
