"""Which sentence of a specification a row is about: quoted, with where it stands.  The first pattern that fits counts."""

import re

SPEC = "https://zarr-specs.readthedocs.io/en/latest/v3/"
CORE, TYPES = SPEC + "core/index.html", SPEC + "data-types/index.html"
SHARDING = SPEC + "codecs/sharding-indexed/index.html"
CODECS = SPEC + "codecs/{}/index.html"
KEYS = SPEC + "chunk-key-encodings/index.html"
RFC1952, RFC8878 = "https://www.rfc-editor.org/rfc/rfc1952", "https://www.rfc-editor.org/rfc/rfc8878"
BLOSC = "https://github.com/Blosc/c-blosc/blob/main/README_CHUNK_FORMAT.rst"
VLEN = "https://github.com/zarr-developers/zarr-extensions/tree/main/codecs"
RFC8259 = "https://www.rfc-editor.org/rfc/rfc8259"
RFC9110 = "https://www.rfc-editor.org/rfc/rfc9110.html"

UNDERSTAND = (
    "An implementation MUST fail to open Zarr groups or arrays if any metadata fields are present which (a) the "
    'implementation does not recognize and (b) are not explicitly set to "must_understand": false.'
)
CHAIN = (
    "the list of codecs must be of the following form: zero or more array -> array codecs; followed by exactly one "
    "array -> bytes codec; followed by zero or more bytes -> bytes codecs."
)
MANDATORY = "This document must contain a single object with the following mandatory names"
NAN = 'This representation is the only way to specify a NaN value other than the specific NaN value denoted by "NaN".'
INDEX_SIZE = "The index always has the full shape of all possible inner chunks per shard, even if they extend beyond the array shape."
OFFSETS = (
    "The offset[i] specifies the byte offset within the shard at which the encoded representation of chunk i begins, and "
    "nbytes[i] specifies the encoded length in bytes."
)
DIVIDE = (
    "The inner chunk shape needs to have the same number of dimensions as the shard shape and the inner chunk shape along "
    "each dimension must evenly divide the size of the shard shape."
)
EXTENSION = (
    "If using an object definition, the member name MUST be a plain string which conforms to extension name. Optionally, the "
    "member configuration MAY be present but if so MUST be an object."
)

