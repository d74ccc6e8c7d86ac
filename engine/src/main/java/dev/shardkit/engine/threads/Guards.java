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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Wraps a caller's own targets and feeds. The caller receives the exceptions they throw unchanged, not as corrupt data.
 * They may wait for other calls.
 */
public final class Guards {
    private Guards() {}

    /** Returns {@code own}, wrapped. */
    public static Target target(Target own) {
        return new OfTarget(own);
    }

    /** Returns {@code own}, wrapped. */
    public static Feed feed(Feed own) {
        return own instanceof EncodedFeed encoded ? new OfEncodedFeed(encoded) : new OfFeed(own);
    }

    /** Whether {@code target} may run a caller's code. */
    public static boolean isCallers(Target target) {
        return target instanceof OfTarget;
    }

    /** Returns the exception to throw instead of a caller's; errors are thrown unchanged. */
    private static CallersException guarded(Throwable thrown) {
        if (thrown instanceof Error e) {
            throw e;
        }
        return thrown instanceof CallersException c ? c : new CallersException(thrown);
    }

    private record OfTarget(Target own) implements Target {
        @Override
        public void put(Elements from, long offset, long[] strides, Box at) {
            try {
                WorkerPool.callersCode(() -> own.put(from, offset, strides, at));
            } catch (Throwable e) {
                throw guarded(e);
            }
        }

        @Override
        public void fill(FillValue value, Box at) {
            try {
                WorkerPool.callersCode(() -> own.fill(value, at));
            } catch (Throwable e) {
                throw guarded(e);
            }
        }

        @Override
        public Target window(Box at) {
            try {
                return new OfTarget(own.window(at));
            } catch (Throwable e) {
                throw guarded(e);
            }
        }

        @Override
        public Target permute(int[] order) {
            try {
                return new OfTarget(own.permute(order));
            } catch (Throwable e) {
                throw guarded(e);
            }
        }
    }

    private record OfFeed(Feed own) implements Feed {
        @Override
        public void get(Box part, Elements to, long offset, long[] strides) {
            try {
                WorkerPool.callersCode(() -> own.get(part, to, offset, strides));
            } catch (Throwable e) {
                throw guarded(e);
            }
        }

        @Override
        public Coverage coverage(Box part) {
            try {
                return own.coverage(part);
            } catch (Throwable e) {
                throw guarded(e);
            }
        }

        @Override
        public Feed window(Box at) {
            try {
                return feed(own.window(at));
            } catch (Throwable e) {
                throw guarded(e);
            }
        }

        @Override
        public Feed permute(int[] order) {
            try {
                return new OfFeed(own.permute(order));
            } catch (Throwable e) {
                throw guarded(e);
            }
        }
    }

    private record OfEncodedFeed(EncodedFeed own) implements EncodedFeed {
        @Override
        public Optional<Bytes> encoded(ChunkCodec codec) {
            List<Bytes> found = new ArrayList<>();
            try {
                WorkerPool.callersCode(() -> own.encoded(codec).ifPresent(found::add));
            } catch (Throwable e) {
                throw guarded(e);
            }
            return found.stream().findFirst();
        }

        @Override
        public EncodedFeed window(Box at) {
            try {
                return new OfEncodedFeed(own.window(at));
            } catch (Throwable e) {
                throw guarded(e);
            }
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
