package dev.shardkit.store.s3;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Store;
import dev.shardkit.store.cloud.PutBody;
import dev.shardkit.store.cloudtest.CloudContracts;
import dev.shardkit.testkit.store.ConditionsContract;
import dev.shardkit.testkit.store.CopiesContract;
import dev.shardkit.testkit.store.LeftoverCleanupContract;
import dev.shardkit.testkit.store.RangeCopiesContract;
import dev.shardkit.testkit.store.WritesContract;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * The store on a real server does what stores must. {@code StoreConcurrencyContract} is left out, because versitygw
 * cannot pass it: a GET takes the ETag and opens the file one after the other, so that a put in between gives the bytes
 * of one version under the ETag of another.
 */
@Tag("one-jdk")
class S3ContractsTest extends CloudContracts {
    @Override
    protected URI freshLocation() {
        return Versity.fresh();
    }

    @Override
    protected Store open(URI location) {
        return Versity.builder(location).build();
    }

    @Nested
    class Writing extends WritesContract {
        @Override
        protected Store freshStore() {
            return fresh();
        }

        @Override
        protected boolean deletesTellAbsence() {
            return false;
        }
    }

    @Nested
    class Conditions extends ConditionsContract {
        @Override
        protected Store freshStore() {
            return fresh();
        }

        @Override
        protected boolean equalBytesAreAnotherVersion() {
            return false;
        }
    }

    @Nested
    class Copies extends CopiesContract {
        @Override
        protected boolean readsDuringCopiesAreWhole() {
            return false; // versitygw: see above
        }

        @Override
        protected Store freshStore() {
            return fresh();
        }
    }

    @Nested
    class RangeCopies extends RangeCopiesContract {
        @Override
        protected Store freshStore() {
            return Versity.builder(Versity.fresh()).partSize(5 << 20).build();
        }
    }

    @Nested
    class CleaningUp extends LeftoverCleanupContract {
        @Override
        protected Store freshStore() {
            return Versity.builder(Versity.fresh())
                    .abandonedAfter(Duration.ZERO)
                    .build();
        }

        @Override
        protected void leaveTemporary(Store store, String prefix, int bytes) throws Exception {
            MultipartUpload uploads =
                    (MultipartUpload) ((S3Store) store).store().bulk();
            uploads.leave(prefix + "/killed", PutBody.of(Bytes.zeros(bytes)));
        }
    }
}
