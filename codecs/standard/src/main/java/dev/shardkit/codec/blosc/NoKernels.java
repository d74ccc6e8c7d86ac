package dev.shardkit.codec.blosc;

/** Declines all, so that the codec's own kernels are used. */
enum NoKernels implements BloscKernels {
    NONE;

    @Override
    public boolean expand(Cname format, byte[] in, int inAt, int length, byte[] out, int outAt, int size) {
        return false;
    }

    @Override
    public int compress(Cname cname, int level, byte[] in, int inAt, int length, byte[] out, int outAt, int room) {
        return DECLINED;
    }

    @Override
    public void close() {}
}
