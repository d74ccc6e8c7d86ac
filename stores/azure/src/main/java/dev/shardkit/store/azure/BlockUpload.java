package dev.shardkit.store.azure;

import dev.shardkit.store.Condition;
import dev.shardkit.store.Content.Part.Stored;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.cloud.CancellableFutures;
import dev.shardkit.store.cloud.CloudRequest;
import dev.shardkit.store.cloud.CloudWrites;
import dev.shardkit.store.cloud.ErrorResponse;
import dev.shardkit.store.cloud.ListingPage;
import dev.shardkit.store.cloud.ParallelRequests;
import dev.shardkit.store.cloud.PutBody;
import dev.shardkit.store.cloud.WriteIds;
import dev.shardkit.store.cloud.XmlElement;
import dev.shardkit.store.remote.RetriedOperation;
import dev.shardkit.store.remote.exchange.ResponseOutcome.Response;
import dev.shardkit.transport.Payload;
import dev.shardkit.transport.Request;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Puts a large blob as blocks. A few blocks are sent at once; if one fails, only this one is sent again. The server
 * itself copies blocks that are ranges of stored blobs, if it supports that. The last request, the list of blocks,
 * makes the blob appear if the condition holds then. If another writer puts the blob before, Azure discards all blocks
 * that are in no list; a put without a condition then begins again.
 *
 * @param changes sends changes
 * @param origin the container
 * @param partSize the maximum size of blocks, in bytes
 * @param copies whether the server copies ranges
 */
record BlockUpload(CloudWrites changes, AzureOrigin origin, long partSize, RangeCopySupport copies) {
    /**
     * The number of blocks that are sent at once. With more, each block would get so little bandwidth that its request
     * times out.
     */
    private static final int AT_ONCE = 4;

    /** The maximum number of uploads of one blob, if other writers discard its blocks. */
    private static final int MAX_ATTEMPTS = 5;

    /** The longest URL of a source that Azure accepts, in characters. */
    private static final int LONGEST_SOURCE = 2048;

    /** One upload; {@code ends} are the offsets in the body at which its blocks end. */
    private record Upload(String key, String name, UUID id, PutBody body, List<Long> ends) {
        int blocks() {
            return ends.size();
        }

        PutBody block(int index) {
            long offset = index == 0 ? 0 : ends.get(index - 1);
            return body.slice(offset, ends.get(index) - offset);
        }

        /**
         * Returns the name of a block. All names have one length, as Azure requires; the names of two uploads differ.
         */
        String blockId(int index) {
            ByteBuffer bytes = ByteBuffer.allocate(20);
            bytes.putLong(id.getMostSignificantBits())
                    .putLong(id.getLeastSignificantBits())
                    .putInt(index);
            return Base64.getEncoder().encodeToString(bytes.array());
        }

        Map<String, String> query(int index) {
            return Map.of("comp", "block", "blockid", blockId(index));
        }

        String part(int index) {
            return "block " + (index + 1) + " of " + blocks() + " of";
        }
    }

    /** Puts a blob. */
    CompletableFuture<WriteResult> put(String key, PutBody body, Condition condition, WriteIds ids) {
        return put(key, body, condition, ids, 1);
    }

    private CompletableFuture<WriteResult> put(
            String key, PutBody body, Condition condition, WriteIds ids, int attempt) {
        List<Long> ends = BlockSplit.of(body, partSize, copies.isPossible());
        Upload upload = new Upload(key, origin.location().nameOf(key), UUID.randomUUID(), body, ends);
        CompletableFuture<WriteResult> outcome = CancellableFutures.compose(
                CancellableFutures.compose(
                        ParallelRequests.run(upload.blocks(), AT_ONCE, index -> make(upload, index)),
                        copied -> areWhole(upload, copied)),
                copiedWhole -> copiedWhole
                        ? commit(upload, condition, ids, attempt)
                        : CompletableFuture.completedFuture(restartWithoutCopies()));
        // Nothing means here that the upload must begin again.
        return CancellableFutures.compose(
                outcome,
                result -> result instanceof WriteResult.Nothing
                        ? put(key, body, condition, ids, attempt + 1)
                        : CompletableFuture.completedFuture(result));
    }

    /** Records that the server's copies are wrong. Then the upload begins again, without copies. */
    private WriteResult restartWithoutCopies() {
        copies.isWrong();
        return WriteResult.NOTHING;
    }

    /** Uploads or copies a block. Returns whether the server has copied it. */
    private CompletableFuture<Boolean> make(Upload upload, int index) {
        PutBody block = upload.block(index);
        if (block.range().filter(this::hasShortSource).isEmpty()) {
            return send(upload, index, block);
        }
        Stored range = block.range().orElseThrow();
        CompletableFuture<Boolean> copied = copies.copy(() -> new BlockRangeCopy(changes.context(), origin)
                .copy(
                        range,
                        changes.what("copy of " + upload.part(index), upload.key()),
                        () -> origin.copiedBlock(upload.name(), upload.query(index), range)));
        return CancellableFutures.compose(
                copied, isCopied -> isCopied ? CompletableFuture.completedFuture(true) : send(upload, index, block));
    }

    /** Returns whether the URL of a range's blob is short enough to be the source of a copy. */
    private boolean hasShortSource(Stored range) {
        String name = origin.location().nameOf(range.key());
        return origin.sourceLength(name) <= LONGEST_SOURCE;
    }

