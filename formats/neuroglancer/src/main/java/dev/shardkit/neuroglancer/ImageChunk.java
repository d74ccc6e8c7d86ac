package dev.shardkit.neuroglancer;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.kernel.HeapBytes;
import dev.shardkit.spi.kernel.Words;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.awt.image.Raster;

/** {@link ImageCodec} bound to a chunk type. Immutable. */
final class ImageChunk extends FortranChunk {
    /** The images of both formats have sides of at most this many pixels. */
    private static final long LONGEST_SIDE = 65_500;

    private final ImageCodec codec;
    private final int channels;
    private final int width;
    private final int elementSize;
    private final long voxels;

    ImageChunk(ChunkType type, ImageCodec codec) {
        super(type, codec.name());
        long[] shape = type.shape();
        this.codec = codec;
        this.channels = (int) shape[VolumeGrid.SPACE];
        this.voxels = shape[0] * shape[1] * shape[2];
        this.width = (int) (shape[1] * shape[2] <= LONGEST_SIDE ? shape[0] : shape[0] * shape[1]);
        this.elementSize = type.dataType().elementSize().orElseThrow();
    }

    @Override
    void decode(HeapBytes encoded, byte[] out, int size) {
        Raster image = ImageFormats.read(codec.kind(), encoded, voxels, channels * elementSize * Byte.SIZE);
        int bits = image.getSampleModel().getSampleSize(0);
        if (image.getNumBands() != channels || bits != elementSize * Byte.SIZE) {
            throw new CorruptDataException(codec.name() + ": expected an image of " + channels + " channels of "
                    + elementSize * Byte.SIZE + " bits, found " + image.getNumBands() + " of " + bits);
        }
        int[] row = new int[image.getWidth() * channels];
        int voxel = 0;
        for (int y = 0; y < image.getHeight(); y++) {
            image.getPixels(image.getMinX(), image.getMinY() + y, image.getWidth(), 1, row);
            for (int x = 0; x < image.getWidth(); x++, voxel++) {
                for (int c = 0; c < channels; c++) {
                    put(out, (int) (voxel + c * voxels), row[x * channels + c]);
                }
            }
        }
    }

    private void put(byte[] out, int element, int value) {
        if (elementSize == 1) {
            out[element] = (byte) value;
        } else {
            Words.int16(out, 2 * element, value);
        }
    }

    @Override
    Bytes encode(byte[] elements, Scratch scratch) {
        int[] pixels = new int[Math.toIntExact(voxels * channels)];
        for (int c = 0; c < channels; c++) {
            for (int voxel = 0; voxel < voxels; voxel++) {
                int element = (int) (voxel + c * voxels);
                pixels[voxel * channels + c] =
                        elementSize == 1 ? elements[element] & 0xff : Words.int16(elements, 2 * element);
            }
        }
        return ImageFormats.write(codec, pixels, width, channels, elementSize * Byte.SIZE);
    }
}
