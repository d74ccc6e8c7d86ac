package dev.shardkit.store.s3;

import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Outcome;
import dev.shardkit.store.remote.Common;
import dev.shardkit.store.remote.Errand;
import dev.shardkit.store.remote.Outcome.Told;
import dev.shardkit.transport.Payload;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Puts a large object in parts. A few parts are sent at once; a part that fails is sent again, alone. The object
 * appears when all parts are there, if the condition holds then. An upload that does not end so is aborted, because its
 * parts would cost their owner money.
 *
 * @param common the state of the store's requests
 * @param origin the bucket
 * @param partSize the size of all parts but the last, in bytes
 */
record Multipart(Common common, S3Origin origin, long partSize) {
    /** The largest number of parts that S3 accepts. */
    private static final int MOST_PARTS = 10_000;

    /** More would share the bandwidth until each of them receives no answer for too long. */
    private static final int AT_ONCE = 4;

    /** One upload. */
    private record Upload(String key, String name, String id, Bytes bytes, long partSize) {
        int parts() {
            return Math.toIntExact((bytes.size() + partSize - 1) / partSize);
        }

        Bytes part(int index) {
            long offset = index * partSize;
            return bytes.slice(offset, Math.min(partSize, bytes.size() - offset));
        }
    }

    /** Puts an object. */
    CompletableFuture<Outcome> put(String key, Bytes bytes, Condition condition) {
        String name = origin.bucket().nameOf(key);
        String writeId = UUID.randomUUID().toString();
        var begin = new Task<>(
                origin,
                what("beginning the upload of", key),
                "POST",
                () -> origin.bucket().object(name, Map.of("uploads", "")),
                Map.of(Changes.WRITE_ID, writeId),
                Payload.NONE,
                (Told told) -> Xml.parse(told.body().toArray())
                        .map(root -> root.text("UploadId"))
                        .filter(id -> !id.isEmpty()));
        long size = Math.max(partSize, (bytes.size() + MOST_PARTS - 1) / MOST_PARTS);
        return Linked.compose(new Errand<>(common, begin).start(), id -> {
            Upload upload = new Upload(key, name, id, bytes, size);
            CompletableFuture<Outcome> outcome =
                    Linked.compose(parts(upload), tags -> complete(upload, tags, condition, writeId));
            outcome.whenComplete((made, thrown) -> {
                if (!(made instanceof Outcome.Done)) {
                    abort(upload);
                }
            });
            return outcome;
        });
    }

    private String what(String doing, String key) {
        return doing + " " + key + " in " + origin.describe();
    }

    /** Sends all parts; returns their ETags, in order. */
    private CompletableFuture<AtomicReferenceArray<String>> parts(Upload upload) {
        AtomicReferenceArray<String> tags = new AtomicReferenceArray<>(upload.parts());
        CompletableFuture<AtomicReferenceArray<String>> all = new CompletableFuture<>();
        AtomicInteger next = new AtomicInteger();
        AtomicInteger left = new AtomicInteger(upload.parts());
        for (int i = 0; i < Math.min(AT_ONCE, upload.parts()); i++) {
            sendNext(upload, next, left, tags, all);
        }
        return all;
    }

    private void sendNext(
            Upload upload,
            AtomicInteger next,
            AtomicInteger left,
            AtomicReferenceArray<String> tags,
            CompletableFuture<AtomicReferenceArray<String>> all) {
        int index = next.getAndIncrement();
        if (index >= upload.parts() || all.isDone()) {
            return;
        }
        try {
            CompletableFuture<String> part = part(upload, index);
            all.whenComplete((value, thrown) -> part.cancel(true));
            part.whenComplete((tag, thrown) -> {
                if (thrown != null) {
                    all.completeExceptionally(Linked.cause(thrown));
                    return;
                }
                tags.set(index, tag);
                if (left.decrementAndGet() == 0) {
                    all.complete(tags);
                } else {
                    sendNext(upload, next, left, tags, all);
                }
            });
        } catch (RuntimeException | Error e) {
            all.completeExceptionally(e); // the part before this one would swallow it, and the put would not end
        }
    }

