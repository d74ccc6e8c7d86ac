package dev.shardkit.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.crash.disk.PowerLoss.Forces;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.Rounds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The short round of power losses (the long one: {@code tools/power-loss.sh}), and whether it would see a broken one.
 */
@Timeout(600)
@Tag("one-jdk")
class PowerLossTest {
    private static final long SEED = 11;
    private static final int STATES = Rounds.areMany() ? Rounds.of(600) : 240;

    @TempDir
    Path dir;

    private PowerStates look(int count, Durability durability, Forces forces) throws IOException {
        Path own = Files.createDirectory(dir.resolve(durability + "-" + forces));
        PowerStates states = new PowerStates(own, SEED);
        states.look(count, durability, forces);
        System.out.println(
                "power: " + durability + ", forces " + forces + ": " + states.states() + " states; " + states.tally());
        return states;
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "directories are not forced")
    void forcedWrites_ofEveryStrategy_areOldOrNew_andLoseNothingCommitted() throws IOException {
        PowerStates states = look(STATES, Durability.FORCED, Forces.HONOURED);
        assertEquals(List.of(), states.tally().problems());
        assertEquals(STATES, states.states());
    }

    @Test
    void otherWrites_failByDeclaredErrorsOnly_andSurviveAKill() throws IOException {
        assertEquals(
                List.of(),
                look(STATES / 3, Durability.ATOMIC, Forces.HONOURED).tally().problems());
        assertEquals(
                List.of(),
                look(STATES / 6, Durability.NONE, Forces.HONOURED).tally().problems());
    }

    /** That the check can fail: a device that forgets what was forced breaks the promise. */
    @Test
    void deviceThatForgetsWhatWasForced_isSeen() throws IOException {
        Tally tally = look(300, Durability.FORCED, Forces.IGNORED).tally();
        assertTrue(tally.broken() > 10, tally.toString());
    }
}
