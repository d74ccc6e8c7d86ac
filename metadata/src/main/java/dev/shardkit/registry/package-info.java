/**
 * Plug-ins: how they are found, chosen and listed. The interfaces that they implement are in {@code dev.shardkit.spi}
 * and {@code dev.shardkit.store}.
 *
 * <p>A plug-in is one class with a public constructor without parameters, and one line in a jar. For example, a codec:
 *
 * <pre>{@code
 * public final class MyCodecFactory implements CodecFactory {
 *   public String name() { return "com.example.mine"; }
 *   public Codec create(Config config) { return new MyCodec(config.requiredInteger("level", 0, 9)); }
 * }
 * }</pre>
 *
 * <p>and {@code com.example.MyCodecFactory} as a line of {@code META-INF/services/dev.shardkit.spi.CodecFactory} (or
 * {@code provides dev.shardkit.spi.CodecFactory with ...} in a module). The other kinds work the same way: see
 * {@link dev.shardkit.registry.Plugin.Kind}.
 */
@NullMarked
package dev.shardkit.registry;

import org.jspecify.annotations.NullMarked;
