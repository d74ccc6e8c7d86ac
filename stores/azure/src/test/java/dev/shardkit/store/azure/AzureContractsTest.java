package dev.shardkit.store.azure;

import dev.shardkit.store.Store;
import dev.shardkit.store.cloudtest.CloudContracts;
import dev.shardkit.testkit.store.ConditionsContract;
import dev.shardkit.testkit.store.CopiesContract;
import dev.shardkit.testkit.store.RangeCopiesContract;
import dev.shardkit.testkit.store.StoreConcurrencyContract;
import dev.shardkit.testkit.store.WritesContract;
import java.net.URI;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The store on Azurite does what stores must. */
@Tag("one-jdk")
class AzureContractsTest extends CloudContracts {
    @Override
    protected URI freshLocation() {
        return Azurite.fresh();
    }

    @Override
    protected Store open(URI location) {
        return Azurite.builder(location).build();
    }

    @Nested
    class Writing extends WritesContract {
        @Override
        protected Store freshStore() {
            return fresh();
        }
    }

    @Nested
    class Concurrency extends StoreConcurrencyContract {
        @Override
        protected Store freshStore() {
            return fresh();
        }
    }

    @Nested
    class Conditions extends ConditionsContract {
        @Override
        protected Store freshStore() {
            return fresh();
        }
    }

    @Nested
    class Copies extends CopiesContract {
        @Override
        protected Store freshStore() {
            return fresh();
        }
    }

    /** Azurite 3.35.0 does not copy ranges, so they are read and sent. */
    @Nested
    class RangeCopies extends RangeCopiesContract {
        @Override
        protected Store freshStore() {
            return Azurite.builder(Azurite.fresh()).partSize(1 << 20).build();
        }
    }

    @Test
    void largeObject_isPutUnderItsCondition_andReadBack() throws Exception {
        putAndReadLargeObject(Azurite.builder(Azurite.fresh()).partSize(1 << 20).build());
    }
}
