package dev.shardkit.store.azure;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Outcome;
import dev.shardkit.store.cloud.Changes;
import dev.shardkit.store.cloud.Linked;
import dev.shardkit.store.cloud.Parallel;
import dev.shardkit.store.cloud.Refusal;
import dev.shardkit.store.cloud.Task;
import dev.shardkit.store.remote.Errand;
import dev.shardkit.store.remote.Outcome.Told;
import dev.shardkit.transport.Payload;
import dev.shardkit.transport.Request;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Puts a large blob as blocks. A few are sent at once; one that fails is sent again, alone. The blob appears with its
 * list of blocks, if the condition holds then. When another writer puts the blob, Azure discards all blocks that are in
 * no list; a put without a condition then begins again.
 *
 * @param changes sends changes
 * @param origin the container
 * @param partSize the size of all blocks but the last, in bytes
 */
record Blocks(Changes changes, AzureOrigin origin, long partSize) {
    /** The largest number of blocks that Azure accepts. */
    private static final int MOST_BLOCKS = 50_000;

    /** More would share the bandwidth until each of them receives no answer for too long. */
    private static final int AT_ONCE = 4;

    private static final int TRIES = 5;

    /** One upload. */
    private record Upload(String key, String name, UUID id, Bytes bytes, long partSize) {
        int blocks() {
            return Math.toIntExact((bytes.size() + partSize - 1) / partSize);
        }

        Bytes block(int index) {
            long offset = index * partSize;
            return bytes.slice(offset, Math.min(partSize, bytes.size() - offset));
        }

        /** The names of all blocks of a blob have the same length; those of two uploads differ. */
        String blockId(int index) {
            ByteBuffer bytes = ByteBuffer.allocate(20);
            bytes.putLong(id.getMostSignificantBits())
                    .putLong(id.getLeastSignificantBits())
                    .putInt(index);
            return Base64.getEncoder().encodeToString(bytes.array());
        }
    }

    /** Puts a blob. */
    CompletableFuture<Outcome> put(String key, Bytes bytes, Condition condition) {
        return put(key, bytes, condition, 1);
    }

    private CompletableFuture<Outcome> put(String key, Bytes bytes, Condition condition, int attempt) {
        long size = Math.max(partSize, (bytes.size() + MOST_BLOCKS - 1) / MOST_BLOCKS);
        Upload upload = new Upload(key, origin.place().nameOf(key), UUID.randomUUID(), bytes, size);
        CompletableFuture<Outcome> outcome = Linked.compose(
                Parallel.run(upload.blocks(), AT_ONCE, index -> send(upload, index)),
                sent -> commit(upload, condition, attempt));
        return Linked.compose(
                outcome,
                made -> made instanceof Outcome.Nothing
                        ? put(key, bytes, condition, attempt + 1)
                        : CompletableFuture.completedFuture(made));
    }

    private CompletableFuture<Boolean> send(Upload upload, int index) {
        Map<String, String> query = Map.of("comp", "block", "blockid", upload.blockId(index));
        Payload payload = Payload.of(upload.block(index).pieces());
        var task = new Task<>(
                origin,
                changes.what("PUT of block " + (index + 1) + " of " + upload.blocks() + " of", upload.key()),
                () -> new Request("PUT", origin.blob(upload.name(), query), Map.of(), payload),
                Task.SMALL,
                (Told told) -> Optional.of(true));
        return new Errand<>(changes.common(), task).start();
    }

    private CompletableFuture<Outcome> commit(Upload upload, Condition condition, int attempt) {
        StringBuilder list = new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList>");
        for (int i = 0; i < upload.blocks(); i++) {
            list.append("<Latest>").append(upload.blockId(i)).append("</Latest>");
        }
        byte[] body = list.append("</BlockList>").toString().getBytes(StandardCharsets.UTF_8);
        String writeId = upload.id().toString();
        Map<String, String> headers = new LinkedHashMap<>(AzureOrigin.condition(condition));
        headers.put(AzureOrigin.WRITE_ID, writeId);
        boolean conditional = !(condition instanceof Condition.Any);
        return changes.send(
                changes.what("PUT of the list of blocks of", upload.key()),
                () -> new Request(
                        "PUT",
                        origin.blob(upload.name(), Map.of("comp", "blocklist")),
                        headers,
                        Payload.of(List.of(ByteBuffer.wrap(body)))),
                new Commit(upload.bytes().size(), conditional, attempt < TRIES),
                lost -> lost
                        ? changes.whose(upload.key(), writeId, upload.bytes().size())
                        : CompletableFuture.completedFuture(Outcome.NOT_MET));
    }

    /** The meaning of the answer to a list; {@link Outcome#NOTHING} if the upload has to begin again. */
    private final class Commit implements Task.Meaning<Changes.Answer> {
        private final long size;
        private final boolean conditional;
        private final boolean again;

        Commit(long size, boolean conditional, boolean again) {
            this.size = size;
            this.conditional = conditional;
            this.again = again;
        }

        @Override
        public Optional<Changes.Answer> success(Told told) {
            return Optional.of(new Changes.Answer.Made(new Outcome.Done(origin.version(told, size))));
        }

        @Override
        public Optional<Changes.Answer> refusal(Refusal refusal, boolean lost) {
            // Another writer has put the blob; then its version is another one, too.
            boolean discarded = refusal.code().equals("InvalidBlockList");
            boolean met = refusal.kind() != Refusal.Kind.NOT_MET && refusal.kind() != Refusal.Kind.ABSENT;
            if (conditional && (discarded || !met)) {
                return Optional.of(new Changes.Answer.Refused(lost));
            }
            return discarded && again ? Optional.of(new Changes.Answer.Made(Outcome.NOTHING)) : Optional.empty();
        }
    }
}
