/** Registered data types beyond the core specification; arrays that use one need this module. */
module dev.shardkit.type {
    requires transitive dev.shardkit.spi;

    exports dev.shardkit.type;

    provides dev.shardkit.spi.DataTypeFactory with
            dev.shardkit.type.TypeFactories.Datetime64,
            dev.shardkit.type.TypeFactories.Timedelta64,
            dev.shardkit.type.TypeFactories.FixedLengthUtf32,
            dev.shardkit.type.TypeFactories.NullTerminatedBytes,
            dev.shardkit.type.TypeFactories.Struct,
            dev.shardkit.type.TypeFactories.SmallComplex,
            dev.shardkit.type.TypeFactories.Int2,
            dev.shardkit.type.TypeFactories.Int4,
            dev.shardkit.type.TypeFactories.Uint2,
            dev.shardkit.type.TypeFactories.Uint4,
            dev.shardkit.type.TypeFactories.Bfloat16,
            dev.shardkit.type.TypeFactories.Float8E3m4,
            dev.shardkit.type.TypeFactories.Float8E4m3,
            dev.shardkit.type.TypeFactories.Float8E5m2,
            dev.shardkit.type.TypeFactories.Float8E4m3Fnuz,
            dev.shardkit.type.TypeFactories.Float8E4m3B11Fnuz,
            dev.shardkit.type.TypeFactories.Float8E5m2Fnuz,
            dev.shardkit.type.TypeFactories.Float8E8m0Fnu,
            dev.shardkit.type.TypeFactories.Float6E2m3,
            dev.shardkit.type.TypeFactories.Float6E3m2,
            dev.shardkit.type.TypeFactories.Float4E2m1;
}