SENTENCES = [
    (
        r"nan/",
        CODECS.format("bytes"),
        "Each element of the array is encoded using the specified endian variant of its binary representation",
    ),
    (r"fill/.*(hex|signalling|nan|payload|ones|digits|zero_pattern)", TYPES, NAN),
    (r"(fill|missing)/", CORE, "Provides an element value to use for uninitialised portions of the Zarr array."),
    (
        r"transpose/.*|rectilinear/transposed",
        CODECS.format("transpose"),
        "B[B_pos] = A[A_pos], where B_pos[i] = A_pos[order[i]], for all chunk positions A_pos and dimension indices i.",
    ),
    (r"dtype/raw", TYPES, "number of bits, which must be a multiple of 8, given by *."),
    (
        r"(dtype|dtype_be|dtype_new|unsharded|ndim)/",
        CODECS.format("bytes"),
        "Each element of the array is encoded using the specified endian variant of its binary representation",
    ),
    (r"(index|layout|nested|outer)/", SHARDING, OFFSETS),
    (r"codec/gzip", RFC1952, 'A gzip file consists of a series of "members" (compressed data sets).'),
    (r"codec/zstd", RFC8878, "Zstandard compressed data is made up of one or more frames."),
    (r"codec/blosc|unsharded/uint8_blosc", BLOSC, "(the format of a buffer: header, blocks, and what is left over)"),
    (r"malformed/metadata/(missing|null)_", CORE, MANDATORY),
    (
        r"malformed/metadata/(json|utf8|utf16|duplicate|file|document|empty|trailing|not)",
        RFC8259,
        "(the grammar of JSON, and its encoding, UTF-8)",
    ),
    (
        r"malformed/metadata/zarr_format",
        CORE,
        "An integer defining the version of the storage specification to which the array store adheres, must be 3 here.",
    ),
    (
        r"malformed/metadata/node_type",
        CORE,
        "A string defining the type of hierarchy node element, must be array here.",
    ),
    (
        r"malformed/metadata/shape",
        CORE,
        "An array of integers providing the length of each dimension of the Zarr array.",
    ),
    (
        r"malformed/metadata/(vlen_.*_for|bytes_for)",
        CORE,
        "If the decoded_representation_type is not supported, this algorithm must fail with an error.",
    ),
    (r"malformed/metadata/too_deep", RFC8259, "(the grammar of JSON; limits on the depth of nesting)"),
    (r"malformed/metadata/sharding_(index_unknown_codec|unknown_member)", CORE, UNDERSTAND),
    (
        r"malformed/metadata/sharding_no_(index_)?codecs",
        SHARDING,
        "The codecs member is required and needs to contain exactly one array -> bytes codec.",
    ),
    (
        r"malformed/metadata/sharding_index_no_endian",
        CODECS.format("bytes"),
        "endian: Required for data types for which endianness is applicable.",
    ),
    (
        r"malformed/index/(file|start_file|no_checksum|nested_inner_(empty|short)|far|count|second_shard)",
        SHARDING,
        INDEX_SIZE,
    ),
    (r"malformed/index/truncated_tail_no_checksum", SHARDING, OFFSETS),
    (
        r"malformed/stream/(shard_)?(gzip|zstd|blosc)_(short|long|nothing_inside|second_frame|bomb)|malformed/chunk/(?!.*crc32c)",
        CORE,
        "The initial decoded representation, decoded_representation[0] is a multi-dimensional array with the same data type "
        "as the Zarr array, and shape equal to the chunk shape.",
    ),
    (r"malformed/metadata/attributes", CORE, "The value must be an object."),
    (
        r"malformed/metadata/dimension",
        CORE,
        "If specified, must be an array of strings or null objects with the same length as shape.",
    ),
    (
        r"malformed/metadata/(member|.*_unknown_member|codec_unknown|inner_codec_unknown|transformers|keys_unknown|chunk_grid_unknown|data_type_unknown)",
        CORE,
        UNDERSTAND,
    ),
    (
        r"malformed/metadata/(data_type|chunk_grid|keys)_ignorable",
        CORE,
        "must_understand=False is not supported for the following extension points: data type, chunk grid, and chunk key encoding.",
    ),
    (r"malformed/metadata/data_type_r", TYPES, "number of bits, which must be a multiple of 8, given by *."),
    (
        r"malformed/metadata/data_type",
        CORE,
        "If the data type is defined in this specification, then the value must be the data type identifier",
    ),
    (
        r"malformed/metadata/chunk_(shape|grid)",
        CORE,
        "chunk_shape must be an array of integers providing the lengths of the chunk along each dimension of the array.",
    ),
    (r"malformed/metadata/(v2_)?(separator|keys)", KEYS, 'separator, which must be either "/" or ".".'),
    (
        r"malformed/metadata/fill_float",
        TYPES,
        'A JSON string of the form: "Infinity", ... "-Infinity", ... "NaN", ... "0xYYYYYYYY", specifying the byte '
        "representation of the floating point number as an unsigned integer.",
    ),
    (
        r"malformed/metadata/fill_complex",
        TYPES,
        "The value must be a two-element array, specifying the real and imaginary components respectively, where each "
        "component is specified as defined above for floating point number.",
    ),
    (
        r"malformed/metadata/fill_u?int",
        TYPES,
        "The value must be a JSON number with no fraction or exponent part that is within the representable range of the "
        "data type.",
    ),
    (r"malformed/metadata/fill_bool", TYPES, "The value must be a JSON boolean (false or true)."),
    (r"malformed/metadata/fill", CORE, "The permitted values depend on the data type."),
    (r"malformed/metadata/(codecs|chain|inner_chain)|malformed/metadata/sharding_(index_)?codecs", CORE, CHAIN),
    (r"malformed/metadata/(configuration|.*_no_configuration)", CORE, EXTENSION),
    (
        r"malformed/metadata/(inner_)?bytes",
        CODECS.format("bytes"),
        'endian: Required for data types for which endianness is applicable. If present, the value MUST be a string equal to either "big" or "little".',
    ),
    (
        r"malformed/metadata/transpose",
        CODECS.format("transpose"),
        "Must be an array of integers specifying a permutation of 0, 1, ..., n-1",
    ),
    (r"malformed/metadata/gzip", CODECS.format("gzip"), "level: An integer from 0 to 9"),
    (r"malformed/metadata/blosc_clevel", CODECS.format("blosc"), "clevel: An integer from 0 to 9"),
    (
        r"malformed/metadata/blosc_typesize",
        CODECS.format("blosc"),
        "typesize: Positive integer specifying the stride in bytes over which shuffling is performed.",
    ),
    (
        r"malformed/metadata/blosc_blocksize",
        CODECS.format("blosc"),
        "blocksize: An integer giving the size in bytes of blocks into which a buffer is divided before compression.",
    ),
    (r"malformed/metadata/blosc", CODECS.format("blosc"), "(the names of shuffles and compressors)"),
    (r"malformed/metadata/zstd", VLEN, "(zstd: level is an integer from -131072 to 22, checksum a boolean)"),
    (
        r"malformed/metadata/sharding_(index|inner_shard)_location",
        SHARDING,
        "The parameter value must be either the string start or end.",
    ),
    (
        r"malformed/metadata/sharding_(inner_)?index",
        SHARDING,
        "Codecs that produce variable-sized encoded representation, such as compression codecs, MUST NOT be used for index codecs.",
    ),
    (r"malformed/metadata/sharding", SHARDING, DIVIDE),
    (
        r"malformed/index/(.*checksum|outer_crc32c|trailing|truncated)",
        CODECS.format("crc32c"),
        "The output bytestream is composed of the unchanged input byte stream with the appended checksum.",
    ),
    (
        r"malformed/index/.*only_",
        SHARDING,
        "Empty inner chunks are denoted by setting both offset and nbytes to 2^64 - 1.",
    ),
    (r"malformed/index/", SHARDING, OFFSETS),
    (
        r"malformed/chunk/.*crc32c",
        CODECS.format("crc32c"),
        "The checksum is represented as a 32-bit unsigned integer represented in little endian.",
    ),
    (
        r"malformed/vlen/",
        VLEN,
        "(vlen-utf8, vlen-bytes: the number of elements, then the length and the bytes of each; 32-bit little-endian integers)",
    ),
    (
        r"malformed/stream/(shard_)?gzip",
        CODECS.format("gzip"),
        "Encoded data should conform to the Gzip file format [RFC1952].",
    ),
    (r"fault/ranges_ignored", RFC9110 + "#section-14.2", "A server MAY ignore the Range header field."),
    (
        r"fault/(shifted|too_short|too_long|no_content_range|unknown_total)",
        RFC9110 + "#section-15.3.7",
        "A client MUST inspect a 206 response's Content-Type and Content-Range field(s) to determine what parts are "
        "enclosed and whether additional requests are needed.",
    ),
    (
        r"change/",
        RFC9110 + "#section-15.3.7.3",
        "These ranges can only be safely combined if they all have in common the same strong validator",
    ),
    (r"malformed/stream/(shard_)?zstd", RFC8878, "(the format of a frame: magic number, header, blocks, checksum)"),
    (
        r"malformed/stream/(shard_)?blosc",
        CODECS.format("blosc"),
        "The format of the encoded buffer is defined in [BLOSC].",
    ),
]


def sentence(row_id):
    """(address, sentence) of a row, or None."""
    return next(((address, text) for pattern, address, text in SENTENCES if re.match(pattern, row_id)), None)
