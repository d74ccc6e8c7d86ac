package dev.shardkit.codec.deflate;

import dev.shardkit.spi.plan.Scratch;

/** Scratches in which the decoder in plain Java decodes every stream, which a young JVM gives to the JDK's Inflater. */
public final class OwnDecoder {
    private OwnDecoder() {}

    /** Creates such a scratch. */
    public static Scratch scratch() {
        Scratch scratch = new Scratch();
        DecoderChoice choice = new DecoderChoice(true);
        choice.decoded(DecoderChoice.LEARNING, DecoderChoice.LEARNING);
        for (DeflateFormat format : DeflateFormat.values()) {
            scratch.state(format, () -> new StreamDecoder(format, choice));
        }
        return scratch;
    }
}
