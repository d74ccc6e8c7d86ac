package dev.shardkit.neuroglancer;

import dev.shardkit.spi.ArrayCreation;
import dev.shardkit.spi.StatedCodec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Describes new volumes, and new scales of volumes. Stateless. */
final class NewVolume implements ArrayCreation {
    private static final String SCALES = "scales";
    private static final String RESOLUTION = "resolution";
    private static final long USUAL_LENGTH = 64;
    private static final long BLOCK = 8;
    /** At most this many chunks share a minishard, whose index is read as a whole. */
    private static final int MAX_PRESHIFT = 9;

    @Override
    public List<String> dimensions() {
        return List.of("x", "y", "z", CHANNEL);
    }

    @Override
    public boolean hasSeveral() {
        return true;
    }

    @Override
    public Optional<String> encodingLike(List<StatedCodec> codecs) {
        if (codecs.isEmpty()) {
            return Optional.of("raw");
        }
        String name = codecs.size() == 1 ? codecs.get(0).name() : "";
        return name.equals(CompressedSegmentationCodec.NAME)
                ? Optional.of(CompressedSegmentationCodec.ENCODING)
                : Arrays.stream(ImageCodec.Kind.values())
                        .filter(kind -> kind.codec().equals(name))
                        .map(kind -> kind.name().toLowerCase(Locale.ROOT))
                        .findFirst();
    }

    @Override
    public NewArray describe(Request request) {
        String encoding = request.encoding().orElse("raw");
        Json.Obj info = Json.object()
                .with("@type", Json.of("neuroglancer_multiscale_volume"))
                .with("type", Json.of(isSegmentation(encoding) ? "segmentation" : "image"))
                .with("data_type", Json.of(request.dataType()))
                .with("num_channels", Json.of(request.shape()[VolumeGrid.SPACE]))
                .with(SCALES, new Json.Arr(List.of()));
        return with(info, request);
    }

    /** Adds a scale after the others. All have the data type and the channels of the volume, and keys of their own. */
    @Override
    public NewArray describeBeside(Json document, Request request) {
        if (VolumeInfo.of(document).isEmpty() || !(document instanceof Json.Obj info)) {
            throw new MetadataException(VolumeInfo.DOCUMENT + ": expected a volume of neuroglancer, found none");
        }
        checkSame(info, "data_type", Json.of(request.dataType()));
        checkSame(info, "num_channels", Json.of(request.shape()[VolumeGrid.SPACE]));
        return with(info, request);
    }

    private static void checkSame(Json.Obj info, String member, Json wanted) {
        Json found = info.get(member).orElseGet(Json.Null::new);
        if (!found.toString().equalsIgnoreCase(wanted.toString())) {
            throw new MetadataException("a new scale of a volume of neuroglancer: expected the volume's " + member + " "
                    + found + ", found " + wanted);
        }
    }

    /** Returns the volume with one more scale. */
    private static NewArray with(Json.Obj volume, Request request) {
        checkLengths(request.shape());
        request.chunkShape().ifPresent(NewVolume::checkLengths);
        request.shardShape().ifPresent(NewVolume::checkLengths);
        long[] size = Arrays.copyOf(request.shape(), VolumeGrid.SPACE);
        long channels = request.shape()[VolumeGrid.SPACE];
        long[] chunk = chunk(request, size, channels);
        Optional<ShardBits> bits = request.shardShape().map(shard -> ShardBits.of(size, chunk, shard));
        Json resolution = numbers(request.attributes(), RESOLUTION).orElseGet(() -> Json.of(new long[] {1, 1, 1}));
        String key =
                ((Json.Arr) resolution).items().stream().map(Json::toString).collect(Collectors.joining("_"));
        Json.Obj scale = Json.object()
                .with("key", Json.of(key))
                .with(VolumeGrid.SIZE, Json.of(size))
                .with(RESOLUTION, resolution)
                .with(
                        VolumeGrid.OFFSET,
                        numbers(request.attributes(), VolumeGrid.OFFSET).orElseGet(() -> Json.of(new long[3])))
                .with("chunk_sizes", new Json.Arr(List.of(Json.of(chunk))));
        List<Json> scales = new ArrayList<>(((Json.Arr) volume.get(SCALES).orElseThrow()).items());
        scales.add(encoded(scale, request.encoding().orElse("raw"), bits));
        Json.Obj info = volume.with(SCALES, new Json.Arr(scales));
        long[] write = Arrays.copyOf(bits.map(b -> b.box(chunk)).orElse(chunk), VolumeGrid.RANK);
        write[VolumeGrid.SPACE] = channels;
        return new NewArray(
                key,
                VolumeInfo.of(info).orElseThrow().node(key).orElseThrow(),
                VolumeInfo.DOCUMENT,
                Bytes.of(info.toString().getBytes(StandardCharsets.UTF_8)),
                write);
    }

