package dev.shardkit.spark.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spark.task.TaskMemory.Cores;
import org.junit.jupiter.api.Test;

class TaskMemoryTest {
    @Test
    void cores_areThoseOfTheExecutors_orTheMostOfTheJob_orAGuess() {
        assertEquals(new Cores(8, false), Cores.of(4, 32, 0));
        assertEquals(new Cores(9, false), Cores.of(4, 33, 100), "the largest executor has no fewer");
        assertEquals(new Cores(12, false), Cores.of(0, 2, 12), "no executor has registered");
        assertEquals(new Cores(12, false), Cores.of(2, 0, 12), "their cores are unknown");
        assertEquals(new Cores(1, true), Cores.of(0, 2, 0));
    }

    @Test
    void guess_isSaid() {
        assertEquals(
                "the tasks of an executor need up to 3 MiB at once",
                new TaskMemory(3 << 20, 1 << 30, new Cores(2, false)).toString());
        String guess = new TaskMemory(3 << 20, 1 << 30, new Cores(1, true)).toString();
        assertTrue(guess.endsWith("because spark.executor.cores is not set"), guess);
    }
}
