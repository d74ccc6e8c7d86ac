package dev.shardkit.store.cloud;

import dev.shardkit.store.remote.Outcome.Told;
import java.util.Optional;

/**
 * The meaning of a success, or a result for an absent object.
 *
 * @param present the meaning of a success
 * @param absent the result for an absent object
 */
public record UnlessAbsent<T>(Task.Meaning<T> present, T absent) implements Task.Meaning<T> {
    @Override
    public Optional<T> success(Told told) {
        return present.success(told);
    }

    @Override
    public Optional<T> refusal(Refusal refusal, boolean lost) {
        return refusal.kind() == Refusal.Kind.ABSENT ? Optional.of(absent) : Optional.empty();
    }
}
