package dev.shardkit.engine.threads;

import dev.shardkit.engine.error.CallersException;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.EncodedFeed;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.NoResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Wraps a caller's own targets and feeds, so that their exceptions reach the caller unchanged and are not reported as
 * corrupt data. While the caller's code runs, another thread of the pool takes the place of this one, because the code
 * may wait for other calls of the library.
 */
public final class CallerExceptionGuards {
    private CallerExceptionGuards() {}

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

    /** Makes a call of a caller's code that may wait for other calls ({@link WorkerPool#callersCode}). */
    private static void run(Runnable call) {
        guarded(() -> {
            WorkerPool.callersCode(call);
            return NoResult.INSTANCE;
        });
    }

    private record OfTarget(Target target) implements Target {
        @Override
        public void put(Elements source, long offset, long[] strides, Box box) {
            run(() -> target.put(source, offset, strides, box));
        }

        @Override
        public void fill(FillValue value, Box box) {
            run(() -> target.fill(value, box));
        }

        @Override
        public Target window(Box box) {
            return guarded(() -> new OfTarget(target.window(box)));
        }

        @Override
        public Target permute(int[] order) {
            return guarded(() -> new OfTarget(target.permute(order)));
        }
    }

    private record OfFeed(Feed feed) implements Feed {
        @Override
        public void get(Box box, Elements target, long offset, long[] strides) {
            run(() -> feed.get(box, target, offset, strides));
        }

        @Override
        public Coverage coverage(Box box) {
            return guarded(() -> feed.coverage(box));
        }

        @Override
        public Feed window(Box box) {
            return guarded(() -> CallerExceptionGuards.feed(feed.window(box)));
        }

        @Override
        public Feed permute(int[] order) {
            return guarded(() -> new OfFeed(feed.permute(order)));
        }
    }

    private record OfEncodedFeed(EncodedFeed feed) implements EncodedFeed {
        @Override
        public Optional<Bytes> encoded(ChunkCodec codec) {
            List<Bytes> results = new ArrayList<>();
            run(() -> feed.encoded(codec).ifPresent(results::add));
            return results.stream().findFirst();
        }

        @Override
        public EncodedFeed window(Box box) {
            return guarded(() -> new OfEncodedFeed(feed.window(box)));
        }

        @Override
        public void get(Box box, Elements target, long offset, long[] strides) {
            new OfFeed(feed).get(box, target, offset, strides);
        }

        @Override
        public Coverage coverage(Box box) {
            return new OfFeed(feed).coverage(box);
        }

        @Override
        public Feed permute(int[] order) {
            return new OfFeed(feed).permute(order);
        }
    }
}
