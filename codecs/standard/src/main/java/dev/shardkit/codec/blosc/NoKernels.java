package dev.shardkit.codec.blosc;

/** Declines all streams, so that the codec uses its own kernels. */
enum NoKernels implements BloscKernels {
    NONE;

    @Override
    public boolean expand(
            BloscCompressor format, byte[] in, int inOffset, int length, byte[] out, int outOffset, int size) {
        return false;
    }

    @Override
    public int compress(
            BloscCompressor cname,
            int level,
            byte[] in,
            int inOffset,
            int length,
            byte[] out,
            int outOffset,
            int capacity) {
        return DECLINED;
    }

    @Override
    public void close() {}
}
