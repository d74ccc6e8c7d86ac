package dev.shardkit.neuroglancer;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.bytes.Words;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.awt.image.Raster;

/** Encodes and decodes chunks as images: {@link ImageCodec} bound to a chunk type. Immutable. */
final class ImageChunk extends FortranChunk {
    /** The maximum side of images in both formats, in pixels. */
    private static final long MAX_SIDE = 65_500;

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
        // Readers accept any width. A row is a line of x, or a plane of x and y if the image would be too high.
        this.width = (int) (shape[1] * shape[2] <= MAX_SIDE ? shape[0] : shape[0] * shape[1]);
        this.elementSize = type.dataType().elementSize().orElseThrow();
    }

    @Override
    void decode(HeapBytes encoded, byte[] output, int size) {
        Raster image = JdkImages.read(codec.kind(), encoded, voxels, channels * elementSize * Byte.SIZE);
        int bits = image.getSampleModel().getSampleSize(0);
        if (image.getNumBands() != channels || bits != elementSize * Byte.SIZE) {
            throw new CorruptDataException(codec.name() + ": expected an image of " + channels + " channels of "
                    + elementSize * Byte.SIZE + " bits, found " + image.getNumBands() + " of " + bits);
        }
        int[] samples = new int[image.getWidth() * channels];
        int voxelIndex = 0;
        for (int row = 0; row < image.getHeight(); row++) {
            image.getPixels(image.getMinX(), image.getMinY() + row, image.getWidth(), 1, samples);
            for (int column = 0; column < image.getWidth(); column++, voxelIndex++) {
                for (int channel = 0; channel < channels; channel++) {
                    putSample(output, (int) (voxelIndex + channel * voxels), samples[column * channels + channel]);
                }
            }
        }
    }

    private void putSample(byte[] output, int elementIndex, int value) {
        if (elementSize == 1) {
            output[elementIndex] = (byte) value;
        } else {
            Words.int16(output, 2 * elementIndex, value);
        }
    }

    @Override
    Bytes encode(byte[] elements, Scratch scratch) {
        int[] pixels = new int[Math.toIntExact(voxels * channels)];
        for (int channel = 0; channel < channels; channel++) {
            for (int voxelIndex = 0; voxelIndex < voxels; voxelIndex++) {
                int elementIndex = (int) (voxelIndex + channel * voxels);
                pixels[voxelIndex * channels + channel] =
                        elementSize == 1 ? elements[elementIndex] & 0xff : Words.int16(elements, 2 * elementIndex);
            }
        }
        return JdkImages.write(codec, pixels, width, channels, elementSize * Byte.SIZE);
    }
}