    private CompletableFuture<String> part(Upload upload, int index) {
        Map<String, String> query = Map.of("partNumber", Integer.toString(index + 1), "uploadId", upload.id());
        var task = new Task<>(
                origin,
                what("PUT of part " + (index + 1) + " of " + upload.parts() + " of", upload.key()),
                "PUT",
                () -> origin.bucket().object(upload.name(), query),
                Map.of(),
                Payload.of(upload.part(index).pieces()),
                (Told told) -> told.headers().firstValue("ETag"));
        return new Errand<>(common, task).start();
    }

    private CompletableFuture<Outcome> complete(
            Upload upload, AtomicReferenceArray<String> tags, Condition condition, String writeId) {
        StringBuilder list = new StringBuilder("<CompleteMultipartUpload xmlns=\"" + Pruning.NAMESPACE + "\">");
        for (int i = 0; i < tags.length(); i++) {
            list.append("<Part><PartNumber>")
                    .append(i + 1)
                    .append("</PartNumber><ETag>")
                    .append(Xml.escaped(tags.get(i)))
                    .append("</ETag></Part>");
        }
        byte[] body = list.append("</CompleteMultipartUpload>").toString().getBytes(StandardCharsets.UTF_8);
        Map<String, String> headers = new LinkedHashMap<>();
        Changes.condition(condition, headers);
        var task = new Task<>(
                origin,
                what("completing the upload of", upload.key()),
                "POST",
                () -> origin.bucket().object(upload.name(), Map.of("uploadId", upload.id())),
                headers,
                Payload.of(List.of(ByteBuffer.wrap(body))),
                new Completion());
        Errand<Answer> errand = new Errand<>(common, task);
        Changes changes = new Changes(common, origin);
        CompletableFuture<Outcome> outcome = Linked.compose(
                errand.start(),
                answer -> answer.lost()
                        ? changes.whose(
                                upload.key(),
                                upload.name(),
                                writeId,
                                upload.bytes().size())
                        : CompletableFuture.completedFuture(answer.outcome()));
        return Linked.recover(outcome, thrown -> thrown instanceof ZarrException && errand.lost());
    }

    /** The answer to a completion; {@code lost} if an earlier attempt may have completed the upload. */
    private record Answer(Outcome outcome, boolean lost) {}

    private static final class Completion implements Task.Meaning<Answer> {
        @Override
        public Optional<Answer> success(Told told) {
            return Xml.parse(told.body().toArray())
                    .map(root -> root.text("ETag"))
                    .filter(tag -> !tag.isEmpty())
                    .map(tag -> tag.startsWith("\"") ? tag : '"' + tag + '"')
                    .map(tag -> new Answer(new Outcome.Done(Optional.of("s:" + tag)), false));
        }

        @Override
        public Optional<Answer> refusal(Refusal refusal, boolean lost) {
            boolean gone = refusal.code().equals("NoSuchUpload");
            boolean absent = refusal.status() == 404 && refusal.code().equals("NoSuchKey");
            return refusal.status() == 412 || absent || gone && lost
                    ? Optional.of(new Answer(Outcome.NOT_MET, lost))
                    : Optional.empty();
        }
    }

    /** Aborts an upload. Its failure is ignored: the parts then stay until a rule of the bucket removes them. */
    private void abort(Upload upload) {
        var task = new Task<>(
                origin,
                what("aborting the upload of", upload.key()),
                "DELETE",
                () -> origin.bucket().object(upload.name(), Map.of("uploadId", upload.id())),
                Map.of(),
                Payload.NONE,
                (Told told) -> Optional.of(true));
        new Errand<>(common, task).start();
    }
}