    private CompletableFuture<Boolean> send(Upload upload, int index, PutBody block) {
        return block.withBytes(changes.context(), bytes -> {
            Payload payload = Payload.of(bytes.pieces());
            var task = new CloudRequest<>(
                    origin,
                    changes.what("PUT of " + upload.part(index), upload.key()),
                    () -> new Request("PUT", origin.blob(upload.name(), upload.query(index)), Map.of(), payload),
                    CloudRequest.SMALL,
                    (Response response) -> Optional.of(false));
            return new RetriedOperation<>(changes.context(), task).start();
        });
    }

    /**
     * Checks the sizes of copied blocks, because Azure's documentation does not say how it copies a range that ends
     * after the blob. Ignores blocks that another writer's put has discarded: Azure then refuses the list of blocks.
     */
    private CompletableFuture<Boolean> areWhole(Upload upload, List<Boolean> copied) {
        Map<String, Long> sizes = new HashMap<>();
        for (int i = 0; i < copied.size(); i++) {
            if (copied.get(i)) {
                sizes.put(upload.blockId(i), upload.block(i).size());
            }
        }
        if (sizes.isEmpty()) {
            return CompletableFuture.completedFuture(true);
        }
        Map<String, String> query = Map.of("comp", "blocklist", "blocklisttype", "uncommitted");
        var task = new CloudRequest<>(
                origin,
                changes.what("GET of the list of blocks of", upload.key()),
                () -> Request.get(origin.blob(upload.name(), query), Map.of()),
                ListingPage.LARGEST,
                new CloudRequest.ResponseHandler<Boolean>() {
                    @Override
                    public Optional<Boolean> success(Response response) {
                        return XmlElement.parse(response.body().toArray()).map(list -> areSizes(list, sizes));
                    }

                    @Override
                    public Optional<Boolean> refusal(ErrorResponse refusal, boolean answerLost) {
                        // Without a list, another writer has discarded the blocks, which the commit detects. After any
                        // other refusal, the sizes are unknown.
                        return Optional.of(refusal.kind() == ErrorResponse.Kind.ABSENT);
                    }
                });
        return new RetriedOperation<>(changes.context(), task).start();
    }

    private static boolean areSizes(XmlElement list, Map<String, Long> sizes) {
        return list.all("UncommittedBlocks")
                .flatMap(blocks -> blocks.all("Block"))
                .allMatch(block -> {
                    OptionalLong size = ListingPage.size(block.text("Size"));
                    Long expected = sizes.get(block.text("Name"));
                    return expected == null || size.isPresent() && size.getAsLong() == expected;
                });
    }

    private CompletableFuture<WriteResult> commit(Upload upload, Condition condition, WriteIds ids, int attempt) {
        StringBuilder list = new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList>");
        for (int i = 0; i < upload.blocks(); i++) {
            list.append("<Latest>").append(upload.blockId(i)).append("</Latest>");
        }
        byte[] body = list.append("</BlockList>").toString().getBytes(StandardCharsets.UTF_8);
        Map<String, String> headers = new LinkedHashMap<>(AzureOrigin.condition(condition));
        headers.put(AzureOrigin.WRITE_ID, ids.text());
        boolean conditional = !(condition instanceof Condition.Any);
        return changes.send(
                changes.what("PUT of the list of blocks of", upload.key()),
                () -> new Request(
                        "PUT",
                        origin.blob(upload.name(), Map.of("comp", "blocklist")),
                        headers,
                        Payload.of(List.of(ByteBuffer.wrap(body)))),
                new Commit(upload.body().size(), conditional, attempt < MAX_ATTEMPTS),
                answerLost -> answerLost
                        ? changes.resolveLostPut(
                                upload.key(), ids, upload.body().size())
                        : CompletableFuture.completedFuture(WriteResult.NOT_MET));
    }

    /** Interprets the response to a list of blocks; {@link WriteResult#NOTHING} if the upload must begin again. */
    private final class Commit implements CloudRequest.ResponseHandler<CloudWrites.Answer> {
        private final long size;
        private final boolean conditional;
        private final boolean mayRetry;

        Commit(long size, boolean conditional, boolean mayRetry) {
            this.size = size;
            this.conditional = conditional;
            this.mayRetry = mayRetry;
        }

        @Override
        public Optional<CloudWrites.Answer> success(Response response) {
            return Optional.of(new CloudWrites.Answer.Made(new WriteResult.Done(origin.version(response, size))));
        }

        @Override
        public Optional<CloudWrites.Answer> refusal(ErrorResponse refusal, boolean answerLost) {
            // Another writer has put the blob, so Azure discarded the blocks. Then no condition holds any more.
            boolean discarded = refusal.code().equals("InvalidBlockList");
            boolean conditionMet =
                    refusal.kind() != ErrorResponse.Kind.NOT_MET && refusal.kind() != ErrorResponse.Kind.ABSENT;
            if (conditional && (discarded || !conditionMet)) {
                return Optional.of(new CloudWrites.Answer.Refused(answerLost));
            }
            return discarded && mayRetry
                    ? Optional.of(new CloudWrites.Answer.Made(WriteResult.NOTHING))
                    : Optional.empty();
        }
    }
}
