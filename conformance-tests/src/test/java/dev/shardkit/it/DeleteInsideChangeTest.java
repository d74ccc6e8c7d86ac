package dev.shardkit.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Callers' code that runs inside a change holds its lock, so it cannot delete the node that is changed. */
@Timeout(120)
class DeleteInsideChangeTest {
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
            array.withAttributes(Json.object().with("still", Json.of("there")));
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
