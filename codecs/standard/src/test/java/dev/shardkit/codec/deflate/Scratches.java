package dev.shardkit.codec.deflate;

import dev.shardkit.spi.plan.Scratch;

/** Scratches that hold one of the two decoders, for tests of codecs. */
public enum Scratches {
    /** With the JDK's Inflater. */
    INFLATER,
    /** With {@link DeflateDecoder}. */
    OWN;

    /** Creates a scratch; the decoder is the same for all its streams. */
    public Scratch make() {
        Scratch scratch = new Scratch();
        for (DeflateFormat format : DeflateFormat.values()) {
            DecoderChoice choice = new DecoderChoice(true);
            if (this == OWN) {
                choice.decoded(DecoderChoice.LEARNING, DecoderChoice.LEARNING);
            }
            scratch.state(format, () -> new StreamDecoder(format, choice));
        }
        return scratch;
    }
}
