package dev.shardkit.engine.run;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.ReadRequest;
import dev.shardkit.store.FarReads;
import dev.shardkit.store.FetchResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The whole objects that a run requests at once and whose parts it decodes while the bytes arrive. If a plan will read
 * all of an object ({@link ReadRequest#entire}), its first read begins a request for the object. Ranges of it wait
 * until their bytes are here; an index at the end does not wait, it is requested beside. Guarded by the run's monitor.
 *
 * <p>Index and object cost one latency, and the decoding mostly fits into the transfer. This needs a server that is
 * known to answer ranges and to give versions: one that ignores ranges would send the object twice, and without
 * versions a replaced object could not be told from its index. It also needs a call that reads one or two shards: with
 * more, some are decoded while others arrive. Stores that compare whole objects with a checksum decode after the
 * comparison. A store without suffix ranges, such as Azure's, cannot be asked for the index alone, so there the object
 * is decoded when it is complete. A missing object costs two requests.
 */
final class Downloads {
    private static final class Download {
        final PriorityQueue<ReadTask> waiting = new PriorityQueue<>(Comparator.comparingLong(Downloads::end));
        /** The bytes so far; null before the first ones, and if the object is absent or too large. */
        FetchResult.@Nullable Found here;

        boolean over;
        private boolean used;

        /**
         * Takes the reads whose bytes are here. While more is to come, the last one stays: no plan ends, and no memory
         * is given back, before the answer is complete and checked. Until a read has been taken, even the only one is:
         * it may be the index, on which the others depend.
         */
        List<ReadTask> ready() {
            List<ReadTask> ready = new ArrayList<>();
            while (here != null
                    && !waiting.isEmpty()
                    && end(waiting.peek()) <= here.bytes().size()
                    && (over || !used || waiting.size() > 1)) {
                ready.add(waiting.remove());
                used = true;
            }
            return ready;
        }

        /** Before the answer is complete it may be refused, with what it has brought. */
        DecodingUnits.Keep keep() {
            return over ? DecodingUnits.Keep.VALUES : DecodingUnits.Keep.NOTHING;
        }

        /** Returns whether the answer brings, or may bring, these bytes. */
        boolean brings(ReadTask task) {
            return task.request().range() instanceof ByteRange.Slice s
                    && (here == null ? !over : s.end() <= here.objectSize());
        }
    }

    /** The maximum number of downloads in a run: their bytes are kept until it ends. */
    private static final int MAX = 2;

    private final FarReads store;
    private final RequestQueue outbox;
    private final PinnedVersions pins;
    private final DecodingUnits decodings;
    private final Map<String, Download> downloads = new HashMap<>();
    private boolean cancelled;

    Downloads(FarReads store, RequestQueue outbox, PinnedVersions pins, DecodingUnits decodings) {
        this.store = store;
        this.outbox = outbox;
        this.pins = pins;
        this.decodings = decodings;
    }

    /**
     * Queues requests for these reads, and the downloads that they ask for. Reads whose bytes have arrived become work.
     */
    void add(List<ReadTask> batch, Deque<WorkUnit> units) {
        if (downloads.isEmpty() && !asksForOne(batch)) {
            outbox.add(batch);
            return;
        }
        Map<String, Download> used = new HashMap<>();
        Map<String, Long> begun = new LinkedHashMap<>();
        List<ReadTask> left = new ArrayList<>(batch.size());
        for (ReadTask task : batch) {
            Download download = of(task.request(), begun);
            if (download == null || !download.brings(task)) {
                left.add(task);
            } else {
                download.waiting.add(task);
                used.put(task.request().key(), download);
            }
        }
        outbox.add(left); // an index goes first
        begun.forEach(outbox::addDownload);
        used.forEach((key, download) -> {
            List<ReadTask> ready = download.ready();
            if (!ready.isEmpty()) {
                units.addAll(decodings.ofWhole(key, download.here, download.keep(), ready));
            }
        });
    }

    private static boolean asksForOne(List<ReadTask> batch) {
        for (ReadTask task : batch) {
            if (task.request().entire() > 0) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Download of(ReadRequest<?> request, Map<String, Long> begun) {
        Download known = downloads.get(request.key());
        boolean begins = request.entire() > 0 && downloads.size() < MAX && store.reportsProgress();
        if (known != null || !begins) {
            return known;
        }
        Download fresh = new Download();
        downloads.put(request.key(), fresh);
        begun.put(request.key(), request.entire());
        return fresh;
    }

    private static long end(ReadTask task) {
        return ((ByteRange.Slice) task.request().range()).end();
    }

    /**
     * Accepts the first bytes of an answer, and returns the request with the reads that they complete.
     *
     * @throws dev.shardkit.store.ObjectChangedException if a download is not of the version that the run reads
     */
    MergedRead began(FarRequest sending, FetchResult.Found beginning) {
        MergedRead request = sending.merged();
        Download download = open(request);
        if (download == null) {
            return request.with(sending.takeEarly(beginning.bytes().size()));
        }
        pins.confirm(request.key(), PinnedVersions.Seen.of(beginning.version()));
        download.here = beginning;
        return request.with(download.ready());
    }

    /**
     * Accepts the end of a request, and returns it with the reads to decode. Those that a download does not bring,
     * since its object is absent, too large or ends before them, get requests of their own.
     */
    MergedRead ended(FarRequest sending) {
        MergedRead request = sending.merged();
        Download download = open(request);
        if (download == null) {
            return sending.left();
        }
        download.over = true;
        download.here = whole(request.key(), sending.response());
        List<ReadTask> brought = new ArrayList<>();
        List<ReadTask> missing = new ArrayList<>();
        while (!download.waiting.isEmpty()) {
            ReadTask next = download.waiting.remove();
            (download.brings(next) ? brought : missing).add(next);
        }
        if (!cancelled) {
            outbox.add(missing);
        }
        return request.with(brought);
    }

    private @Nullable Download open(MergedRead request) {
        Download download = request.isDownload() ? downloads.get(request.key()) : null;
        return download == null || download.over ? null : download;
    }

    /** Returns the whole object in an answer, if it has the version that this run reads. */
    private FetchResult.@Nullable Found whole(String key, FarRequest.@Nullable Response response) {
        if (response != null
                && response.fetched() instanceof FetchResult.Found f
                && f.bytes().size() == f.objectSize()) {
            PinnedVersions.Seen now = PinnedVersions.Seen.of(f.version());
            return pins.get(key).orElse(now).equals(now) ? f : null;
        }
        return null;
    }

    /** Drops all waiting reads. */
    void cancel() {
        cancelled = true;
        downloads.values().forEach(download -> download.waiting.clear());
    }
}
