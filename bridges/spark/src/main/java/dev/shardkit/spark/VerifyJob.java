package dev.shardkit.spark;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Part;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.check.Verification.Summary;
import dev.shardkit.spark.task.AbsoluteLocation;
import dev.shardkit.spark.task.Tasks;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Checks all stored data of an array, or of all arrays below a group, with the executors of Spark. The checks are those
 * of {@link Verification}. Changes nothing. Immutable and thread-safe.
 */
public final class VerifyJob {
    /** The maximum number of findings that a task sends to the driver. */
    private static final int MAX_FINDINGS = 1000;
    /** The number of components of {@link Summary}. */
    private static final int TOTALS = 9;

    private final String url;
    private final boolean decodes;
    private final int tasks;
    private final Consumer<String> messages;

    private VerifyJob(String url, boolean decodes, int tasks, Consumer<String> messages) {
        this.url = url;
        this.decodes = decodes;
        this.tasks = tasks;
        this.messages = messages;
    }

    /** Creates a check that decodes all chunks. */
    public static VerifyJob of(String url) {
        return new VerifyJob(url, true, 0, message -> {});
    }

    /** Returns a copy of this job that reads indexes only. */
    public VerifyJob withoutDecoding() {
        return new VerifyJob(url, false, tasks, messages);
    }

    /** Returns a copy of this job with this many tasks. By default there are 16 for each core, at most 10000. */
    public VerifyJob withTasks(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("expected at least 1 task, found " + count);
        }
        return new VerifyJob(url, decodes, count, messages);
    }

    /**
     * Returns a copy of this job that sends {@code listener} lines of text, on the driver: its progress with bytes and
     * the estimated remaining time, and at the end the bytes and retries.
     */
    public VerifyJob withMessages(Consumer<String> listener) {
        return new VerifyJob(url, decodes, tasks, listener);
    }

    /** The totals of a task in the order of {@link Summary}, and its first findings. */
    private record Found(long[] totals, List<String> findings) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    /**
     * Runs the check.
     *
     * @param findings receives the findings as lines of text, on the driver, after all tasks: at most 1000 of each task
     * @throws dev.shardkit.spi.error.ZarrException if the node cannot be opened, or a task failed as often as Spark
     *     allows
     */
    public Summary run(JavaSparkContext spark, Consumer<String> findings) {
        String location;
        String place = AbsoluteLocation.of(url);
        try (ZarrNode node = Zarr.open(place, ZarrOptions.defaults())) {
            location = node.location();
        }
        int parts = tasks > 0 ? tasks : Tasks.count(spark);
        boolean decode = decodes; // a local variable, because tasks serialize it and this object is not serializable
        long[] all = new long[TOTALS];
        for (Found found : Tasks.runParts(
                spark,
                "verify " + location,
                parts,
                (part, options) -> check(place, decode, part, options),
                "",
                messages)) {
            found.findings.forEach(findings);
            for (int i = 0; i < all.length; i++) {
                all[i] += found.totals[i];
            }
        }
        return new Summary(all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7], all[8]);
    }

    /** Checks a part of the arrays, in a task. */
    private static Found check(String url, boolean decode, Part part, ZarrOptions options) {
        List<String> findings = new ArrayList<>();
        try (ZarrNode node = Zarr.open(url, options)) {
            Verification verification = Verification.of(node).withPart(part);
            Summary summary = (decode ? verification : verification.withoutDecoding()).run(finding -> {
                if (findings.size() < MAX_FINDINGS) {
                    findings.add(finding.toString());
                }
            });
            long[] totals = {
                summary.arrays(),
                summary.shards(),
                summary.innerShards(),
                summary.innerChunks(),
                summary.chunks(),
                summary.bytes(),
                summary.unusedBytes(),
                summary.errors(),
                summary.notes()
            };
            return new Found(totals, findings);
        }
    }
}
