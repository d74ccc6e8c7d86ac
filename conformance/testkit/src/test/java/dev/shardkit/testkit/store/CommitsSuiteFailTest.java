package dev.shardkit.testkit.store;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Commits;
import dev.shardkit.store.Store;
import dev.shardkit.testkit.ContractRun;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Each test of the suite of commits fails for a store with a flaw. */
class CommitsSuiteFailTest {
    /** What is published, and how often. */
    private static final class Published {
        private Map<String, byte[]> objects = Map.of();
        private long commits;
    }

    /** Publishes all its objects at once, unless another store has published since. */
    private static class Drafts extends SmallStore implements Commits {
        final Published published;
        private final Map<String, Value> before = new HashMap<>();
        private long base;

        Drafts(Published published) {
            this.published = published;
            this.base = published.commits;
            published.objects.forEach((key, bytes) -> objects.put(key, value(bytes)));
            before.putAll(objects);
        }

        @Override
        public void commit() {
            if (objects.equals(before)) {
                return;
            }
            if (published.commits != base) {
                throw new StoreException("another store has published");
            }
            publish();
        }

        final void publish() {
            Map<String, byte[]> all = new HashMap<>();
            objects.forEach((key, value) -> all.put(key, value.bytes));
            published.objects = all;
            base = ++published.commits;
            before.clear();
            before.putAll(objects);
        }

        @Override
        public void discard() {
            objects.clear();
            objects.putAll(before);
        }

        @Override
        public boolean hasChanges() {
            return !objects.equals(before);
        }

        @Override
        public void close() {
            commit();
        }
    }

    @Test
    void commits() {
        Map<String, Supplier<? extends Function<Published, Drafts>>> flaws = new HashMap<>();
        flaws.put(
                "put_isPublishedByCommit",
                () -> published -> new Drafts(published) {
                    @Override
                    public void commit() {
                        objects.remove("a/k");
                        super.commit();
                    }
                });
        flaws.put(
                "delete_isPublishedByCommit",
                () -> published -> new Drafts(published) {
                    @Override
                    public void commit() {
                        published.objects.forEach((key, bytes) -> objects.putIfAbsent(key, value(bytes)));
                        super.commit();
                    }
                });
        flaws.put(
                "commit_ofNothing_isNoFailure",
                () -> published -> new Drafts(published) {
                    @Override
                    public void commit() {
                        objects.put("committed", value(new byte[0]));
                        super.commit();
                    }
                });
        flaws.put(
                "discard_keepsWhatWasPublished",
                () -> published -> new Drafts(published) {
                    @Override
                    public void discard() {
                        objects.remove("a/new");
                    }
                });
        flaws.put(
                "changes_areReported_untilTheyArePublishedOrDiscarded",
                () -> published -> new Drafts(published) {
                    @Override
                    public boolean hasChanges() {
                        return true;
                    }
                });
        flaws.put(
                "commit_afterAnotherProgram_losesNothing",
                () -> published -> new Drafts(published) {
                    @Override
                    public void commit() {
                        publish();
                    }
                });
        ContractRun.<Function<Published, Drafts>>assertEachCanFail(Suite::new, () -> Drafts::new, flaws);
    }

    private static final class Suite extends CommitsContract {
        private final Published published = new Published();
        private final Function<Published, Drafts> store;

        Suite(Supplier<? extends Function<Published, Drafts>> store) {
            this.store = store.get();
        }

        @Override
        protected Store freshStore() {
            return store.apply(published);
        }

        @Override
        protected Store reopened() {
            return store.apply(published);
        }
    }
}
