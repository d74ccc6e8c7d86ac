package dev.shardkit.store;

/** What must hold of an object at the moment when it is changed. Immutable. */
public sealed interface Condition {
    /** Nothing need hold. */
    Condition ANY = new Any();
    /** There must be no object. */
    Condition ABSENT = new Absent();

    /** Which kind it is. */
    Kind kind();

    /** The object must have the version that a read has told. */
    static Condition version(String version) {
        return new Version(version);
    }

    /** Kinds of conditions. */
    enum Kind {
        /** {@link Any}. */
        ANY,
        /** {@link Absent}. */
        ABSENT,
        /** {@link Version}. */
        VERSION
    }

    /** Nothing need hold. */
    record Any() implements Condition {
        @Override
        public Kind kind() {
            return Kind.ANY;
        }
    }

    /** There must be no object. */
    record Absent() implements Condition {
        @Override
        public Kind kind() {
            return Kind.ABSENT;
        }
    }

    /**
     * The object must be of a version.
     *
     * @param version as {@link Snapshot#version} or {@link Fetched.Found#version} has told it
     */
    record Version(String version) implements Condition {
        @Override
        public Kind kind() {
            return Kind.VERSION;
        }
    }
}
