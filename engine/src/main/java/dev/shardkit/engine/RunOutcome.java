package dev.shardkit.engine;

import dev.shardkit.spi.error.CorruptDataException;
import org.jspecify.annotations.Nullable;

/**
 * How a run ends: with the judged failure, or with what confirms that all bytes were of one version and that absent
 * objects are those of an array that exists. Stateless.
 */
final class RunOutcome {
    private RunOutcome() {}

    /**
     * Releases the resources of {@code reads} and returns the failure of the run, if there was one. Throws nothing.
     *
     * @param failure the first failure
     */
    static @Nullable Throwable of(Requests reads, ReadContext context, @Nullable Throwable failure) {
        Throwable thrown = failure;
        try {
            if (thrown == null) {
                reads.confirm();
                if (reads.hasMetAbsence()) {
                    context.check().confirmAbsence();
                }
            } else {
                thrown = reads.judge(thrown);
                thrown = thrown instanceof CorruptDataException c
                        ? context.check().judge(c)
                        : thrown;
            }
        } catch (Throwable e) {
            thrown = e;
        }
        try {
            reads.close();
        } catch (Throwable e) {
            if (thrown == null) {
                return e;
            }
            Failures.addSuppressed(thrown, e);
        }
        return thrown;
    }
}
