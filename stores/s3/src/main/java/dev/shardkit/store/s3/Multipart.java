package dev.shardkit.store.s3;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Outcome;
import dev.shardkit.store.cloud.Bulk;
import dev.shardkit.store.cloud.Changes;
import dev.shardkit.store.cloud.Linked;
import dev.shardkit.store.cloud.Page;
import dev.shardkit.store.cloud.Parallel;
import dev.shardkit.store.cloud.Refusal;
import dev.shardkit.store.cloud.Task;
import dev.shardkit.store.cloud.Xml;
import dev.shardkit.store.remote.Errand;
import dev.shardkit.store.remote.Outcome.Told;
import dev.shardkit.transport.Payload;
import dev.shardkit.transport.Request;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Operations of several requests. Puts a large object in parts. A few parts are sent at once; a part that fails is sent
 * again, alone. The object appears when all parts are there, if the condition holds then. An upload that does not end
 * so is aborted, because its parts would cost their owner money.
 *
 * @param changes sends changes
 * @param origin the bucket
 * @param partSize the size of all parts but the last, in bytes
 */
record Multipart(Changes changes, S3Origin origin, long partSize) implements Bulk {
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

    @Override
    public long largestPut() {
        return 2 * partSize;
    }

    @Override
    public CompletableFuture<Page> ask(String before, boolean deep, @Nullable String from) {
        return new Names(changes.common(), origin).ask(before, deep, from);
    }

    @Override
    public CompletableFuture<?> delete(List<String> names) {
        return new Names(changes.common(), origin).delete(names);
    }

    private <T> CompletableFuture<T> send(Task<T> task) {
        return new Errand<>(changes.common(), task).start();
    }

    private Request request(
            String method, String name, Map<String, String> query, Map<String, String> headers, Payload payload) {
        return new Request(method, origin.bucket().object(name, query), headers, payload);
    }

    @Override
    public CompletableFuture<Outcome> putLarge(String key, Bytes bytes, Condition condition) {
        String name = origin.place().nameOf(key);
        String writeId = Changes.newId();
        var begin = new Task<>(
                origin,
                changes.what("beginning the upload of", key),
                () -> request("POST", name, Map.of("uploads", ""), Map.of(S3Origin.WRITE_ID, writeId), Payload.NONE),
                Task.SMALL,
                (Told told) -> Xml.parse(told.body().toArray())
                        .map(root -> root.text("UploadId"))
                        .filter(id -> !id.isEmpty()));
        long size = Math.max(partSize, (bytes.size() + MOST_PARTS - 1) / MOST_PARTS);
        return Linked.compose(send(begin), id -> {
            Upload upload = new Upload(key, name, id, bytes, size);
            CompletableFuture<Outcome> outcome = Linked.compose(
                    Parallel.run(upload.parts(), AT_ONCE, index -> part(upload, index)),
                    tags -> complete(upload, tags, condition, writeId));
            outcome.whenComplete((made, thrown) -> {
                if (!(made instanceof Outcome.Done)) {
                    abort(upload);
                }
            });
            return outcome;
        });
    }

    private CompletableFuture<String> part(Upload upload, int index) {
        Map<String, String> query = Map.of("partNumber", Integer.toString(index + 1), "uploadId", upload.id());
        Payload payload = Payload.of(upload.part(index).pieces());
        return send(new Task<>(
                origin,
                changes.what("PUT of part " + (index + 1) + " of " + upload.parts() + " of", upload.key()),
                () -> request("PUT", upload.name(), query, Map.of(), payload),
                Task.SMALL,
                (Told told) -> told.headers().firstValue("ETag")));
    }

    private CompletableFuture<Outcome> complete(Upload upload, List<String> tags, Condition condition, String writeId) {
        StringBuilder list = new StringBuilder("<CompleteMultipartUpload xmlns=\"" + Names.NAMESPACE + "\">");
        for (int i = 0; i < tags.size(); i++) {
            list.append("<Part><PartNumber>")
                    .append(i + 1)
                    .append("</PartNumber><ETag>")
                    .append(Xml.escaped(tags.get(i)))
                    .append("</ETag></Part>");
        }
        byte[] body = list.append("</CompleteMultipartUpload>").toString().getBytes(StandardCharsets.UTF_8);
        return changes.send(
                changes.what("completing the upload of", upload.key()),
                () -> request(
                        "POST",
                        upload.name(),
                        Map.of("uploadId", upload.id()),
                        S3Origin.condition(condition),
                        Payload.of(List.of(ByteBuffer.wrap(body)))),
                new Completion(),
                lost -> lost
                        ? changes.whose(upload.key(), writeId, upload.bytes().size())
                        : CompletableFuture.completedFuture(Outcome.NOT_MET));
    }

    private static final class Completion implements Task.Meaning<Changes.Answer> {
        @Override
        public Optional<Changes.Answer> success(Told told) {
            return Xml.parse(told.body().toArray())
                    .map(root -> root.text("ETag"))
                    .filter(tag -> !tag.isEmpty())
                    .map(tag -> tag.startsWith("\"") ? tag : '"' + tag + '"')
                    .map(tag -> new Changes.Answer.Made(new Outcome.Done(Optional.of("s:" + tag))));
        }

        @Override
        public Optional<Changes.Answer> refusal(Refusal refusal, boolean lost) {
            boolean gone = refusal.code().equals("NoSuchUpload");
            boolean absent = refusal.status() == 404 && refusal.code().equals("NoSuchKey");
            return refusal.status() == 412 || absent || gone && lost
                    ? Optional.of(new Changes.Answer.Refused(lost))
                    : Optional.empty();
        }
    }

    /** Aborts an upload. Its failure is ignored: the parts then stay until a rule of the bucket removes them. */
    private void abort(Upload upload) {
        send(new Task<>(
                origin,
                changes.what("aborting the upload of", upload.key()),
                () -> request("DELETE", upload.name(), Map.of("uploadId", upload.id()), Map.of(), Payload.NONE),
                Task.SMALL,
                (Told told) -> Optional.of(true)));
    }
}