    private static void checkLengths(long[] shape) {
        if (Arrays.stream(shape).anyMatch(length -> length < 1)) {
            throw new MetadataException("a volume of neuroglancer: expected a shape with lengths of at least 1, found "
                    + Arrays.toString(shape));
        }
    }

    private static boolean isSegmentation(String encoding) {
        return encoding.equals(CompressedSegmentationCodec.ENCODING);
    }

    /** Returns the scale with its encoding, and with its shards if it has any. */
    private static Json.Obj encoded(Json.Obj scale, String encoding, Optional<ShardBits> bits) {
        Json.Obj encoded = scale.with("encoding", Json.of(encoding));
        if (isSegmentation(encoding)) {
            encoded = encoded.with("compressed_segmentation_block_size", Json.of(new long[] {BLOCK, BLOCK, BLOCK}));
        }
        boolean isImage = encoding.equals("jpeg") || encoding.equals("png");
        return bits.isPresent() ? encoded.with("sharding", sharding(bits.get(), isImage ? "raw" : "gzip")) : encoded;
    }

    private static long[] chunk(Request request, long[] size, long channels) {
        long[] asked = request.chunkShape().orElse(new long[] {USUAL_LENGTH, USUAL_LENGTH, USUAL_LENGTH, channels});
        if (asked[VolumeGrid.SPACE] < channels) {
            throw new MetadataException("a volume of neuroglancer: expected chunks with all " + channels
                    + " channels, found " + asked[VolumeGrid.SPACE]);
        }
        long[] chunk = new long[VolumeGrid.SPACE];
        for (int d = 0; d < chunk.length; d++) {
            chunk[d] = Math.min(asked[d], size[d]);
        }
        return chunk;
    }

    /** Returns an attribute of three numbers; empty if it is something else. */
    private static Optional<Json> numbers(Json.Obj attributes, String name) {
        return attributes
                .get(name)
                .filter(json -> json instanceof Json.Arr list
                        && list.items().size() == VolumeGrid.SPACE
                        && list.items().stream().allMatch(Json.Num.class::isInstance));
    }

    private static Json.Obj sharding(ShardBits bits, String data) {
        int preshift = Math.min(bits.inShard(), MAX_PRESHIFT);
        return Json.object()
                .with("@type", Json.of(Sharding.TYPE))
                .with("hash", Json.of("identity"))
                .with("preshift_bits", Json.of(preshift))
                .with("minishard_bits", Json.of(bits.inShard() - preshift))
                .with("shard_bits", Json.of(bits.all() - bits.inShard()))
                .with("minishard_index_encoding", Json.of("gzip"))
                .with("data_encoding", Json.of(data));
    }

    /**
     * The bits of a chunk's number (volume.md, "Compressed Morton code").
     *
     * @param all the bits of the number
     * @param inShard the lowest bits, which number the chunks of one shard
     * @param taken how many of the lowest bits come from each dimension
     */
    private record ShardBits(int all, int inShard, int[] taken) {
        static ShardBits of(long[] size, long[] chunk, long[] shard) {
            int[] bits = new int[VolumeGrid.SPACE];
            int all = 0;
            int wanted = 0;
            for (int d = 0; d < bits.length; d++) {
                long cells = (size[d] + chunk[d] - 1) / chunk[d];
                bits[d] = Long.SIZE - Long.numberOfLeadingZeros(cells - 1);
                long inShard = Math.max(1, shard[d] / chunk[d]);
                all += bits[d];
                wanted += Math.min(bits[d], Long.SIZE - 1 - Long.numberOfLeadingZeros(inShard));
            }
            int[] taken = new int[bits.length];
            int left = wanted;
            for (int i = 0; left > 0; i++) {
                for (int d = 0; d < bits.length && left > 0; d++) {
                    if (i < bits[d]) {
                        taken[d]++;
                        left--;
                    }
                }
            }
            return new ShardBits(all, wanted, taken);
        }

        /** Returns the shape of the elements of a shard. */
        long[] box(long[] chunk) {
            long[] box = chunk.clone();
            for (int d = 0; d < box.length; d++) {
                box[d] <<= taken[d];
            }
            return box;
        }
    }
}
