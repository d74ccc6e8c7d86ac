package dev.shardkit.store.http;

import dev.shardkit.store.Store;
import dev.shardkit.testkit.server.RangeServer;
import dev.shardkit.testkit.server.RangeServer.Quirk;
import dev.shardkit.testkit.store.ObjectLocationsContract;
import dev.shardkit.testkit.store.RemoteChangesContract;
import dev.shardkit.testkit.store.StoreContract;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** The contract against servers of all kinds of good and bad habits, none of which excuses wrong bytes. */
class HttpContractTest {
    private abstract static class Served extends RemoteChangesContract {
        private final RangeServer server = RangeServer.start();
        private final Quirk[] quirks;

        Served(Quirk... quirks) {
            this.quirks = quirks;
        }

        @Override
        protected Store freshStore() {
            return HttpStore.at(URI.create(server.quirks(quirks).uri() + "/deep%20er/root/?sig=a%2Fb&x=y"));
        }

        @Override
        protected void serve(String key, byte[] value) {
            server.put("deep er/root/" + key, value);
        }

        @AfterEach
        void stop() {
            server.close();
        }
    }

    @Nested
    class Any extends StoreContract {
        private final RangeServer server = RangeServer.start();

        @Override
        protected Store storeOf(Map<String, byte[]> objects) {
            objects.forEach((key, value) -> server.put("root/" + key, value));
            return reopened().orElseThrow();
        }

        @Override
        protected Optional<Store> reopened() {
            return Optional.of(HttpStore.at(server.uri().resolve("/root/")));
        }

        @AfterEach
        void stop() {
            server.close();
        }
    }

    @Nested
    class Locating extends ObjectLocationsContract {
        private final RangeServer server = RangeServer.start();

        @Override
        protected Store storeOf(Map<String, byte[]> objects) {
            objects.forEach((key, value) -> server.put("deep er/root/" + key, value));
            return HttpStore.at(URI.create(server.uri() + "/deep%20er/root/"));
        }

        @AfterEach
        void stop() {
            server.close();
        }
    }

    @Nested
    class StrongTags extends Served {}

    @Nested
    class WeakTags extends Served {
        WeakTags() {
            super(Quirk.WEAK_ETAG);
        }
    }

    @Nested
    class NoTags extends Served {
        NoTags() {
            super(Quirk.NO_ETAG);
        }
    }

    @Nested
    class NoVersions extends Served {
        NoVersions() {
            super(Quirk.NO_ETAG, Quirk.NO_LAST_MODIFIED);
        }

        @Override
        protected boolean hasVersions() {
            return false;
        }
    }

    @Nested
    class NoConditions extends Served {
        NoConditions() {
            super(Quirk.NO_IF_MATCH);
        }
    }

    @Nested
    class NoRanges extends Served {
        NoRanges() {
            super(Quirk.NO_RANGES);
        }
    }

    @Nested
    class NoRangesNoLength extends Served {
        NoRangesNoLength() {
            super(Quirk.NO_RANGES, Quirk.NO_LENGTH);
        }
    }

    @Nested
    class NoRangesWeakTags extends Served {
        NoRangesWeakTags() {
            super(Quirk.NO_RANGES, Quirk.WEAK_ETAG);
        }
    }

    @Nested
    class NoLength extends Served {
        NoLength() {
            super(Quirk.NO_LENGTH);
        }
    }

    @Nested
    class SuffixIsWhole extends Served {
        SuffixIsWhole() {
            super(Quirk.SUFFIX_IS_WHOLE);
        }
    }

    @Nested
    class SuffixIsWholeNoLength extends Served {
        SuffixIsWholeNoLength() {
            super(Quirk.SUFFIX_IS_WHOLE, Quirk.NO_LENGTH);
        }
    }

    @Nested
    class Suffix416 extends Served {
        Suffix416() {
            super(Quirk.SUFFIX_416);
        }
    }

    @Nested
    class Suffix416Bare extends Served {
        Suffix416Bare() {
            super(Quirk.SUFFIX_416_BARE);
        }
    }

    @Nested
    class Suffix501 extends Served {
        Suffix501() {
            super(Quirk.SUFFIX_501);
        }
    }

    @Nested
    class Suffix400 extends Served {
        Suffix400() {
            super(Quirk.SUFFIX_400, Quirk.WEAK_ETAG);
        }
    }
}
