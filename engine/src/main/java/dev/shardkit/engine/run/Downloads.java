package dev.shardkit.engine.run;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.ReadRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.RemoteReads;
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
 * The downloads of one run: its requests for whole objects, whose parts it decodes while the bytes arrive. If a plan
 * will read all of an object ({@link ReadRequest#maxWholeRead}), its first read begins a download of the object. Reads
 * of the object's ranges wait until their bytes have arrived. The read of an index at the object's end does not wait:
 * it gets a request of its own. Requests for ranges of other objects go to the {@link RequestQueue} directly. Guarded
 * by the run's monitor.
 *
 * <p>So the index and the object arrive after one latency, and most of the decoding happens during the transfer. This
 * needs a server that is known to support ranges and to send versions. A server that ignores ranges would send the
 * object twice. Without versions, the index could belong to an older object, and the run would not notice.
 *
 * <p>A run has at most two downloads: of more shards, some are decoded while others arrive anyway. If the store
 * compares whole objects with a checksum, the run decodes after the comparison. A store without suffix ranges, such as
 * Azure's, cannot be asked for the index alone; there the run decodes the object when it is complete. A missing object
 * costs two requests.
 */
final class Downloads {
    /** A request for one whole object, and the reads that wait for its bytes. */
    private static final class Download {
        /** The waiting reads; the first one ends first. */
        final PriorityQueue<ReadTask> waiting = new PriorityQueue<>(Comparator.comparingLong(Downloads::end));
        /** The bytes that have arrived; null before the first ones, and if the object is absent or too large. */
        FetchResult.@Nullable Found received;

        /** Whether the request has ended; {@link #received} is then the whole object, if there is one. */
        boolean ended;
        /** Whether a read was taken from this download. */
        private boolean readTaken;

        /**
         * Removes and returns the reads whose bytes have arrived. Until the answer is complete and checked, the last
         * waiting read stays, so that no plan ends and no memory is released before the check. The very first read
         * never stays: it may be the index, on which the other reads depend.
         */
        List<ReadTask> takeReady() {
            List<ReadTask> ready = new ArrayList<>();
            while (received != null
                    && !waiting.isEmpty()
                    && end(waiting.peek()) <= received.bytes().size()
                    && (ended || !readTaken || waiting.size() > 1)) {
                ready.add(waiting.remove());
                readTaken = true;
            }
            return ready;
        }

        /**
         * Returns whether decoded values may be cached. An incomplete answer may still be refused with all its bytes.
         */
        DecodingUnits.Keep keep() {
            return ended ? DecodingUnits.Keep.VALUES : DecodingUnits.Keep.NOTHING;
        }

        /** Returns whether the answer contains the task's bytes, or may still contain them. */
        boolean brings(ReadTask task) {
            return task.request().range() instanceof ByteRange.Slice s
                    && (received == null ? !ended : s.end() <= received.objectSize());
        }
    }

    /** The maximum number of downloads in a run, which keeps their bytes until it ends. */
    private static final int MAX_DOWNLOADS = 2;

    private final RemoteReads store;
    private final RequestQueue outbox;
    private final PinnedVersions pins;
    private final DecodingUnits decodings;
    private final Map<String, Download> downloads = new HashMap<>();
    private boolean cancelled;

    Downloads(RemoteReads store, RequestQueue outbox, PinnedVersions pins, DecodingUnits decodings) {
        this.store = store;
        this.outbox = outbox;
        this.pins = pins;
        this.decodings = decodings;
    }

    /**
     * Queues requests for the reads and for the downloads that they begin. Reads whose bytes have already arrived
     * become units of work.
     */
    void add(List<ReadTask> batch, Deque<WorkUnit> units) {
        if (downloads.isEmpty() && !beginsDownload(batch)) {
            outbox.add(batch);
            return;
        }
        Map<String, Download> touched = new HashMap<>();
        Map<String, Long> started = new LinkedHashMap<>();
        List<ReadTask> direct = new ArrayList<>(batch.size());
        for (ReadTask task : batch) {
            Download download = findOrBegin(task.request(), started);
            if (download == null || !download.brings(task)) {
                direct.add(task);
            } else {
                download.waiting.add(task);
                touched.put(task.request().key(), download);
            }
        }
        outbox.add(direct); // before the downloads: the request of an index is sent first
        started.forEach(outbox::addDownload);
        touched.forEach((key, download) -> {
            List<ReadTask> ready = download.takeReady();
            if (!ready.isEmpty()) {
                units.addAll(decodings.unitsOfWhole(key, download.received, download.keep(), ready));
            }
        });
    }

    /** Returns whether any of the reads asks for a download. */
    private static boolean beginsDownload(List<ReadTask> batch) {
        for (ReadTask task : batch) {
            if (task.request().maxWholeRead() > 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns the download of a read's object; begins one if the read asks for it. Null if there is none. */
    private @Nullable Download findOrBegin(ReadRequest<?> request, Map<String, Long> started) {
        Download existing = downloads.get(request.key());
        boolean begins = request.maxWholeRead() > 0 && downloads.size() < MAX_DOWNLOADS && store.reportsProgress();
        if (existing != null || !begins) {
            return existing;
        }
        Download created = new Download();
        downloads.put(request.key(), created);
        started.put(request.key(), request.maxWholeRead());
        return created;
    }

    private static long end(ReadTask task) {
        return ((ByteRange.Slice) task.request().range()).end();
    }

    /**
     * Accepts the first bytes of an answer, and returns the request with the reads that they complete.
     *
     * @throws dev.shardkit.store.ObjectChangedException if a download is not of the version that the run reads
     */
    MergedRead began(RemoteRequest sending, FetchResult.Found beginning) {
        MergedRead request = sending.merged();
        Download download = open(request);
        if (download == null) {
            return request.withTasks(sending.takeEarly(beginning.bytes().size()));
        }
        pins.confirm(request.key(), PinnedVersions.Seen.of(beginning.version()));
        download.received = beginning;
        return request.withTasks(download.takeReady());
    }

    /**
     * Accepts the end of a request, and returns the request with the reads to decode. If the answer of a download does
     * not contain a waiting read, because the object is absent, too large or too short, that read gets a request of its
     * own.
     */
    MergedRead ended(RemoteRequest sending) {
        MergedRead request = sending.merged();
        Download download = open(request);
        if (download == null) {
            return sending.remaining();
        }
        download.ended = true;
        download.received = wholeObject(request.key(), sending.response());
        List<ReadTask> brought = new ArrayList<>();
        List<ReadTask> missing = new ArrayList<>();
        while (!download.waiting.isEmpty()) {
            ReadTask next = download.waiting.remove();
            (download.brings(next) ? brought : missing).add(next);
        }
        if (!cancelled) {
            outbox.add(missing);
        }
        return request.withTasks(brought);
    }

    /** Returns the download of a request; null if the request is for a range, or the download has ended. */
    private @Nullable Download open(MergedRead request) {
        Download download = request.isDownload() ? downloads.get(request.key()) : null;
        return download == null || download.ended ? null : download;
    }

    /** Returns the whole object in an answer, if it has the version that this run reads. */
    private FetchResult.@Nullable Found wholeObject(String key, RemoteRequest.@Nullable Response response) {
        if (response != null
                && response.fetched() instanceof FetchResult.Found f
                && f.bytes().size() == f.objectSize()) {
            PinnedVersions.Seen state = PinnedVersions.Seen.of(f.version());
            return pins.get(key).orElse(state).equals(state) ? f : null;
        }
        return null;
    }

    /** Drops all waiting reads. */
    void cancel() {
        cancelled = true;
        downloads.values().forEach(download -> download.waiting.clear());
    }
}
