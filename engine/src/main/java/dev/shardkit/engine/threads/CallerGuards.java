package dev.shardkit.engine.threads;

import dev.shardkit.engine.CallersException;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.EncodedFeed;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Wraps a caller's own targets and feeds. The caller receives the exceptions they throw unchanged, not as corrupt data.
 * They may wait for other calls.
 */
public final class CallerGuards {
    private CallerGuards() {}

    /** Returns {@code own}, wrapped. */
    public static Target target(Target own) {
        return new OfTarget(own);
    }

    /** Returns {@code own}, wrapped. */
    public static Feed feed(Feed own) {
        return own instanceof EncodedFeed encoded ? new OfEncodedFeed(encoded) : new OfFeed(own);
    }

    /** Returns whether {@code target} may run a caller's code. */
    public static boolean isCallers(Target target) {
        return target instanceof OfTarget;
    }

    /** Makes a call of a caller's code. Its exceptions, also checked ones, become {@link CallersException}s. */
    private static <T> T guarded(Supplier<T> call) {
        try {
            return call.get();
        } catch (CallersException e) {
            throw e;
        } catch (Exception e) {
            throw new CallersException(e);
        }
    }

    /** Does the same on behalf of the caller, who may wait in it. */
    private static void run(Runnable call) {
        guarded(() -> {
            WorkerPool.callersCode(call);
            return Unit.UNIT;
        });
    }

    private record OfTarget(Target own) implements Target {
        @Override
        public void put(Elements from, long offset, long[] strides, Box at) {
            run(() -> own.put(from, offset, strides, at));
        }

        @Override
        public void fill(FillValue value, Box at) {
            run(() -> own.fill(value, at));
        }

        @Override
        public Target window(Box at) {
            return guarded(() -> new OfTarget(own.window(at)));
        }

        @Override
        public Target permute(int[] order) {
            return guarded(() -> new OfTarget(own.permute(order)));
        }
    }

    private record OfFeed(Feed own) implements Feed {
        @Override
        public void get(Box part, Elements to, long offset, long[] strides) {
            run(() -> own.get(part, to, offset, strides));
        }

        @Override
        public Coverage coverage(Box part) {
            return guarded(() -> own.coverage(part));
        }

        @Override
        public Feed window(Box at) {
            return guarded(() -> feed(own.window(at)));
        }

        @Override
        public Feed permute(int[] order) {
            return guarded(() -> new OfFeed(own.permute(order)));
        }
    }

    private record OfEncodedFeed(EncodedFeed own) implements EncodedFeed {
        @Override
        public Optional<Bytes> encoded(ChunkCodec codec) {
            List<Bytes> found = new ArrayList<>();
            run(() -> own.encoded(codec).ifPresent(found::add));
            return found.stream().findFirst();
        }

        @Override
        public EncodedFeed window(Box at) {
            return guarded(() -> new OfEncodedFeed(own.window(at)));
        }

        @Override
        public void get(Box part, Elements to, long offset, long[] strides) {
            new OfFeed(own).get(part, to, offset, strides);
        }

        @Override
        public Coverage coverage(Box part) {
            return new OfFeed(own).coverage(part);
        }

        @Override
        public Feed permute(int[] order) {
            return new OfFeed(own).permute(order);
        }
    }
}
