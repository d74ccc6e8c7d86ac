package dev.shardkit.store.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PermitsTest {
    private final List<String> ran = new ArrayList<>();

    @Test
    void workThatRunsOutOfMemory_doesNotStopTheWorkBehindIt() {
        Permits permits = new Permits(1);
        permits.acquire(() -> ran.add("first"));
        permits.acquire(() -> {
            throw new OutOfMemoryError("made up");
        });
        permits.acquire(() -> ran.add("third"));
        assertEquals(List.of("first"), ran);
        permits.release();
        permits.release();
        assertEquals(List.of("first", "third"), ran);
    }

    @Test
    void manyWaiting_runInTheirOrder() {
        Permits permits = new Permits(1);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            String name = "work " + i;
            expected.add(name);
            permits.acquire(() -> ran.add(name));
        }
        for (int i = 0; i < 99; i++) {
            permits.release();
        }
        assertEquals(expected, ran);
    }
}
