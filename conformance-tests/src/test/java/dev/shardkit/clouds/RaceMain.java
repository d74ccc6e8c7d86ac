package dev.shardkit.clouds;

import dev.shardkit.testing.Child;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lets processes update one shard of a bucket at once and counts the lost updates: {@code ENDPOINT LOCATION [PROCESSES]
 * [UPDATES]}, with the key in {@code S3_RACE_KEYS} ({@code ID:SECRET}). Status 1 if an update was lost.
 */
final class RaceMain {
    private RaceMain() {}

    public static void main(String[] args) {
        String keys = Optional.ofNullable(System.getenv("S3_RACE_KEYS")).orElse("testing:testing12");
        Bucket bucket = new Bucket(URI.create(args[0]), keys, URI.create(args[1]));
        int processes = args.length > 2 ? Integer.parseInt(args[2]) : 4;
        int updates = args.length > 3 ? Integer.parseInt(args[3]) : 500;
        long begun = System.nanoTime();
        int lost = race(bucket, processes, updates);
        System.out.printf(
                "%d processes, %d updates each: %d lost, %.1f s%n",
                processes, updates, lost, (System.nanoTime() - begun) / 1e9);
        System.exit(lost == 0 ? 0 : 1);
    }

    /** Runs the processes; returns the number of lost updates. */
    static int race(Bucket bucket, int processes, int updates) {
        bucket.create(processes, updates);
        List<Child> children = new ArrayList<>();
        try {
            for (int row = 0; row < processes; row++) {
                children.add(start(bucket, row, updates));
            }
            for (Child child : children) {
                String last = "";
                for (Optional<String> line = child.line(); line.isPresent(); line = child.line()) {
                    last = line.get();
                }
                if (!last.equals("done")) {
                    throw new AssertionError("a writer failed; its last line was \"" + last + '"');
                }
            }
        } finally {
            children.forEach(Child::close);
        }
        return bucket.lost(processes, updates);
    }

    /** Starts a process that updates a row. */
    static Child start(Bucket bucket, int row, int updates) {
        Child child = Child.start(
                RaceWriter.class,
                "128m",
                bucket.endpoint().toString(),
                bucket.location().toString(),
                Integer.toString(row),
                Integer.toString(updates));
        child.say(bucket.keys());
        return child;
    }
}
