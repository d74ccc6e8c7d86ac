package dev.shardkit.store;

/**
 * A condition on the version of the stored object. A put or delete takes effect only if the condition holds at that
 * moment. Immutable.
 */
public sealed interface Condition {
    /** No condition. */
    Condition ANY = new Any();
    /** There must be no object under the key. */
    Condition ABSENT = new Absent();

    /** Returns the kind of this condition. */
    Kind kind();

    /** Returns the condition that the object has this version, which a read has returned. */
    static Condition version(String version) {
        return new Version(version);
    }

    /** The kinds of conditions. */
    enum Kind {
        /** {@link Any}. */
        ANY,
        /** {@link Absent}. */
        ABSENT,
        /** {@link Version}. */
        VERSION
    }

    /** No condition. */
    record Any() implements Condition {
        @Override
        public Kind kind() {
            return Kind.ANY;
        }
    }

    /** There must be no object under the key. */
    record Absent() implements Condition {
        @Override
        public Kind kind() {
            return Kind.ABSENT;
        }
    }

    /**
     * The object must have a version.
     *
     * @param version as {@link ObjectSnapshot#version} or {@link FetchResult.Found#version} has returned it
     */
    record Version(String version) implements Condition {
        @Override
        public Kind kind() {
            return Kind.VERSION;
        }
    }
}
